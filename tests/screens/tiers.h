/* What every drawing must keep, at any size. */
#ifndef BENCHTOP_SCREENS_TIERS_H
#define BENCHTOP_SCREENS_TIERS_H

#include "fixture.h"

/* At every size something that is inside and in the diet; the tiers agree cell
 * for cell. */
static inline void draw_tiers(struct screen *screen, int columns, int rows)
{
	struct grid first = { 0 }, other = { 0 };

	grid_reset(&first, columns, rows, TIER_BRAILLE);
	view_draw(screen, &first);
	for (size_t i = 0; i < first.spot_count; i++) {
		const struct spot *spot = &first.spots[i];

		assert_true(spot->column >= 0 && spot->row >= 0);
		assert_true(spot->column + spot->columns <= columns);
		assert_true(spot->row + spot->rows <= rows);
	}
	assert_true(first.cursor_column < columns && first.cursor_row < rows);
	for (int tier = 1; tier < TIERS; tier++) {
		grid_reset(&other, columns, rows, (enum tier)tier);
		view_draw(screen, &other);
		for (int i = 0; i < columns * rows; i++) {
			const struct cell *a = &first.cells[i];
			const struct cell *b = &other.cells[i];

			assert_true(fixture_in_diet(a->code));
			assert_true(fixture_in_diet(b->code));
			assert_int_equal(a->role, b->role);
			assert_int_equal(a->code == ' ', b->code == ' ');
		}
	}
	grid_free(&first);
	grid_free(&other);
}

/* The same at sizes from 1 to the most, each larger than the one before by so
 * small a part of it and by one. */
static inline void draw_sizes(struct screen *screen, int most_columns,
	int most_rows, int part_columns, int part_rows)
{
	for (int columns = 1; columns <= most_columns;
		columns += 1 + columns / part_columns)
		for (int rows = 1; rows <= most_rows;
			rows += 1 + rows / part_rows)
			draw_tiers(screen, columns, rows);
}

#endif
