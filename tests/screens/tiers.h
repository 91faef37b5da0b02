/* What every drawing must keep, at any size. */
#ifndef BENCHTOP_SCREENS_TIERS_H
#define BENCHTOP_SCREENS_TIERS_H

#include "fixture.h"

/* At every size something that is inside and in the diet; the tiers agree cell
 * for cell. */
void draw_tiers(struct screen *screen, int columns, int rows);
/* The same at sizes from 1 to the most, each larger than the one before by so
 * small a part of it and by one. */
void draw_sizes(struct screen *screen, int most_columns, int most_rows,
	int part_columns, int part_rows);
/* Not one size is left out, from a cell to 200 x 60: each of the lines that
 * bring something into view has its share of them, evenly spread, and so has
 * each tier. */
void draw_every_size(struct screen *screen, const char *const *lines,
	size_t count);

#endif
