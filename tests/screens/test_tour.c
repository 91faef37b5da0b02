/* The tour: every step follows from the state of the screen. */
#include "golden.h"
#include "run_internal.h"
#include "script.h"
#include "tour.h"
#include "seated.h"

static struct experiment fixture_switch;

static int open_tour(void **state)
{
	static const struct experiment *const list[] = { &fixture_syscall,
		&fixture_switch, &fixture_latency, NULL };

	fixture_switch = fixture_syscall;
	fixture_switch.name = "cpu.switch";
	fixture_open_list(&lab, &screen, list);
	screen_execute(&screen, "tour");
	screen_take_ended(&screen);
	return 0;
}

static size_t step(void)
{
	screen_take_ended(&screen);
	return screen.tour.step;
}

static void press_all(const char *keys)
{
	char copy[64], *rest = copy;

	snprintf(copy, sizeof copy, "%s", keys);
	for (char *key; (key = strtok_r(rest, " ", &rest));)
		press(key);
}

/* A run of the experiment has ended. */
static void end_run(const struct experiment *experiment)
{
	static const char *const one[] = { "getppid" };

	session_add_run(lab.session, fixture_results(experiment, one, 1));
	lab.has_ended = lab.ended_run = true;
}

static void press_range(const char *range)
{
	press("p");
	fixture_type(&screen, range);
	press("Enter");
}

/* ---- from the first step to the last ---------------------------------- */

static void test_walk(void **state)
{
	struct run run = { .results = NULL };

	assert_int_equal(step(), 1);
	press("Enter");
	assert_int_equal(step(), 2);
	press_range("50..500ns");
	assert_int_equal(step(), 3);
	end_run(&fixture_syscall);
	assert_int_equal(step(), 4);
	press("d");
	assert_int_equal(step(), 5);
	press("Esc");
	assert_int_equal(step(), 6);
	run.results = results_new("mem.latency");
	fixture_going(&lab, &run);
	assert_int_equal(step(), 7);
	press("2");
	assert_int_equal(step(), 8);
	fixture_going(&lab, NULL);
	results_free(run.results);
	end_run(&fixture_latency);
	assert_int_equal(step(), 9);
	press_all("Left Right 1");
	assert_int_equal(step(), 10);
	press("/");
	fixture_type(&screen, "switch");
	press("Enter");
	assert_int_equal(step(), 11);
	press_range("1..3us");
	assert_int_equal(step(), 11);
	end_run(&fixture_switch);
	assert_int_equal(step(), 12);
	press("E");
	assert_int_equal(step(), 13);
	press_all("Esc 5");
	assert_int_equal(step(), 14);
	assert_int_equal(tour_length(), 14);
	press(">");
	assert_int_equal(step(), 0);
	assert_non_null(strstr(said(), "The tour has ended"));
}

/* A step that another order of keys makes unnecessary is left as well. */
static void test_other_order(void **state)
{
	press("2");
	assert_int_equal(step(), 1);
	end_run(&fixture_latency);
	assert_int_equal(step(), 1);
	press_all("1 e");
	assert_int_equal(step(), 2);
	/* Without a prediction. */
	end_run(&fixture_syscall);
	assert_int_equal(step(), 4);
	press_all("d");
	assert_int_equal(step(), 5);
	/* The sweep is already measured. */
	press_all("Esc 2");
	assert_int_equal(step(), 9);
}

/* Runs from before the tour do not count, nor do those of a loaded file. */
static void test_earlier_runs(void **state)
{
	press("H");
	end_run(&fixture_syscall);
	assert_int_equal(step(), 0);
	press_all("> e");
	assert_int_equal(step(), 2);
	struct session *own = lab.session;
	lab.session = session_new();
	end_run(&fixture_syscall);
	assert_int_equal(step(), 2);
	assert_int_equal(screen.tour.runs, 1);
	end_run(&fixture_syscall);
	assert_int_equal(step(), 4);
	session_free(own);
}

/* After a run without a result the step stays, and can be skipped. */
static void test_failed_run(void **state)
{
	press("e");
	press_range("50..500ns");
	lab.ended.error.status = STATUS_PERMISSION;
	snprintf(lab.ended.error.message, sizeof lab.ended.error.message,
		"no memory for it");
	lab.has_ended = true;
	assert_int_equal(step(), 3);
	assert_string_equal(said(), "no memory for it");
	press(">");
	assert_int_equal(step(), 4);
}

/* ---- its keys ----------------------------------------------------------- */

static void test_skip_all(void **state)
{
	size_t presses = 0, before;

	while ((before = step())) {
		press(">");
		assert_true(step() > before || before == tour_length());
		presses++;
	}
	/* No page to leave, no run to wait for, and the Lab is shown. */
	assert_int_equal(presses, tour_length() - 3);
}

static void test_end(void **state)
{
	press("H");
	assert_int_equal(step(), 0);
	assert_false(drawn_has(80, 24, "/14"));
	press("H");
	assert_int_equal(screen.message_role, ROLE_BAD);
	assert_non_null(strstr(said(), "`tour` starts it"));
	screen_execute(&screen, "tour");
	assert_int_equal(step(), 1);
}

/* The keys act on a page and in a menu without closing them, but a typed line
 * has them as characters. Esc leaves the tour as it is. */
static void test_keys_elsewhere(void **state)
{
	press("?");
	press(">");
	assert_int_equal(step(), 2);
	assert_non_null(screen.page.text);
	press_all("Esc Esc Esc");
	assert_int_equal(step(), 2);
	press(":");
	fixture_type(&screen, ">H");
	assert_int_equal(step(), 2);
	assert_string_equal(screen.prompt.line, ">H");
	press_all("Esc Esc");
	screen_execute(&screen, "menu notes");
	press("H");
	assert_int_equal(step(), 0);
	assert_int_equal(screen.menu.kind, MENU_NOTES);
}

static void test_clicks(void **state)
{
	struct grid grid = { 0 };

	grid_reset(&grid, 80, 24, TIER_ASCII);
	view_draw(&screen, &grid);
	assert_string_equal(grid_spot(&grid, 20, 21),
		"pick cpu.syscall; focus form");
	assert_string_equal(grid_spot(&grid, 56, 21), "tour next");
	assert_string_equal(grid_spot(&grid, 70, 21), "tour off");
	screen_click(&screen, &grid, 20, 21);
	assert_int_equal(step(), 2);
	grid_free(&grid);
}

/* ---- drawing ------------------------------------------------------------ */

static int rows_at(const char *text, int columns)
{
	size_t length;
	int rows = 0;

	while (text_line(&text, columns, &length))
		rows++;
	return rows;
}

extern const struct experiment probe_cpu_syscall, probe_cpu_switch,
	probe_mem_latency;

/* The real experiments accept the line of each step. */
static void test_lines(void **state)
{
	static const struct experiment *const list[] = { &probe_cpu_syscall,
		&probe_cpu_switch, &probe_mem_latency, NULL };

	close_lab(state);
	fixture_open_list(&lab, &screen, list);
	for (const struct tour_step *row = tour_steps; row->text; row++) {
		struct script script = { 0 };
		struct error error;
		const char *line = row->line ? row->line : "";

		if (script_parse(&lab, "", line, strlen(line), &script, &error))
			fail_msg("%s: %s", line, error.message);
		script_free(&script);
	}
}

/* No step is cut at 40 and at 80 columns. */
static void test_texts_fit(void **state)
{
	for (const struct tour_step *row = tour_steps; row->text; row++) {
		if (rows_at(row->text, 71) > 2)
			fail_msg("too long: %s", row->text);
		if (text_columns(row->press) > 33)
			fail_msg("too long: %s", row->press);
	}
}

static bool begins_alike(const char *a, const char *b, int rows)
{
	for (; rows; rows--) {
		size_t length = strcspn(a, "\n") + 1;

		if (strncmp(a, b, length) != 0)
			return false;
		a += length;
		b += length;
	}
	return true;
}

/* The strip covers nothing: the rest is drawn as in a lower window. */
static void test_r07_hides_nothing(void **state)
{
	static const struct {
		int columns, rows, strip;
	} sizes[] = { { 80, 24, 3 }, { 120, 40, 3 }, { 300, 100, 3 },
		{ 40, 24, 6 }, { 80, 16, 1 } };
	struct tour tour = screen.tour;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		int columns = sizes[i].columns, rows = sizes[i].rows;

		screen.tour = tour;
		char *with = xstrdup(drawn_at(columns, rows));
		assert_non_null(strstr(with, "1/14"));
		assert_non_null(strstr(with, "select syscall, then press"));
		if (columns > 40)
			assert_non_null(strstr(with,
				"> skips  H ends the tour\n"));
		screen.tour.step = 0;
		rows -= sizes[i].strip;
		if (!begins_alike(with, drawn_at(columns, rows), rows - 2))
			fail_msg("%d x %d:\n%s", columns, rows, with);
		free(with);
	}
}

/* In the lowest window the strip is one row, and a window that is too small has
 * none. */
static void test_low(void **state)
{
	const char *drawn = drawn_at(40, 10);

	assert_non_null(strstr(drawn, "\n 1/14 select syscall, then press "
		"Enter\n"));
	assert_null(strstr(drawn, "Each experiment"));
	assert_false(drawn_has(40, 9, "1/14"));
}

static void test_r06_every_size(void **state)
{
	for (screen.tour.step = 1; screen.tour.step <= tour_length();
		screen.tour.step++)
		for (int columns = 1; columns < 130; columns += 3)
			for (int rows = 1; rows < 42; rows++)
				drawn_at(columns, rows);
}

static void test_golden(void **state)
{
	close_lab(state);
	fixture_open(&lab, &screen);
	screen_execute(&screen, "tour next");
	screen.tour.step = 2;
	text_clear(&screen.message);
	golden(&screen, "tour-predict");
	fixture_measure(&lab);
	screen_execute(&screen, "pick cpu.syscall; details");
	screen.tour.step = 5;
	golden(&screen, "tour-read");
}

/* ---- the offer ---------------------------------------------------------- */

static void start_again(void)
{
	const struct ui_options none = { 0 };

	fixture_close(&lab, &screen);
	fixture_open(&lab, &screen);
	screen_recall(&screen, &none);
}

static const char offer[] = "New here? > starts a tour of five minutes.";

static void test_offer(void **state)
{
	start_again();
	assert_true(drawn_has(80, 24, offer));
	golden(&screen, "tour-offer");
	assert_false(drawn_has(80, 16, offer));
	press("2");
	assert_false(drawn_has(80, 24, offer));
	press_all("1 H");
	assert_false(drawn_has(80, 24, offer));
	start_again();
	press(">");
	assert_int_equal(step(), 1);
	assert_false(drawn_has(80, 24, offer));
	press("H");
	assert_false(drawn_has(80, 24, offer));
}

/* No offer to a user who has typed a line, chosen a setting, or measured. */
static void test_no_offer(void **state)
{
	static const char *const files[] = { ".local/state/benchtop/history",
		".config/benchtop/screen",
		".local/state/benchtop/sessions/2026-11-20T10:00:00.json" };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct text line = { 0 };

		text_add(&line, "f=$HOME/%s; mkdir -p ${f%%/*}; echo '#' >$f",
			files[i]);
		assert_int_equal(system(line.chars), 0);
		start_again();
		if (drawn_has(80, 24, offer))
			fail_msg("offered despite %s", files[i]);
		text_clear(&line);
		text_add(&line, "rm $HOME/%s", files[i]);
		assert_int_equal(system(line.chars), 0);
		start_again();
		assert_true(drawn_has(80, 24, offer));
		text_free(&line);
	}
}

static void test_option(void **state)
{
	const struct ui_options tour = { .tour = true };

	press("H");
	screen_recall(&screen, &tour);
	assert_int_equal(step(), 1);
}

#define IN_TOUR(test) cmocka_unit_test_setup_teardown(test, open_tour, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TOUR(test_walk),
		IN_TOUR(test_other_order),
		IN_TOUR(test_earlier_runs),
		IN_TOUR(test_failed_run),
		IN_TOUR(test_skip_all),
		IN_TOUR(test_end),
		IN_TOUR(test_keys_elsewhere),
		IN_TOUR(test_clicks),
		IN_TOUR(test_lines),
		IN_TOUR(test_texts_fit),
		IN_TOUR(test_r07_hides_nothing),
		IN_TOUR(test_low),
		IN_TOUR(test_r06_every_size),
		IN_TOUR(test_golden),
		IN_TOUR(test_offer),
		IN_TOUR(test_no_offer),
		IN_TOUR(test_option),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
