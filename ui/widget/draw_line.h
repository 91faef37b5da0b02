/*
 * Line plots with both axes, ticks and units. The caller sets the axes' ranges,
 * so one outlier need not rescale the plot. A point whose y is not a number, or
 * not positive on a logarithmic axis, is marked on the floor instead of leaving
 * a gap.
 *
 * Lines differ by their dash and by a label at their end, and additionally by
 * colour.
 */
#ifndef BENCHTOP_DRAW_LINE_H
#define BENCHTOP_DRAW_LINE_H

#include "canvas.h"
#include "draw_axis.h"

struct line_series {
	const double *x, *y;
	const double *low, *high; /* an interval of each y; NULL: not drawn */
	const bool *doubtful;     /* marked with a letter; NULL: none */
	char sign;                /* the letter; 0: x */
	size_t n;
	enum role role;
	enum dash dash;
	bool scattered;    /* dots without lines, for a trace of thousands */
	const char *label; /* at the end of the line, or NULL */
};

struct line_view {
	const struct line_series *series; /* the last is drawn on top */
	size_t count;
	struct axis across, up;
	const double *levels; /* vertical borders at these x */
	size_t level_count;
	int right;       /* columns for the labels at the ends */
	bool has_cursor; /* whether a point is selected */
	double cursor_x, cursor_y;
};

/* Needs 16 columns and 4 rows; draws nothing in a smaller pane. */
void draw_line(const struct line_view *, const struct pane *);
/* The part of the pane with the lines, between the axes and the labels. */
struct pane line_plot(const struct line_view *, const struct pane *);

#endif
