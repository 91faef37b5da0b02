/* The Lab screen at every size: parts are inside and never overlap, nothing
 * crashes, only allowed glyphs are drawn. */
#include "fixture.h"
#include "keys.h"
#include "lab_layout.h"
#include "tiers.h"

enum { COLUMNS = 200, ROWS = 60 };

static void mark_part(char *owner, const struct pane *part, int columns,
	int rows, char name)
{
	if (part->columns < 1 || part->rows < 1)
		return;
	assert_true(part->column >= 0 && part->row >= 0);
	assert_true(part->column + part->columns <= columns);
	assert_true(part->row + part->rows <= rows);
	for (int row = part->row; row < part->row + part->rows; row++) {
		char *cells = owner + row * columns + part->column;

		for (int i = 0; i < part->columns; i++)
			if (cells[i])
				fail_msg("%dx%d: two parts", columns, rows);
		memset(cells, name, (size_t)part->columns);
	}
}

/* Every cell belongs to exactly one part. */
static void check_layout(const struct screen *screen, int columns, int rows)
{
	struct grid grid = { .columns = columns, .rows = rows };
	struct layout layout;
	struct pane parts[VIEW_PARTS + 3];
	struct pane whole = pane_whole(&grid);

	view_layout(&layout, &whole);
	assert_int_equal(layout.small,
		columns < LAYOUT_COLUMNS || rows < LAYOUT_ROWS);
	char *owner = xcalloc((size_t)columns * (size_t)rows, 1);
	int count = layout.small ?
		0 :
		views[screen->view].parts(screen, &layout.body, parts);
	assert_true(count <= VIEW_PARTS);
	parts[count++] = layout.title;
	parts[count++] = layout.status;
	parts[count++] = layout.keys;
	for (int i = 0; i < count; i++)
		mark_part(owner, &parts[i], columns, rows, (char)('a' + i));
	if (!layout.small && memchr(owner, 0, (size_t)(columns * rows)))
		fail_msg("%dx%d: a cell of no part", columns, rows);
	free(owner);
}

static void test_r07_parts_never_overlap(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	for (int view = 0; view < VIEWS; view++)
		for (int place = 0; place < view_places((enum view_name)view);
			place++) {
			screen_view(&screen, (enum view_name)view, place);
			for (int columns = 1; columns <= COLUMNS; columns++)
				for (int rows = 1; rows <= ROWS; rows++)
					check_layout(&screen, columns, rows);
		}
	fixture_close(&lab, &screen);
}

/* At the sizes that the manual shows, every part exists. */
static void test_drawn_sizes(void **state)
{
	struct grid grid = { 0 };
	struct layout frame;
	struct lab_layout layout;

	grid_reset(&grid, 120, 40, TIER_ASCII);
	struct pane whole = pane_whole(&grid);
	view_layout(&frame, &whole);
	lab_layout(&layout, &frame.body, FOCUS_LIST);
	assert_int_equal(layout.list.columns, 27);
	assert_int_equal(layout.form.rows, 9);
	assert_int_equal(layout.form.columns, 57);
	assert_int_equal(layout.plot.rows, 19);
	assert_int_equal(layout.strip.rows, 9);
	assert_int_equal(layout.result.columns, 36);
	assert_int_equal(layout.prediction.rows, 7);
	grid_reset(&grid, 80, 24, TIER_ASCII);
	whole = pane_whole(&grid);
	view_layout(&frame, &whole);
	lab_layout(&layout, &frame.body, FOCUS_LIST);
	assert_int_equal(layout.list.columns, 25);
	assert_int_equal(layout.form.rows, 8);
	assert_int_equal(layout.plot.rows, 13);
	assert_int_equal(layout.result.columns, 0);
	grid_free(&grid);
}

/* Every content of the Lab screen, and the other screens, at every size. */
static void test_r06_every_size(void **state)
{
	static const char *const lines[] = {
		"pick cpu.syscall; focus list",
		"focus form",
		"focus plot; plot log-count; plot log-value",
		"plot cumulative",
		/* A single literal, because clang warns about two adjacent ones
		 * as a missing comma. */
		"plot cumulative; pick mem.latency; focus plot; move -1",
		"plot point",
		"pick cpu.call; focus list",
		"view machine",
		"view net",
		"view compare",
		"view sweep",
		"view lab; guess",
		"keys",
	};
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	draw_every_size(&screen, lines, sizeof lines / sizeof *lines);
	fixture_close(&lab, &screen);
}

/* On a terminal that is too small the screen states this, and how to quit. */
static void test_too_small(void **state)
{
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };
	struct text drawn = { 0 };

	fixture_open(&lab, &screen);
	grid_reset(&grid, 39, 10, TIER_ASCII);
	view_draw(&screen, &grid);
	grid_dump(&grid, &drawn);
	assert_non_null(strstr(drawn.chars, "40 columns and 10 rows"));
	assert_non_null(strstr(drawn.chars, "39 and 10"));
	assert_non_null(strstr(drawn.chars, "q"));
	text_free(&drawn);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

/* A click has the effect of the key or row at its position. */
static void test_clicks(void **state)
{
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	screen_click(&screen, &grid, 6, 6); /* the last row of the list */
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
	assert_int_equal(screen.focus[VIEW_LAB], FOCUS_LIST);
	screen_click(&screen, &grid, 30, 3); /* the second row of the form */
	assert_int_equal(screen.focus[VIEW_LAB], FOCUS_FORM);
	assert_int_equal(screen_form(&screen)->field, 1);
	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	screen_click(&screen, &grid, 30, 12); /* the second point */
	assert_int_equal(screen_form(&screen)->point, 1);
	screen_click(&screen, &grid, 40, 0); /* nothing is there */
	assert_int_equal(screen_form(&screen)->point, 1);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

static uint32_t draw_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* 5 000 keys and resizes from a fixed seed; the screen always responds. Typed
 * lines are not executed, because they would start runs and write files. */
static void test_random_keys(void **state)
{
	static const char *const keys[] = { "Up", "Down", "Left", "Right",
		"Home", "End", "PageUp", "PageDown", "Tab", "S-Tab", "Enter",
		"Esc", "Backspace", "Delete", "Space", "C-u", "C-w", "C-a",
		"C-e", "?", "i", "G", "U", "T", "e", "x", "p", "/", "j", "k",
		"h", "l", "L", "c", "z", "d", "W", "n", "N", "+", "-", ":", "a", "4",
		",", "." };
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };
	uint32_t seed = 7;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	for (int i = 0; i < 5000; i++) {
		const char *key =
			keys[draw_random(&seed) % (sizeof keys / sizeof *keys)];
		uint32_t code = key[1] ? 0 : (uint32_t)key[0];

		if (!strcmp(key, "Enter") &&
			screen.prompt.kind == PROMPT_COMMAND)
			key = "Esc";
		screen_key(&screen, key, code);
		if (draw_random(&seed) % 4)
			continue;
		screen.tier = (enum tier)(draw_random(&seed) % TIERS);
		grid_reset(&grid, 1 + (int)(draw_random(&seed) % 300),
			1 + (int)(draw_random(&seed) % 100), screen.tier);
		view_draw(&screen, &grid);
		screen_click(&screen, &grid, (int)(draw_random(&seed) % 300),
			(int)(draw_random(&seed) % 97));
		if (lab_busy(&lab))
			lab_stop(&lab);
		lab.quit = false;
	}
	for (int i = 0; i < 4; i++)
		screen_key(&screen, "Esc", 0);
	screen_key(&screen, "q", 'q');
	assert_true(lab.quit);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r07_parts_never_overlap),
		cmocka_unit_test(test_drawn_sizes),
		cmocka_unit_test(test_r06_every_size),
		cmocka_unit_test(test_too_small),
		cmocka_unit_test(test_clicks),
		cmocka_unit_test(test_random_keys),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
