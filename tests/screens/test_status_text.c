/* Texts beside the figures of the Lab screen: each is shown together with what
 * it refers to, and no request is ignored silently. */
#include "digest.h"
#include "doctor_run.h"
#include "draw_rows.h"
#include "file.h"
#include "hint.h"
#include "seated.h"
#include "view_lab.h"

static int open_lab(void **state)
{
	int failed = open_measured(state);

	screen_execute(&screen, "pick cpu.syscall");
	return failed;
}

/* ---- figures and their parameters -------------------------------------- */

static void test_figures_name_their_parameters(void **state)
{
	assert_true(drawn_has(120, 40, "call=getppid size=4K"));
	assert_false(drawn_has(120, 40, "form changed"));
	screen_execute(&screen, "edit call=getpid");
	assert_true(drawn_has(120, 40, "time per call, call=getppid"));
	assert_true(drawn_has(120, 40, "form changed: r"));
	assert_true(drawn_has(80, 24, "time per call, call=getppid"));
	assert_true(drawn_has(80, 24, "form changed: r"));
	assert_true(drawn_has(200, 60, "form changed, r measures it"));
	/* A run with another number of points, then a repeated run. */
	screen_execute(&screen, "edit call=getppid,read");
	assert_true(drawn_has(80, 24, "form changed"));
	screen_execute(&screen, "edit call=getppid");
	assert_false(drawn_has(80, 24, "form changed"));
	screen_execute(&screen, "pick mem.latency");
	screen_execute(&screen, "edit call=getppid,getpid,read");
	assert_false(drawn_has(120, 40, "form changed"));
	screen_execute(&screen, "edit call=getppid,read,getpid");
	assert_true(drawn_has(120, 40, "form changed"));
}

/* ---- 80 columns --------------------------------------------------------- */

/* A sentence that a row truncates is shown completely at the bottom, until the
 * next key. */
static void test_r07_no_sentence_is_cut_at_80x24(void **state)
{
	static const char end[] = "and this is the end of it.";

	screen_say(&screen, ROLE_BAD,
		"This is a sentence about something that has gone wrong, far "
		"too long for a row, %s",
		end);
	assert_true(drawn_has(80, 24, end));
	press("Up");
	assert_false(drawn_has(80, 24, end));
	/* Complete sentences about invalid values, and complete help of
	 * verbs. */
	screen_execute(&screen, "pick cpu.syscall; focus form; field 1; edit");
	press("C-u");
	fixture_type(&screen, "getppi,getpid,read,write,close,nothing");
	struct text hint = { 0 };
	hint_of_prompt(&screen, &hint);
	assert_true(text_columns(hint.chars) > 76);
	assert_true(drawn_has(80, 24, hint.chars + hint.length - 20));
	text_free(&hint);
}

/* A run that ended without a figure counts as not measured, for any reason of
 * its end. */
static void test_unmeasured_is_not_good(void **state)
{
	const struct results *last = session_last(lab.session, "cpu.syscall");

	assert_true(drawn_has(80, 24, "syscall      good "));
	assert_false(drawn_has(80, 24, "none"));
	for (size_t i = 0; i < last->point_count; i++) {
		last->points[i].state = POINT_UNAVAILABLE;
		last->points[i].visit_count = 0;
	}
	assert_false(drawn_has(80, 24, "syscall      good "));
	assert_true(drawn_has(80, 24, "syscall      none "));
	assert_true(drawn_has(80, 24, "none   not measured"));
}

/* Empty statements give no message, and no error sign. */
static void test_r07_no_sign_without_a_sentence(void **state)
{
	static const char *const lines[] = { ";;;", " " };

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		screen_execute(&screen, "nonsense");
		assert_true(drawn_has(80, 24, "\n ! "));
		press(":");
		fixture_type(&screen, lines[i]);
		press("Enter");
		assert_string_equal(said(), "");
		assert_false(drawn_has(80, 24, "\n !"));
	}
}

/* The error of a prediction is always shown completely; the duration only if
 * there is room. */
static void test_r07_a_missed_prediction_is_said_at_80x24(void **state)
{
	static const struct {
		struct range total;
		const char *end;
		bool all;
	} rows[] = { { { 2e5, 4e5 }, " your min, 200.0 us\n", false },
		{ { 200, 400 }, " your min, 200.0 ns\n", false },
		{ { .01, .02 }, " your max, 0.02000 ns; ", true } };
	struct results one = *session_last(lab.session, "cpu.syscall");

	one.point_count = 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		one.prediction = (struct prediction){ .by = BY_USER,
			.set = true,
			.total = rows[i].total };
		screen_say_outcome(&screen, &one);
		assert_non_null(strstr(said(), " launches, "));
		assert_true(drawn_has(80, 24, rows[i].end));
		assert_int_equal(drawn_has(80, 24, said()), rows[i].all);
		assert_true(drawn_has(120, 40, said()));
	}
}

/* For a sweep: the number of points at which the prediction held. */
static void test_a_sweep_says_where_the_prediction_held(void **state)
{
	struct results *sweep = session_last(lab.session, "mem.latency");

	assert_true(sweep->point_count > 1);
	sweep->prediction.total = (struct range){ .01, .02 };
	screen_say_outcome(&screen, sweep);
	assert_non_null(strstr(said(), ", 0 of 3 points inside your 0.01"));
	sweep->prediction.by = BY_MODEL;
	screen_say_outcome(&screen, sweep);
	assert_null(strstr(said(), " points inside "));
}

static void test_r07_warnings_are_short_at_80x24(void **state)
{
	struct digest digests[] = {
		{ .quality = QUALITY_NOT_ENOUGH, .summary.launches = 3 },
		{ .below_resolution = true, .resolution = 123 },
		{ .quality = QUALITY_SHARED_CORE, .shared = .987 },
		{ .quality = QUALITY_ROUGH, .unsteady = true },
		{ .quality = QUALITY_GOOD },
	};
	static char why[] = "a reason that is far too long to be said beside a "
			    "histogram at eighty columns";
	struct point points[] = { { .state = POINT_OK },
		{ .state = POINT_INVALID, .why = why },
		{ .state = POINT_OK, .why = why } };
	struct results results = { .points = points, .error = why };
	struct figures figures = { .results = &results };

	for (size_t i = 0; i < sizeof digests / sizeof *digests; i++)
		for (size_t j = 0; j < sizeof points / sizeof *points; j++) {
			struct text text = { 0 };

			figures.point = j;
			figures.digest = digests[i];
			view_trust(&figures, 49, &text);
			assert_true(text_columns(text_chars(&text)) <= 49);
			assert_int_equal(text.length == 0, i == 4 && !j);
			text_free(&text);
		}
	struct text text = { 0 };
	results.state = RUN_FAILED;
	view_trust(&figures, 49, &text);
	assert_string_equal(text.chars, "the run failed: see d");
	text_clear(&text);
	view_trust(&figures, 999, &text);
	assert_non_null(strstr(text.chars, why));
	text_free(&text);
}

static void test_r07_choices_are_all_said(void **state)
{
	screen_execute(&screen, "focus form; field 2; move -1");
	assert_non_null(strstr(said(), "getppid getpid read"));
}

/* Text that was wrapped at 80 columns is wrapped again only once, for the
 * page. */
static void test_pages_are_broken_once(void **state)
{
	screen_execute(&screen, "about");
	assert_non_null(strstr(screen.page.text,
		"10 to 30 launches until precise, more if the core is"));
	assert_non_null(strstr(screen.page.text, "\n  takes about"));
	screen_execute(&screen, "details");
	assert_null(strstr(screen.page.text, "|@"));
	assert_null(strstr(screen.page.text, "|!"));
}

/* ---- messages ----------------------------------------------------------- */

static void test_notes_and_records_are_said(void **state)
{
	struct text line = { 0 };

	screen_execute(&screen, "note it rained");
	assert_string_equal(said(), "noted in the session: it rained");
	text_add(&line, "record %s/said.lab", getenv("HOME"));
	screen_execute(&screen, line.chars);
	assert_non_null(strstr(said(), "recording executed lines in "));
	assert_non_null(strstr(said(), "/said.lab"));
	assert_true(drawn_has(80, 24, "  recording"));
	screen_execute(&screen, "record off");
	assert_non_null(strstr(said(), "the record is closed"));
	assert_false(drawn_has(80, 24, "recording"));
	text_free(&line);
}

/* A request for help records nothing, and the message does not claim it. */
static void test_help_is_no_statement(void **state)
{
	screen_execute(&screen, "record --help");
	assert_non_null(screen.page.text);
	assert_null(strstr(text_chars(&screen.message), "record"));
	assert_null(lab.record);
}

static void test_load_names_file_and_what_was_there(void **state)
{
	struct text line = { 0 };

	text_add(&line, "save %s/said.json", getenv("HOME"));
	screen_execute(&screen, line.chars);
	memcpy(line.chars, "load", 4);
	screen_execute(&screen, line.chars);
	assert_non_null(strstr(said(), "/said.json: 2 runs"));
	assert_null(strstr(said(), "not saved"));
	screen_execute(&screen, "note unsaved");
	screen_execute(&screen, line.chars);
	assert_non_null(strstr(said(), "2 runs not saved by name, kept in '"));
	/* The whole message is in the status line: no page takes the next
	 * key. */
	assert_null(screen.page.text);
	text_free(&line);
}

/* A refused statement ends its line, so that no later message replaces the
 * refusal. */
static void test_a_refused_statement_ends_its_line(void **state)
{
	screen_execute(&screen, "load no.json; pick mem.latency; quit");
	assert_non_null(strstr(screen.message.chars, "no.json"));
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.syscall");
	assert_false(lab.quit);
	screen_execute(&screen, "run cpu.syscall cal=1; pick mem.latency");
	assert_non_null(strstr(screen.message.chars, "'cal'"));
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.syscall");
	/* A failed gate is a result of a run, not an error in the line, so
	 * later statements are executed. */
	screen_execute(&screen,
		"expect cpu.syscall median < 0; pick mem.latency");
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
}

static void test_the_verb_of_a_key_stays(void **state)
{
	static const char *const keys[] = { "C-u", "C-w", "C-w", "Backspace",
		"Left", "Delete", "Home", "C-a", "Backspace", "C-u" };

	prompt_remember(&screen.prompt, "save one.json");
	prompt_remember(&screen.prompt, "help");
	press("w");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		screen_key(&screen, keys[i], 0);
	assert_string_equal(screen.prompt.line, "save ");
	fixture_type(&screen, "x");
	assert_string_equal(screen.prompt.line, "save x");
	screen_key(&screen, "Up", 0); /* past `help` */
	assert_string_equal(screen.prompt.line, "save one.json");
	screen_key(&screen, "Up", 0);
	assert_string_equal(screen.prompt.line, "save one.json");
	screen_key(&screen, "Down", 0);
	assert_string_equal(screen.prompt.line, "save ");
	screen_key(&screen, "Esc", 0);
	assert_int_equal(screen.prompt.kind, PROMPT_NONE);
	/* A line that the user typed can be deleted completely. */
	press(":");
	fixture_type(&screen, "save x");
	screen_key(&screen, "C-u", 0);
	assert_string_equal(screen.prompt.line, "");
	screen_key(&screen, "Esc", 0);
}

static void test_save_has_a_name_ready(void **state)
{
	press("w");
	assert_non_null(strstr(screen.prompt.line, "save session-2"));
	assert_string_equal(strchr(screen.prompt.line, '.'), ".json");
	press("Esc");
	assert_int_equal(screen.prompt.kind, PROMPT_NONE);
}

/* ---- the doctor --------------------------------------------------------- */

static void end_examination(void)
{
	lab.activity = NULL;
	lab.has_ended = true;
	text_add(&lab.ended.text, "ok   this\n!    that\n");
	screen_take_ended(&screen);
}

static void test_doctor_says_that_it_looks(void **state)
{
	text_clear(&screen.message);
	lab.activity = &doctor_activity;
	assert_true(
		drawn_has(80, 24, "Checking clock, gaps and machine for up to "
			"ten"));
	end_examination();
	assert_non_null(strstr(screen.page.title, "doctor"));
	assert_non_null(strstr(screen.page.text, "that"));
}

static void test_doctor_waits_for_a_page_to_be_left(void **state)
{
	press("?");
	end_examination();
	assert_string_equal(screen.page.title, "keys");
	assert_non_null(strstr(said(), "Esc leaves this page"));
	press("Esc");
	assert_non_null(strstr(screen.page.title, "doctor"));
	press("Esc");
	assert_null(screen.page.text);
}

/* ---- compared with the file --------------------------------------------- */

/* The figure of a name in the first run of a saved session. */
static double saved_figure(const char *json, const char *name)
{
	struct text key = { 0 };

	text_add(&key, "\"%s\":", name);
	const char *at = strstr(json, key.chars);
	if (!at)
		fail_msg("no '%s' in the session", name);
	double value = strtod(at + key.length, NULL);
	text_free(&key);
	return value;
}

/* Percentiles on the screen equal those in the file, digit for digit. */
static void test_r14_percentiles_equal_those_in_the_json(void **state)
{
	static const struct {
		const char *label, *first, *second;
	} rows[] = { { "p25, p75", "p25", "p75" }, { "p90, p95", "p90", "p95" },
		{ "min, max", "min", "max" } };
	struct text path = { 0 }, json = { 0 };
	struct error error;

	text_add(&path, "%s/r14.json", getenv("HOME"));
	assert_int_equal(session_save(lab.session, path.chars, false, &error),
		0);
	assert_int_equal(file_read(path.chars, 1 << 24, &json, &error), 0);
	double median = saved_figure(json.chars, "median");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct text line = { 0 }, one = { 0 };

		figure_bare(&one, UNIT_NS,
			saved_figure(json.chars, rows[i].first), median);
		text_add(&line, "%-8s%11s", rows[i].label, one.chars);
		text_clear(&one);
		figure_bare(&one, UNIT_NS,
			saved_figure(json.chars, rows[i].second), median);
		text_add(&line, "%9s ns", one.chars);
		if (!drawn_has(120, 40, line.chars))
			fail_msg("the screen does not show '%s'", line.chars);
		text_free(&line);
		text_free(&one);
	}
	text_free(&path);
	text_free(&json);
}

/* A plot shows its unit, the number of trials, and the interval. */
static void test_r16_plots_carry_unit_n_and_interval(void **state)
{
	for (int wide = 0; wide < 2; wide++) {
		int columns = wide ? 120 : 80, rows = wide ? 40 : 24;

		assert_true(drawn_has(columns, rows, "|      ns "));
		assert_true(drawn_has(columns, rows, "600 trials"));
		assert_true(drawn_has(columns, rows, "+-0.52 %"));
		assert_true(drawn_has(columns, rows, "^==^"));
	}
}

/* If the upper limit is more than a hundred times the lower, the slider is
 * logarithmic. */
static void test_slider_of_a_wide_range(void **state)
{
	assert_true(drawn_has(120, 40, "precision 1%             +-----^-----+"));
}

int main(void)
{
#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)
	const struct CMUnitTest tests[] = {
		IN_LAB(test_figures_name_their_parameters),
		IN_LAB(test_notes_and_records_are_said),
		IN_LAB(test_help_is_no_statement),
		IN_LAB(test_load_names_file_and_what_was_there),
		IN_LAB(test_a_refused_statement_ends_its_line),
		IN_LAB(test_the_verb_of_a_key_stays),
		IN_LAB(test_save_has_a_name_ready),
		IN_LAB(test_doctor_says_that_it_looks),
		IN_LAB(test_doctor_waits_for_a_page_to_be_left),
		IN_LAB(test_r07_no_sentence_is_cut_at_80x24),
		IN_LAB(test_unmeasured_is_not_good),
		IN_LAB(test_r07_no_sign_without_a_sentence),
		IN_LAB(test_r07_a_missed_prediction_is_said_at_80x24),
		IN_LAB(test_a_sweep_says_where_the_prediction_held),
		IN_LAB(test_r07_warnings_are_short_at_80x24),
		IN_LAB(test_r07_choices_are_all_said),
		IN_LAB(test_pages_are_broken_once),
		IN_LAB(test_r14_percentiles_equal_those_in_the_json),
		IN_LAB(test_r16_plots_carry_unit_n_and_interval),
		IN_LAB(test_slider_of_a_wide_range),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
