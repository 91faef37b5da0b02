/* The status line: about what is selected, and never out of date. */
#include "seated.h"
#include "status_text.h"

static int open_lab(void **state)
{
	int failed = open_measured(state);

	screen_execute(&screen, "pick cpu.syscall");
	return failed;
}

/* The status is about the selected experiment, or names another one. */
static void test_status_goes_with_the_selection(void **state)
{
	screen_say_outcome(&screen, lab.session->runs[0]);
	assert_true(drawn_has(80, 24, "\n cpu.syscall 90.90 ns"));
	screen_execute(&screen, "pick mem.latency");
	assert_string_equal(said(), "");
	assert_false(drawn_has(80, 24, "\n cpu.syscall"));
	assert_true(drawn_has(80, 24, "\n mem.latency done: "));
	screen_execute(&screen, "pick cpu.call");
	assert_true(drawn_has(80, 24, "\n cpu.call: not measured yet; r measures it"));
	screen_execute(&screen, "pick cpu");
	assert_true(drawn_has(80, 24, "\n cpu: 1 of 2 experiments measured; r m"));
	/* A refusal remains until another experiment is selected. */
	screen_execute(&screen, "nonsense");
	assert_true(drawn_has(80, 24, "\n ! "));
	screen_execute(&screen, "pick cpu.syscall");
	assert_true(drawn_has(80, 24, "\n cpu.syscall 90.90 ns"));
	/* A message from the same line as the selection is about the new
	 * experiment. */
	screen_execute(&screen, "pick cpu.call; nonsense");
	assert_true(drawn_has(80, 24, "\n ! "));
}

static void test_an_export_is_said(void **state)
{
	struct text line = { 0 };

	text_add(&line, "export --trials csv %s/all.csv --force",
		getenv("HOME"));
	screen_execute(&screen, line.chars);
	assert_non_null(strstr(said(), "exported to "));
	assert_non_null(strstr(said(), "/all.csv"));
	text_free(&line);
}

/* A figure that cannot be trusted is marked. */
static void test_status_says_doubt(void **state)
{
	struct results *results = lab.session->runs[0];
	struct text text = { 0 };

	results->points[0].visit_count = 3;
	results->version++;
	status_of_run(results, &text);
	assert_non_null(strstr(text.chars, " ns (not enough data), inside"));
	text_free(&text);
}

/* A refusal disappears after another key has had an effect. */
static void test_a_refusal_ends(void **state)
{
	screen_execute(&screen, "view sweep");
	press("v");
	assert_true(drawn_has(80, 24, "\n ! "));
	press("v");
	assert_true(drawn_has(80, 24, "\n ! "));
	press("L");
	assert_string_equal(said(), "");
	assert_false(drawn_has(80, 24, "\n ! "));
}

/* An autosaved session is not called unsaved. */
static void test_title_says_what_is_saved(void **state)
{
	assert_true(drawn_has(120, 40, "session not saved yet, 2 runs"));
	lab.autosave_named = true;
	assert_true(drawn_has(120, 40, "session autosaved, 2 runs"));
	lab.autosave_why = xstrdup("the disk is full");
	assert_true(drawn_has(120, 40, "session not saved yet, 2 runs"));
}

/* `set` changes every form, and the message states this. */
static void test_set_is_said_and_shown(void **state)
{
	screen_execute(&screen, "set launches=6 cpu=1");
	assert_string_equal(said(),
		"set for all experiments: launches=6 cpu=1");
	for (size_t i = 0; i < lab.registry.count; i++) {
		const struct param_set *common = &screen.forms[i].common;

		assert_string_equal(common->values[0].typed, "1");
		assert_string_equal(common->values[1].typed, "6");
	}
	assert_true(drawn_has(80, 24, "launches  6 "));
	screen_execute(&screen, "set launches=5000");
	assert_true(drawn_has(80, 24, "launches  6 "));
}

/* Rows have the names A and B of the verdict, and none is marked as changed. */
static void test_ab_is_labelled(void **state)
{
	static const char *const calls[] = { "getppid", "read" };
	struct results *results = fixture_results(&fixture_syscall, calls, 2);

	results->plan.abba = true;
	session_add_run(lab.session, results);
	for (int wide = 0; wide < 2; wide++) {
		int columns = wide ? 120 : 80, rows = wide ? 40 : 24;

		assert_true(drawn_has(columns, rows, "A call=getppid "));
		assert_true(drawn_has(columns, rows, "B call=read "));
		assert_true(drawn_has(columns, rows, "call, A and B in turns"));
		assert_false(drawn_has(columns, rows, "changed"));
		/* The verdict is below the points, and in the status line. */
		assert_true(drawn_has(columns, rows, " B is "));
		assert_true(drawn_has(columns, rows, "\n cpu.syscall: B is "));
	}
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_status_goes_with_the_selection),
		IN_LAB(test_an_export_is_said),
		IN_LAB(test_status_says_doubt),
		IN_LAB(test_a_refusal_ends),
		IN_LAB(test_title_says_what_is_saved),
		IN_LAB(test_set_is_said_and_shown),
		IN_LAB(test_ab_is_labelled),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
