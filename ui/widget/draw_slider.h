/*
 * A slider shows the position of a value between two bounds; a bar shows a
 * share.
 */
#ifndef BENCHTOP_DRAW_SLIDER_H
#define BENCHTOP_DRAW_SLIDER_H

#include "grid.h"

/* `place`: 0 .. 1. Fills the pane's width; draws nothing in fewer than five
 * columns. */
void draw_slider(const struct pane *, double place);
/* Draws one row, filled from the left by eighths of a column. */
void draw_bar(const struct pane *, double share, enum role);

#endif
