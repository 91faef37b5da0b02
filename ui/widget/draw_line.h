/*
 * Lines through points: both axes, ticks, units, and where it is asked for the
 * range that the plot must hold whatever the points are, so that one glitch
 * does not rescale it. Points whose y is not a number, or not positive on a
 * logarithmic axis, are marked on the floor instead of leaving a gap.
 *
 * Several lines are told apart by their dash and by a label at their end, and
 * only then by colour.
 */
#ifndef BENCHTOP_DRAW_LINE_H
#define BENCHTOP_DRAW_LINE_H

#include "canvas.h"
#include "draw_axis.h"

struct line_series {
	const double *x, *y;
	const double *low, *high; /* an interval of each y; NULL: not drawn */
	const bool *doubtful;     /* marked with an x; NULL: none */
	size_t n;
	enum role role;
	enum dash dash;
	bool scattered;    /* dots, not joined: a trace has thousands */
	const char *label; /* at its end; NULL */
};

struct line_view {
	const struct line_series *series; /* the last lies on top */
	size_t count;
	struct axis across, up;
	const double *levels; /* borders across the plot */
	size_t level_count;
	int right;       /* columns for the labels at the ends */
	bool has_cursor; /* the point that is looked at */
	double cursor_x, cursor_y;
};

/* Least pane: 16 columns, 4 rows; nothing is drawn below. */
void draw_line(const struct line_view *, const struct pane *);
/* Where in the pane the lines lie, between the axes and the labels. */
struct pane line_plot(const struct line_view *, const struct pane *);

#endif
