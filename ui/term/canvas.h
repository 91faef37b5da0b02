/*
 * Draws lines of dots over a pane. The braille tier has two dots per column and
 * four per row; the other tiers draw the nearest glyph. Dots are collected,
 * then painted together. Cells without a dot keep their content.
 *
 *     struct canvas canvas;
 *     canvas_begin(&canvas, &pane);
 *     canvas_line(&canvas, 0, 0, 1, .5);
 *     canvas_end(&canvas);
 *
 * Coordinates are fractions of the pane, 0 .. 1: across from the left, up from
 * the bottom. Points outside the pane are not drawn. Where lines cross in a
 * cell, the cell keeps the dots of all lines and the role of the last pen.
 */
#ifndef BENCHTOP_CANVAS_H
#define BENCHTOP_CANVAS_H

#include "grid.h"

/* Patterns that can be distinguished in every tier, even if a glyph cannot show
 * parts of a cell. */
enum dash { DASH_SOLID, DASH_DASHED, DASH_DOTTED, DASH_MIXED, DASHES };

struct canvas {
	struct pane pane;
	uint8_t *dots;  /* one byte per cell, see glyph_dots(); owned */
	uint8_t *roles; /* one role per cell; owned */
	enum role role;
	enum dash dash;
	double run; /* dots since canvas_pen(): position in the dash pattern */
};

/* Begins with a solid pen of ROLE_SERIES. */
void canvas_begin(struct canvas *, const struct pane *);
/* Changes the pen and starts its dash pattern at the beginning. */
void canvas_pen(struct canvas *, enum role, enum dash);
void canvas_line(struct canvas *, double across, double up, double to_across,
	double to_up);
/* Paints the collected dots and frees the canvas. */
void canvas_end(struct canvas *);

#endif
