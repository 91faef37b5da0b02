/* The form uses the limits of its machine. */
#include <unistd.h>

#include "seated.h"
#include "view_lab.h"

static void test_processors(void **state)
{
	static const struct hinted cases[] = {
		{ "0", "Enter applies it", false },
		{ "7", "Enter applies it", false },
		{ "auto", "Enter applies it", false },
		{ "8", "outside 0..7", true },
		{ "1023", "outside 0..7", true },
	};

	screen_execute(&screen, "pick cpu.syscall; focus form; field 4");
	assert_non_null(strstr(drawn_at(120, 40), "or 0 .. 7 "));
	assert_hints(cases, sizeof cases / sizeof *cases);
}

/* The arrow keys offer the existing processors. */
static void test_arrows(void **state)
{
	const struct param_values *cpu;

	screen_execute(&screen, "pick cpu.syscall; focus form; field 4");
	cpu = &screen_form(&screen)->common.values[0];
	press("Left");
	assert_string_equal(cpu->typed, "7");
	press("Right");
	assert_string_equal(cpu->typed, "7");
	for (int i = 0; i < 9; i++)
		press("Left");
	assert_string_equal(cpu->typed, "0");
	press("Backspace");
	assert_string_equal(cpu->typed, "auto");
}

/* A typed line sets the form's values: the form shows what is measured, and r
 * repeats it. */
static void test_takes_lines(void **state)
{
	const struct form *form;

	screen_execute(&screen, "pick cpu.syscall; focus form; edit size=8K");
	screen_execute(&screen,
		"run cpu.syscall 'call=getpid,read' launches=6");
	form = screen_form(&screen);
	assert_string_equal(form->args.values[0].typed, "getpid,read");
	assert_string_equal(form->args.values[1].typed, "4K");
	assert_string_equal(form->common.values[1].typed, "6");
	/* The form equals the settings of the run, so nothing is marked as
	 * changed. */
	static const char *const calls[] = { "getpid", "read" };
	struct results *results = fixture_results(&fixture_syscall, calls, 2);
	assert_false(view_form_differs(&screen, results));
	results_free(results);
	lab_stop(&lab);
	/* The same for the experiment's short name. */
	screen_execute(&screen, "run sysc call=read");
	assert_string_equal(form->args.values[0].typed, "read");
	lab_stop(&lab);
}

/* After opening a session the form shows its settings, unless the user has
 * changed the form. */
static void test_takes_sessions(void **state)
{
	struct results *results = lab.session->runs[0];

	screen_execute(&screen, "pick cpu.syscall");
	results->asked = xstrdup("run cpu.syscall call=read size=16K cpu=999");
	assert_int_equal(chdir(getenv("HOME")), 0);
	screen_execute(&screen, "save taken.json; pick cpu.syscall");
	assert_string_equal(screen_form(&screen)->args.values[1].typed, "4K");
	screen_execute(&screen, "load taken.json");
	if (*said() && !strstr(said(), "2 runs"))
		fail_msg("%s", said());
	assert_string_equal(screen_form(&screen)->args.values[0].typed,
		"read");
	assert_string_equal(screen_form(&screen)->args.values[1].typed, "16K");
	screen_execute(&screen, "edit size=8K; load taken.json");
	assert_string_equal(screen_form(&screen)->args.values[1].typed, "8K");
}

/* A run of a group, or a refused line, leaves the form unchanged. */
static void test_keeps_forms(void **state)
{
	const struct form *form;

	screen_execute(&screen, "pick cpu.syscall; edit size=8K call=read");
	form = screen_form(&screen);
	screen_execute(&screen, "run cpu.syscall call=none");
	assert_string_equal(form->args.values[1].typed, "8K");
	screen_execute(&screen, "run cpu launches=6");
	assert_string_equal(form->args.values[1].typed, "8K");
	lab_stop(&lab);
}

/* The purpose of a prediction is shown beside its field, also at 80 columns,
 * and in the message after it was typed. */
static void test_expectation(void **state)
{
	screen_execute(&screen, "pick cpu.call");
	press("p");
	fixture_type(&screen, "80..150");
	press("Enter");
	assert_string_equal(said(),
		"you expect 80..150 ns; locked when a run begins");
	assert_non_null(strstr(drawn_at(80, 24), "locked at the next run"));
	screen_execute(&screen, "predict cpu.syscall hw=1..2ns");
	assert_non_null(strstr(said(), "made after a result"));
	screen_execute(&screen, "pick cpu.syscall");
	assert_non_null(strstr(drawn_at(80, 24), "made after a result"));
}

/* The number of marked experiments is shown, and at 80 columns also the key
 * that runs them. */
static void test_marks_are_said(void **state)
{
	screen_execute(&screen, "pick cpu.call");
	assert_null(strstr(drawn_at(80, 24), "R run marked"));
	press("Space");
	press("Space");
	assert_string_equal(said(), "2 marked: R runs them in turn");
	assert_non_null(strstr(drawn_at(80, 24), "R run marked"));
	screen_execute(&screen, "pick cpu; mark");
	assert_string_equal(said(), "no experiment is marked");
}

/* A logarithmic axis that would show a single block is refused with a
 * sentence. */
static void test_narrow_values(void **state)
{
	screen_execute(&screen, "pick cpu.syscall");
	drawn_at(120, 40);
	press("L");
	assert_non_null(strstr(said(), "a logarithmic axis would not show"));
	assert_true(screen.plot.scale != HISTOGRAM_LOG);
}

/* A value keeps its distance from a long name, and the other values remain
 * aligned. */
static void test_long_names(void **state)
{
	static struct param rows[3];

	screen_execute(&screen, "pick cpu.syscall");
	memcpy(rows, screen_form(&screen)->args.rows, sizeof rows);
	assert_non_null(strstr(drawn_at(120, 40), " size      4K  "));
	rows[0].name = "congestion";
	screen_form(&screen)->args.rows = rows;
	assert_non_null(strstr(drawn_at(120, 40), " congestion getppid "));
	assert_non_null(strstr(drawn_at(120, 40), " size      4K  "));
	rows[0].name = "receive-buffer";
	assert_non_null(strstr(drawn_at(80, 24), " receive-buffer getppid "));
}

/* Opening a session selects an experiment with results. */
static void test_opened_shows(void **state)
{
	assert_int_equal(chdir(getenv("HOME")), 0);
	screen_execute(&screen, "save opened.json; pick cpu.call");
	screen_execute(&screen, "load opened.json");
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
	/* A selected experiment with results remains selected. */
	screen_execute(&screen, "pick cpu.syscall; load opened.json");
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.syscall");
}

/* A click on a slider, at any position, sets the value. */
static void test_form_by_mouse(void **state)
{
	struct grid grid = { 0 };
	int begin = 0;
	const struct param_values *size;

	screen_execute(&screen, "pick cpu.syscall");
	size = &screen_form(&screen)->args.values[1];
	grid_reset(&grid, 120, 40, TIER_ASCII);
	view_draw(&screen, &grid);
	/* The second row of the form is the third row of the grid. */
	while (!grid_spot(&grid, begin, 3) ||
		!strstr(grid_spot(&grid, begin, 3), "slide"))
		begin++;
	int end = begin;
	while (grid_spot(&grid, end + 1, 3) &&
		strstr(grid_spot(&grid, end + 1, 3), "slide"))
		end++;
	screen_click(&screen, &grid, begin, 3);
	assert_string_equal(size->typed, "1");
	assert_int_equal(screen.focus[VIEW_LAB], FOCUS_FORM);
	screen_click(&screen, &grid, end, 3);
	assert_string_equal(size->typed, "1M");
	screen_click(&screen, &grid, (begin + end) / 2, 3);
	assert_string_equal(size->typed, "1K");
	/* A click on a choice selects it. */
	for (int i = 0; i < grid.columns; i++) {
		const char *spot = grid_spot(&grid, i, 2);

		if (spot && strstr(spot, "call=getpid"))
			begin = i;
	}
	screen_click(&screen, &grid, begin, 2);
	assert_string_equal(screen_form(&screen)->args.values[0].typed,
		"getpid");
	/* If a field has no slider, the message states this. */
	screen_execute(&screen, "field 1; slide 500");
	assert_non_null(strstr(said(), "no slider"));
	screen_execute(&screen, "field 2; slide 2000");
	assert_non_null(strstr(said(), "0 .. 1000"));
	grid_free(&grid);
}

static int open_form(void **state)
{
	int failed = open_measured(state);

	fixture_processors(&lab);
	return failed;
}

#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_form, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_LAB(test_processors),
		IN_LAB(test_arrows),
		IN_LAB(test_takes_lines),
		IN_LAB(test_takes_sessions),
		IN_LAB(test_keeps_forms),
		IN_LAB(test_expectation),
		IN_LAB(test_marks_are_said),
		IN_LAB(test_narrow_values),
		IN_LAB(test_long_names),
		IN_LAB(test_opened_shows),
		IN_LAB(test_form_by_mouse),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
