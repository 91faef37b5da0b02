/* Parts of a heat map: cells of equal size, a shade per step, the legend. */
#ifndef BENCHTOP_DRAW_MAP_H
#define BENCHTOP_DRAW_MAP_H

#include "grid.h"

enum { MAP_STEPS = 4 };

/* The cells of one value of an axis. All values have about equally many cells.
 * If there are more values than cells, several share one. */
struct map_cells {
	int first, count;
	bool own; /* not shared with another value */
};
struct map_cells map_cells_of(size_t values, size_t i, int cells);

/* Fills a pane with the shade of a step, 0 .. MAP_STEPS - 1. */
void map_fill(const struct pane *, int step);
/* Draws the shade of a step and its label, if there is room. Returns the column
 * behind them. */
int map_legend(const struct pane *, int column, int step, const char *label);

#endif
