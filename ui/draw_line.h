/*
 * A line through points: both axes, ticks, units, and where it is asked for
 * the range that the plot must hold whatever the points are, so that one glitch
 * does not rescale it. Points whose y is not a number, or not positive on a
 * logarithmic axis, are marked on the floor instead of leaving a gap.
 */
#ifndef BENCHTOP_DRAW_LINE_H
#define BENCHTOP_DRAW_LINE_H

#include "axis.h"

struct line_view {
	const double *x, *y;
	size_t n;
	struct axis across, up;
};

/* Least pane: 16 columns, 4 rows; nothing is drawn below. */
void draw_line(const struct line_view *, const struct pane *);

#endif
