/* Functions shared by the pictures of a report: a frame with axes, and marks in
 * it. */
#ifndef BENCHTOP_PLOT_INTERNAL_H
#define BENCHTOP_PLOT_INTERNAL_H

#include "axis.h"
#include "curves.h"
#include "text.h"

enum { PLOT_WIDTH = 720, PLOT_COLOURS = 4, PLOT_DASHES = 6 };
extern const char *const plot_colour[PLOT_COLOURS];
extern const char *const plot_dash[PLOT_DASHES];
#define PLOT_FLAGGED   "#b8860b"
#define PLOT_OTHER     "#2a9d8f"
#define PLOT_PREDICTED "#8700ff"

/* The rectangle between the axes, in units of the picture. */
struct frame {
	struct axis x, y;
	double left, top, width, height;
	struct text *svg;
};

/* Opens the element; `label` is its description for screen readers. */
void plot_open(struct text *, double height, const char *label);
void plot_close(struct text *);
/* Draw an axis, its ticks with faint lines, and its label. */
void plot_axis_across(const struct frame *, const char *label);
void plot_axis_up(const struct frame *, const char *label);
double plot_x(const struct frame *, double value);
double plot_y(const struct frame *, double value);
/* Text at a place; `anchor` is start, middle or end. */
void plot_label(struct text *, double x, double y, const char *anchor,
	const char *chars);

/* The approximate width of the text in units of the picture. */
double plot_text_width(const char *chars);

/* The drawn figure of a point: the headline and its interval. */
struct mark {
	bool drawn;
	double value, low, high;
};
struct mark plot_mark(const struct results *, const struct point *);
/* The range of all headlines of a run with their intervals; false: none. */
bool plot_span(const struct results *, struct range *);

bool plot_lines(const struct curves *, struct text *);
bool plot_map(const struct curves *, struct text *);
bool plot_bars(const struct results *, struct text *);

#endif
