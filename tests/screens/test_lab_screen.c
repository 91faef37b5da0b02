/* The Lab screen: golden grids by view, size and tier. UPDATE_GOLDEN=1 rewrites
 * them. */
#include "golden.h"
#include "keys.h"

static void test_first(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	golden(&screen, "first");
	fixture_close(&lab, &screen);
}

static void test_single(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, "cpu.syscall");
	golden(&screen, "single");
	fixture_close(&lab, &screen);
}

/* Opens the fixture on an experiment, does something, compares. */
static void golden_after(const char *view, const char *name, const char *line)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, name);
	screen_execute(&screen, line);
	golden(&screen, view);
	fixture_close(&lab, &screen);
}

static void test_after_lines(void **state)
{
	static const struct {
		const char *view, *experiment, *line;
	} rows[] = {
		{ "form", "cpu.syscall",
			"edit call=getpid,read; predict cpu.syscall "
			"hw=80..120ns sw=10..30ns; focus form; move 1" },
		{ "sweep", "mem.latency", "focus plot; move -1" },
		{ "point", "mem.latency", "focus plot; plot point" },
		{ "log", "cpu.syscall",
			"focus plot; plot log-count; plot log-value; "
			"plot coarser" },
		{ "cumulative", "cpu.syscall", "focus plot; plot cumulative" },
		{ "details", "cpu.syscall", "details" },
		{ "about", "cpu.syscall", "about" },
		{ "words", "cpu.syscall", "words" },
		{ "marks", "cpu.call", "mark; pick mem; fold" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		golden_after(rows[i].view, rows[i].experiment, rows[i].line);
}

/* Tab on the `:` line, and a field with an invalid value. */
static void test_offered(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_type(&screen, ":run cpu.");
	screen_key(&screen, "Tab", 0);
	assert_int_equal(screen.prompt.offered.count, 2);
	golden(&screen, "offered");
	fixture_close(&lab, &screen);
}

static void test_doubt(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_select(&screen, "cpu.syscall");
	screen_execute(&screen, "focus form; move 1; edit");
	golden(&screen, "filled");
	fixture_type(&screen, "4Kx");
	golden(&screen, "doubt");
	fixture_close(&lab, &screen);
}

static void test_prompt(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_type(&screen, ":run cpu.sy");
	screen_key(&screen, "Tab", 0);
	assert_string_equal(screen.prompt.line, "run cpu.syscall ");
	golden(&screen, "prompt");
	fixture_close(&lab, &screen);
}

static void test_help(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	screen_key(&screen, "?", '?');
	assert_non_null(screen.page.text);
	golden(&screen, "help");
	screen_key(&screen, "Esc", 0);
	assert_null(screen.page.text);
	fixture_close(&lab, &screen);
}

/* The four tiers differ in glyphs, never in positions. */
static void test_r10_tiers_agree(void **state)
{
	struct screen screen;
	struct lab lab;

	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	fixture_select(&screen, "cpu.syscall");
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

/* Every binding of every place is a valid line of the language. */
static void test_bindings(void **state)
{
	struct screen screen;
	struct lab lab;

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_after_lines),
		cmocka_unit_test(test_offered),
		cmocka_unit_test(test_doubt),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_r10_tiers_agree),
		cmocka_unit_test(test_bindings),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
