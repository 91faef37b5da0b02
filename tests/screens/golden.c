/* Golden grids of a screen in every size. */
#include "golden.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	int columns, rows;
} golden_sizes[] = { { 40, 10 }, { 80, 24 }, { 120, 40 }, { 200, 60 } };

enum { GOLDEN_SIZES = sizeof golden_sizes / sizeof *golden_sizes };

static void golden_compare(const char *name, const struct text *drawn)
{
	struct text path = { 0 };

	text_add(&path, "%s/tests/screens/golden/%s.txt", SOURCE_FOLDER, name);
	if (getenv("UPDATE_GOLDEN")) {
		FILE *file = fopen(path.chars, "we");

		assert_non_null(file);
		fwrite(drawn->chars, 1, drawn->length, file);
		fclose(file);
	}
	FILE *file = fopen(path.chars, "re");
	if (!file)
		fail_msg("no golden grid '%s'", path.chars);
	struct text wanted = { 0 };
	for (int c; (c = fgetc(file)) != EOF;)
		text_add_char(&wanted, (char)c);
	fclose(file);
	if (strcmp(text_chars(&wanted), text_chars(drawn))) {
		print_error("%s is\n%s\nexpected\n%s\n", name,
			text_chars(drawn), text_chars(&wanted));
		fail();
	}
	text_free(&wanted);
	text_free(&path);
}

/* The glyph of a tier for a glyph of the tier above. */
static uint32_t in_tier(uint32_t code, enum tier tier)
{
	for (int glyph = 0; glyph < GLYPHS; glyph++)
		if (glyph_code(tier - 1, (enum glyph)glyph) == code)
			return glyph_code(tier, (enum glyph)glyph);
	return code;
}

static void add_row(const struct grid *grid, int row, struct text *text)
{
	struct text all = { 0 };

	grid_dump(grid, &all);
	const char *line = all.chars;
	while (row--)
		line = strchr(line, '\n') + 1;
	text_add_chars(text, line, strcspn(line, "\n") + 1);
	text_free(&all);
}

/* Adds the rows that differ by more than the tier's replacement of glyphs. */
static void add_rows_apart(const struct grid *grid, const struct grid *above,
	struct text *text)
{
	for (int row = 0; row < grid->rows; row++) {
		const struct cell *cells = &grid->cells[row * grid->columns];
		const struct cell *was = &above->cells[row * grid->columns];
		bool apart = false;

		for (int i = 0; i < grid->columns; i++)
			apart |= cells[i].code !=
				in_tier(was[i].code, grid->tier);
		if (apart) {
			text_add(text, "%3d", row);
			add_row(grid, row, text);
		}
	}
}

/* r10: only glyphs that every font has, and the same roles as in the tier
 * above. */
static void check_tier(const char *name, const struct grid *grid,
	const struct grid *above)
{
	for (int i = 0; i < grid->columns * grid->rows; i++) {
		if (!fixture_in_diet(grid->cells[i].code))
			fail_msg("%s: U+%04X is in a grid of %s", name,
				grid->cells[i].code, tier_name(grid->tier));
		if (above->cells && grid->cells[i].role != above->cells[i].role)
			fail_msg("%s: %s has other roles", name,
				tier_name(grid->tier));
	}
}

static void golden_draw(struct screen *screen, const char *name, size_t size,
	struct text *drawn)
{
	struct grid above = { 0 };

	for (enum tier tier = 0; tier < TIERS; tier++) {
		struct grid grid = { 0 };

		grid_reset(&grid, golden_sizes[size].columns,
			golden_sizes[size].rows, tier);
		view_draw(screen, &grid);
		check_tier(name, &grid, &above);
		text_add(drawn, "-- %s\n", tier_name(tier));
		if (tier)
			add_rows_apart(&grid, &above, drawn);
		else
			grid_dump(&grid, drawn);
		grid_free(&above);
		above = grid;
	}
	text_add(drawn, "-- roles of all\n");
	grid_dump_roles(&above, drawn);
	grid_free(&above);
}

void golden(struct screen *screen, const char *view)
{
	fixture_processors(screen->lab);
	for (size_t s = 0; s < GOLDEN_SIZES; s++) {
		struct text name = { 0 }, drawn = { 0 };

		text_add(&name, "%s-%dx%d", view, golden_sizes[s].columns,
			golden_sizes[s].rows);
		golden_draw(screen, name.chars, s, &drawn);
		golden_compare(name.chars, &drawn);
		text_free(&name);
		text_free(&drawn);
	}
}
