/* Golden grids of a screen in every size. */
#include "golden.h"

#include <stdlib.h>
#include <string.h>

#include "golden_text.h"

static const struct {
	int columns, rows;
} golden_sizes[] = { { 40, 10 }, { 80, 24 }, { 120, 40 }, { 200, 60 } };

enum { GOLDEN_SIZES = sizeof golden_sizes / sizeof *golden_sizes,
	ROWS_MOST = 60 };

/* Views that have most rows in common with another one. */
static const struct {
	const char *view, *like;
} likenesses[] = {
	{ "about", "details" },
	{ "compare-browser", "compare-nothing" },
	{ "compare-cycles", "compare" },
	{ "compare-swapped", "compare" },
	{ "cumulative", "single" },
	{ "doubt", "first" },
	{ "failed", "single" },
	{ "file-remote", "bars" },
	{ "filled", "first" },
	{ "finder-found", "bars" },
	{ "form", "single" },
	{ "live", "single" },
	{ "live-sweep", "sweep" },
	{ "log", "single" },
	{ "machine-facts", "machine" },
	{ "machine-nothing", "machine" },
	{ "marks", "sweep" },
	{ "menu-export", "single" },
	{ "menu-notes", "single" },
	{ "missing", "bars" },
	{ "net-decode", "details" },
	{ "net-events", "net-flight" },
	{ "net-lanes", "net-connections" },
	{ "net-lossy", "net-flight" },
	{ "net-nothing", "compare-nothing" },
	{ "net-rate", "net-flight" },
	{ "net-refused", "net-connections" },
	{ "net-rtt", "net-flight" },
	{ "net-sequence", "net-flight" },
	{ "net-window", "net-run" },
	{ "offered", "first" },
	{ "point", "sweep" },
	{ "post-hoc", "single" },
	{ "prompt", "first" },
	{ "stopped", "single" },
	{ "tour-offer", "first" },
	{ "tour-predict", "first" },
	{ "tour-read", "details" },
};

/* Contents of the Sweep screen whose largest grid has no file: from 110 columns
 * and 30 rows on its plots only grow, as `lines`, `map` and `finder` show. */
static const char *const only_grow[] = { "closer", "file-cache",
	"file-contention", "file-reads", "finder-pages", "partial", "trace",
	NULL };

/* The sections of a file: the tiers, then the roles. */
enum { OF_ROLES = TIERS, SECTIONS };

/* The rows of a view; of a tier after the first only those that differ by more
 * than glyphs from the tier above. NULL: none. Owned. */
struct sheet {
	char *rows[SECTIONS][ROWS_MOST];
};

static const char *section_name(int section)
{
	return section == OF_ROLES ? "roles of all" :
				     tier_name((enum tier)section);
}

static int section_named(const char *name)
{
	int section = 0;

	while (strcmp(section_name(section), name) != 0)
		assert_true(++section < SECTIONS);
	return section;
}

static const char *like_of(const char *view)
{
	for (size_t i = 0; i < sizeof likenesses / sizeof *likenesses; i++)
		if (!strcmp(likenesses[i].view, view))
			return likenesses[i].like;
	return NULL;
}

static bool has_file(const char *view, size_t size)
{
	for (size_t i = 0; only_grow[i] && size == GOLDEN_SIZES - 1; i++)
		if (!strcmp(only_grow[i], view))
			return false;
	return true;
}

static void sheet_free(struct sheet *sheet)
{
	for (int section = 0; section < SECTIONS; section++)
		for (int row = 0; row < ROWS_MOST; row++)
			free(sheet->rows[section][row]);
}

/* ---- drawing ---------------------------------------------------------- */

/* The glyph of a tier for a glyph of the tier above. */
static uint32_t in_tier(uint32_t code, enum tier tier)
{
	for (int glyph = 0; glyph < GLYPHS; glyph++)
		if (glyph_code(tier - 1, (enum glyph)glyph) == code)
			return glyph_code(tier, (enum glyph)glyph);
	return code;
}

/* Whether a row differs by more than the tier's replacement of glyphs. */
static bool is_apart(const struct grid *grid, const struct grid *above, int row)
{
	for (int i = row * grid->columns; i < (row + 1) * grid->columns; i++)
		if (grid->cells[i].code !=
			in_tier(above->cells[i].code, grid->tier))
			return true;
	return false;
}

static void keep_rows(struct sheet *sheet, int section, struct text *dump)
{
	char *rest = dump->chars, *line;

	for (int row = 0; (line = strsep(&rest, "\n")) && rest; row++)
		sheet->rows[section][row] = xstrdup(line);
	text_free(dump);
}

/* Of the largest size only the first tier: the others draw as in 120x40. */
static void keep_tier(struct sheet *sheet, const struct grid *grid,
	const struct grid *above)
{
	struct text dump = { 0 };

	if (grid->tier && grid->rows == ROWS_MOST)
		return;
	grid_dump(grid, &dump);
	keep_rows(sheet, (int)grid->tier, &dump);
	for (int row = 0; grid->tier && row < grid->rows; row++)
		if (!is_apart(grid, above, row)) {
			free(sheet->rows[grid->tier][row]);
			sheet->rows[grid->tier][row] = NULL;
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

static void draw_sheet(struct screen *screen, const char *view, size_t size,
	struct sheet *sheet)
{
	struct grid above = { 0 };
	struct text roles = { 0 };

	for (enum tier tier = 0; tier < TIERS; tier++) {
		struct grid grid = { 0 };

		grid_reset(&grid, golden_sizes[size].columns,
			golden_sizes[size].rows, tier);
		view_draw(screen, &grid);
		check_tier(view, &grid, &above);
		keep_tier(sheet, &grid, &above);
		grid_free(&above);
		above = grid;
	}
	grid_dump_roles(&above, &roles);
	keep_rows(sheet, OF_ROLES, &roles);
	grid_free(&above);
}

/* ---- files ------------------------------------------------------------ */

static void path_of(const char *view, size_t size, struct text *path)
{
	text_add(path, "%s/tests/screens/golden/%s-%dx%d.txt", SOURCE_FOLDER,
		view, golden_sizes[size].columns, golden_sizes[size].rows);
}

/* Reads a file with all rows. */
static void read_sheet(const char *view, size_t size, struct sheet *sheet)
{
	struct text path = { 0 };
	char *line = NULL;
	size_t room = 0;
	int section = -1, row = 0;

	path_of(view, size, &path);
	FILE *file = fopen(path.chars, "re");
	if (!file)
		fail_msg("no golden grid '%s'", path.chars);
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "-- ", 3)) {
			section = section_named(line + 3);
			continue;
		}
		if (section)
			row = (int)strtol((char[]){ line[0], line[1], line[2],
				'\0' }, NULL, 10);
		assert_in_range(row, 0, ROWS_MOST - 1);
		sheet->rows[section][row++] = xstrdup(line + (section ? 3 : 0));
	}
	fclose(file);
	free(line);
	text_free(&path);
	char **roles = sheet->rows[OF_ROLES];
	for (row = 1; row < golden_sizes[size].rows; row++)
		if (!roles[row])
			roles[row] = xstrdup(roles[row - 1]);
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Whether the other sheet has the same row. Rows of further tiers are compared
 * only where the first tier is the same. */
static bool is_shared(const struct sheet *sheet, const struct sheet *other,
	int section, int row)
{
	char *const *mine = sheet->rows[section];
	char *const *theirs = other->rows[section];

	if (section && section != OF_ROLES &&
		!same(sheet->rows[0][row], other->rows[0][row]))
		return !mine[row];
	return same(mine[row], theirs[row]);
}

/* Adds a row with its number; in the first tier of a whole sheet every row is
 * there, without a number. */
static void add_row(struct text *text, int section, bool first, int row,
	const char *chars)
{
	if (first)
		text_add(text, "-- %s\n", section_name(section));
	if (row >= 0)
		text_add(text, "%3d", row);
	text_add(text, "%s\n", chars);
}

static void write_sheet(const struct sheet *sheet, struct text *text)
{
	for (int section = 0; section < SECTIONS; section++) {
		char *const *rows = sheet->rows[section];
		bool first = true;

		for (int row = 0; row < ROWS_MOST; row++) {
			bool again = section == OF_ROLES && row &&
				same(rows[row], rows[row - 1]);

			if (!rows[row] || again)
				continue;
			add_row(text, section, first, section ? row : -1,
				rows[row]);
			first = false;
		}
	}
}

static void write_difference(const struct sheet *sheet, const char *like,
	const struct sheet *other, struct text *text)
{
	text_add(text, "-- like %s\n", like);
	for (int section = 0; section < SECTIONS; section++) {
		bool first = true;

		for (int row = 0; row < ROWS_MOST; row++) {
			const char *mine = sheet->rows[section][row];

			if (is_shared(sheet, other, section, row))
				continue;
			add_row(text, section, first, row,
				mine ? mine : " as in the tier above");
			first = false;
		}
	}
}

void golden(struct screen *screen, const char *view)
{
	const char *like = like_of(view);

	fixture_processors(screen->lab);
	for (size_t size = 0; size < GOLDEN_SIZES; size++) {
		struct sheet sheet = { 0 }, other = { 0 };
		struct text path = { 0 }, drawn = { 0 };

		draw_sheet(screen, view, size, &sheet);
		if (!has_file(view, size)) {
			sheet_free(&sheet);
			continue;
		}
		if (like) {
			read_sheet(like, size, &other);
			write_difference(&sheet, like, &other, &drawn);
		} else {
			write_sheet(&sheet, &drawn);
		}
		path_of(view, size, &path);
		golden_file(path.chars, &drawn);
		text_free(&path);
		text_free(&drawn);
		sheet_free(&sheet);
		sheet_free(&other);
	}
}
