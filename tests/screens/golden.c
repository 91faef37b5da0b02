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

/* Adds one tier's letters; its roles are those of the first. */
static void golden_draw(struct screen *screen, const char *name, size_t size,
	enum tier tier, struct text *letters, struct text *roles)
{
	struct grid grid = { 0 };
	struct text own = { 0 };

	grid_reset(&grid, golden_sizes[size].columns, golden_sizes[size].rows,
		tier);
	view_draw(screen, &grid);
	/* r10: nothing that a font may lack. */
	for (int i = 0; i < grid.columns * grid.rows; i++)
		if (!fixture_in_diet(grid.cells[i].code))
			fail_msg("%s: U+%04X is in a grid of %s", name,
				grid.cells[i].code, tier_name(tier));
	text_add(letters, "-- %s\n", tier_name(tier));
	grid_dump(&grid, letters);
	grid_dump_roles(&grid, &own);
	if (tier && strcmp(own.chars, roles->chars))
		fail_msg("%s: %s has other roles", name, tier_name(tier));
	if (!tier)
		text_add_chars(roles, own.chars, own.length);
	text_free(&own);
	grid_free(&grid);
}

void golden(struct screen *screen, const char *view)
{
	fixture_processors(screen->lab);
	for (size_t s = 0; s < GOLDEN_SIZES; s++) {
		struct text name = { 0 }, drawn = { 0 }, roles = { 0 };

		text_add(&name, "%s-%dx%d", view, golden_sizes[s].columns,
			golden_sizes[s].rows);
		for (int tier = 0; tier < TIERS; tier++)
			golden_draw(screen, name.chars, s, (enum tier)tier,
				&drawn, &roles);
		text_add(&drawn, "-- roles of all\n");
		text_add_chars(&drawn, roles.chars, roles.length);
		golden_compare(name.chars, &drawn);
		text_free(&name);
		text_free(&drawn);
		text_free(&roles);
	}
}
