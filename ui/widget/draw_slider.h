/*
 * A slider shows where a value stands between two bounds; a bar shows how much
 * of something there is.
 */
#ifndef BENCHTOP_DRAW_SLIDER_H
#define BENCHTOP_DRAW_SLIDER_H

#include "grid.h"

/* `place`: 0 .. 1. Fills the pane's width; nothing below five columns. */
void draw_slider(const struct pane *, double place);
/* Filled from the left by eighths of a column, in one row. */
void draw_bar(const struct pane *, double share, enum role);

#endif
