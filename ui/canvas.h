/*
 * Lines of dots over a pane: two dots a column and four a row in the braille
 * tier, what comes nearest in the others. Dots are collected, then painted at
 * once; cells without a dot are left as they are.
 *
 *     struct canvas canvas;
 *     canvas_begin(&canvas, &pane);
 *     canvas_line(&canvas, 0, 0, 1, .5);
 *     canvas_end(&canvas, ROLE_SERIES);
 *
 * Places are parts of the pane, 0 .. 1: across from the left, up from the
 * bottom. What lies outside is not drawn.
 */
#ifndef BENCHTOP_CANVAS_H
#define BENCHTOP_CANVAS_H

#include "grid.h"

struct canvas {
	struct pane pane;
	uint8_t *dots; /* one per cell, see glyph_dots(); owned */
};

void canvas_begin(struct canvas *, const struct pane *);
void canvas_dot(struct canvas *, double across, double up);
void canvas_line(struct canvas *, double across, double up, double to_across,
	double to_up);
/* Paints and frees. */
void canvas_end(struct canvas *, enum role);

#endif
