/* Invariants of every drawing. */
#include "tiers.h"

/* Every cell is inside the grid and uses an allowed glyph. */
static void check_drawn(const struct grid *grid)
{
	for (int i = 0; i < grid->columns * grid->rows; i++)
		assert_true(fixture_in_diet(grid->cells[i].code));
	for (size_t i = 0; i < grid->spot_count; i++) {
		const struct spot *spot = &grid->spots[i];

		assert_true(spot->column >= 0 && spot->row >= 0);
		assert_true(spot->column + spot->columns <= grid->columns);
		assert_true(spot->row + spot->rows <= grid->rows);
	}
	assert_true(grid->cursor_column < grid->columns);
	assert_true(grid->cursor_row < grid->rows);
}

void draw_tiers(struct screen *screen, int columns, int rows)
{
	struct grid first = { 0 }, other = { 0 };

	grid_reset(&first, columns, rows, TIER_BRAILLE);
	view_draw(screen, &first);
	check_drawn(&first);
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

void draw_sizes(struct screen *screen, int most_columns, int most_rows,
	int part_columns, int part_rows)
{
	for (int columns = 1; columns <= most_columns;
		columns += 1 + columns / part_columns)
		for (int rows = 1; rows <= most_rows;
			rows += 1 + rows / part_rows)
			draw_tiers(screen, columns, rows);
}

void draw_every_size(struct screen *screen, const char *const *lines,
	size_t count)
{
	enum { COLUMNS = 200, ROWS = 60 };
	struct grid grid = { 0 };
	int drawn = 0;

	for (size_t line = 0; line < count; line++) {
		screen_execute(screen, lines[line]);
		for (int columns = 1; columns <= COLUMNS; columns++)
			for (int rows = 1; rows <= ROWS; rows++) {
				size_t at = (size_t)(columns * 7 + rows);

				if (at % count != line)
					continue;
				grid_reset(&grid, columns, rows,
					(enum tier)(at / count % TIERS));
				view_draw(screen, &grid);
				check_drawn(&grid);
				drawn++;
			}
	}
	assert_int_equal(drawn, COLUMNS * ROWS);
	grid_free(&grid);
}
