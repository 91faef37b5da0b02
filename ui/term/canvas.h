/*
 * Lines of dots over a pane: two dots a column and four a row in the braille
 * tier, what comes nearest in the others. Dots are collected, then painted at
 * once; cells without a dot are left as they are.
 *
 *     struct canvas canvas;
 *     canvas_begin(&canvas, &pane);
 *     canvas_line(&canvas, 0, 0, 1, .5);
 *     canvas_end(&canvas);
 *
 * Places are parts of the pane, 0 .. 1: across from the left, up from the
 * bottom. What lies outside is not drawn. Where lines cross in a cell all their
 * dots are kept; the cell looks as the pen that came last.
 */
#ifndef BENCHTOP_CANVAS_H
#define BENCHTOP_CANVAS_H

#include "grid.h"

/* Patterns that can be told apart in every tier, also where a cell has no
 * parts. */
enum dash { DASH_SOLID, DASH_DASHED, DASH_DOTTED, DASH_MIXED, DASHES };

struct canvas {
	struct pane pane;
	uint8_t *dots;  /* one per cell, see glyph_dots(); owned */
	uint8_t *roles; /* of each cell, owned */
	enum role role;
	enum dash dash;
	double run; /* dots since the pen was taken: where in its pattern */
};

/* With a solid pen of ROLE_SERIES. */
void canvas_begin(struct canvas *, const struct pane *);
/* Takes another pen, at the beginning of its pattern. */
void canvas_pen(struct canvas *, enum role, enum dash);
void canvas_dot(struct canvas *, double across, double up);
void canvas_line(struct canvas *, double across, double up, double to_across,
	double to_up);
/* Paints and frees. */
void canvas_end(struct canvas *);

#endif
