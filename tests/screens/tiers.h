/* Invariants of every drawing, at any size. */
#ifndef BENCHTOP_SCREENS_TIERS_H
#define BENCHTOP_SCREENS_TIERS_H

#include "fixture.h"

/* Checks that at a size all cells are inside and use allowed glyphs, and that
 * the tiers agree cell by cell. */
void draw_tiers(struct screen *screen, int columns, int rows);
/* The same at sizes from 1 to the maximum; each size is larger than the
 * previous by a given fraction plus one. */
void draw_sizes(struct screen *screen, int most_columns, int most_rows,
	int part_columns, int part_rows);
/* Covers every size from one cell to 200 x 60. The sizes are distributed evenly
 * over the lines, each of which shows a view, and over the tiers. */
void draw_every_size(struct screen *screen, const char *const *lines,
	size_t count);

#endif
