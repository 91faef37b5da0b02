/* An axis on the grid: its line, its ticks and their labels. */
#ifndef BENCHTOP_DRAW_AXIS_H
#define BENCHTOP_DRAW_AXIS_H

#include "axis.h"
#include "grid.h"

/* Draws an axis into the first row of a pane and its labels into the second;
 * `columns` of it are the axis, what is right of it may hold labels. */
void axis_draw(const struct axis *, const struct pane *, int columns);
/* Draws an upright axis whose line is the pane's last column; labels left. */
void axis_draw_upright(const struct axis *, const struct pane *);

#endif
