/* Draws an axis on the grid: its line, its ticks and their labels. */
#ifndef BENCHTOP_DRAW_AXIS_H
#define BENCHTOP_DRAW_AXIS_H

#include "axis.h"
#include "grid.h"

/* Draws an axis into the first row of a pane and its labels into the second.
 * The axis is `columns` wide; labels may extend to the right of it. */
void axis_draw(const struct axis *, const struct pane *, int columns);
/* Draws a vertical axis. Its line is the pane's last column; labels are to its
 * left. */
void axis_draw_upright(const struct axis *, const struct pane *);

#endif
