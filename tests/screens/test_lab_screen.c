/* The Lab screen: golden grids by view, size and tier; every size drawn;
 * every key pressed. UPDATE_GOLDEN=1 writes the grids anew. */
#include "fixture.h"
#include "keys.h"

static const struct {
	int columns, rows;
} sizes[] = { { 40, 10 }, { 80, 24 }, { 120, 40 }, { 200, 60 } };

static void compare(const char *name, const struct text *drawn)
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

static void golden(struct screen *screen, const char *view)
{
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int tier = 0; tier < TIERS; tier++) {
			struct grid grid = { 0 };
			struct text name = { 0 }, drawn = { 0 };

			grid_reset(&grid, sizes[s].columns, sizes[s].rows,
				(enum tier)tier);
			view_draw(screen, &grid);
			grid_dump(&grid, &drawn);
			text_add(&drawn, "--\n");
			grid_dump_roles(&grid, &drawn);
			text_add(&name, "%s-%dx%d-%s", view, sizes[s].columns,
				sizes[s].rows, tier_name((enum tier)tier));
			compare(name.chars, &drawn);
			text_free(&name);
			text_free(&drawn);
			grid_free(&grid);
		}
}

static void select_experiment(struct screen *screen, const char *name)
{
	for (size_t i = 0; i < screen->item_count; i++) {
		screen->selected = i;
		if (!screen->items[i].group &&
			!strcmp(screen_descriptor(screen)->name, name))
			return;
	}
	fail_msg("no experiment '%s' in the list", name);
}

static void test_first(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	golden(&screen, "first");
	fixture_close(&lab, &screen);
}

static void test_single(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	select_experiment(&screen, "cpu.syscall");
	golden(&screen, "single");
	fixture_close(&lab, &screen);
}

static void test_sweep(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	select_experiment(&screen, "mem.latency");
	screen_execute(&screen, "focus form");
	screen_execute(&screen, "move 1");
	golden(&screen, "sweep");
	fixture_close(&lab, &screen);
}

static void test_prompt(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	screen_key(&screen, ":", ':');
	for (const char *at = "run cpu.sy"; *at; at++)
		screen_key(&screen, "", (uint32_t)*at);
	screen_key(&screen, "Tab", 0);
	assert_string_equal(screen.prompt.line, "run cpu.syscall ");
	golden(&screen, "prompt");
	fixture_close(&lab, &screen);
}

static void test_help(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	screen_key(&screen, "?", '?');
	assert_non_null(screen.page);
	golden(&screen, "help");
	screen_key(&screen, "Esc", 0);
	assert_null(screen.page);
	fixture_close(&lab, &screen);
}

/* The four tiers differ in glyphs, never in places. */
static void test_tiers_agree(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	select_experiment(&screen, "cpu.syscall");
	for (int tier = 1; tier < TIERS; tier++) {
		struct grid a = { 0 }, b = { 0 };

		grid_reset(&a, 120, 40, TIER_BRAILLE);
		grid_reset(&b, 120, 40, (enum tier)tier);
		view_draw(&screen, &a);
		view_draw(&screen, &b);
		for (int i = 0; i < 120 * 40; i++) {
			assert_int_equal(a.cells[i].role, b.cells[i].role);
			assert_int_equal(a.cells[i].code == ' ',
				b.cells[i].code == ' ');
		}
		grid_free(&a);
		grid_free(&b);
	}
	fixture_close(&lab, &screen);
}

static bool in_glyph_diet(uint32_t code)
{
	return (code >= 0x20 && code < 0x7f) ||
		(code >= 0x2500 && code <= 0x259f) ||
		(code >= 0x2800 && code <= 0x28ff) || code == 0x25b4 ||
		code == 0x25be || code == 0x25c2 || code == 0x25b8;
}

/* Any size: nothing crashes, nothing outside the diet is drawn. */
static void test_every_size(void **state)
{
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };

	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	for (size_t item = 0; item < screen.item_count; item++)
		for (int columns = 1; columns <= 200;
			columns += 1 + columns / 40)
			for (int rows = 1; rows <= 60; rows += 1 + rows / 20) {
				screen.selected = item;
				grid_reset(&grid, columns, rows, TIER_BLOCK);
				view_draw(&screen, &grid);
				for (int i = 0; i < columns * rows; i++)
					assert_true(in_glyph_diet(
						grid.cells[i].code));
				assert_true(grid.cursor_column < columns);
				assert_true(grid.cursor_row < rows);
			}
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

/* Every binding of every place is a line that the language understands. */
static void test_bindings(void **state)
{
	struct screen screen;
	struct lab lab;

	(void)state;
	fixture_open(&lab, &screen);
	for (const struct binding *row = bindings; row->key; row++) {
		struct words words;
		struct error error;
		struct reader reader = reader_of(row->line);

		assert_int_equal(words_read(&words, &reader, &error), 0);
		if (command_check(&lab, &words, &error))
			fail_msg("%s: %s", row->line, error.message);
		assert_non_null(row->help);
		words_free(&words);
	}
	fixture_close(&lab, &screen);
}

static uint32_t draw_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* 5 000 keys and resizes from a fixed seed; it always answers. Keys that
 * would start a run, leave or write files are left to other tests. */
static void test_random_keys(void **state)
{
	static const char *const keys[] = { "Up", "Down", "Left", "Right",
		"Home", "End", "PageUp", "PageDown", "Tab", "S-Tab", "Enter",
		"Esc", "Backspace", "Delete", "Space", "C-u", "C-w", "C-a",
		"C-e", "?", "i", "G", "e", "x", "p", "/", "j", "k", "h", "l" };
	struct screen screen;
	struct lab lab;
	struct grid grid = { 0 };
	uint32_t seed = 7;

	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	for (int i = 0; i < 5000; i++) {
		const char *key =
			keys[draw_random(&seed) % (sizeof keys / sizeof *keys)];
		uint32_t code = key[1] ? 0 : (uint32_t)key[0];

		/* Whatever has been typed, it must not be executed here. */
		if (!strcmp(key, "Enter") &&
			screen.prompt.kind == PROMPT_COMMAND)
			key = "Esc";
		screen_key(&screen, key, code);
		if (draw_random(&seed) % 8)
			continue;
		grid_reset(&grid, 1 + (int)(draw_random(&seed) % 300),
			1 + (int)(draw_random(&seed) % 100),
			(enum tier)(draw_random(&seed) % TIERS));
		view_draw(&screen, &grid);
	}
	screen_key(&screen, "Esc", 0);
	screen_key(&screen, "Esc", 0);
	screen_execute(&screen, "quit");
	assert_true(lab.quit);
	grid_free(&grid);
	fixture_close(&lab, &screen);
}

static int open_home(void **state)
{
	static char home[] = "/dev/shm/benchtop-screens-XXXXXX";

	*state = mkdtemp(home);
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	return *state ? 0 : -1;
}

static int close_home(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s", (char *)*state);
	int failed = system(command.chars);
	text_free(&command);
	return failed;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_sweep),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_tiers_agree),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_bindings),
		cmocka_unit_test(test_random_keys),
	};

	return cmocka_run_group_tests(tests, open_home, close_home);
}
