/* The screen during a real run of an experiment that does nothing. */
#include <poll.h>
#include <time.h>

#include "fixture.h"
#include "run_queue.h"

enum { LIMIT_S = 50, TURN_MS = 20 };

static struct screen screen;
static struct lab lab;
static struct grid grid;

static void turn(void)
{
	struct pollfd polled = { .fd = lab_descriptor(&lab), .events = POLLIN };

	poll(&polled, polled.fd >= 0, TURN_MS);
	lab_step(&lab);
	screen_take_ended(&screen);
}

/* Advances the lab until a condition is true. */
static void wait_until(bool (*so)(void))
{
	time_t end = time(NULL) + LIMIT_S;

	while (!so()) {
		if (time(NULL) > end)
			fail_msg("it did not come about within %d s: %s",
				LIMIT_S, text_chars(&screen.message));
		turn();
	}
}

static bool has_run(void)
{
	return lab.run != NULL;
}

static bool has_launch(void)
{
	return lab.run && run_results(lab.run)->launch_count > 1;
}

static bool is_idle(void)
{
	return !lab_busy(&lab);
}

static bool runs_second(void)
{
	return lab.run &&
		!strcmp(run_results(lab.run)->experiment, "mem.latency");
}

static const char *drawn(void)
{
	static struct text text;

	grid_reset(&grid, 120, 40, TIER_ASCII);
	view_draw(&screen, &grid);
	text_clear(&text);
	grid_dump(&grid, &text);
	return text.chars;
}

/* Saves, and checks the message, also whether it excludes a run in progress. */
static void assert_saved(const char *words, bool goes_on)
{
	static const char missing[] =
		"live.json; the run in progress is not included";
	struct text line = { 0 };

	text_add(&line, "save --force %s/live.json", getenv("HOME"));
	screen_execute(&screen, line.chars);
	assert_non_null(strstr(text_chars(&screen.message), words));
	assert_int_equal(strstr(text_chars(&screen.message), missing) != NULL,
		goes_on);
	text_free(&line);
}

static void test_live(void **state)
{
	fixture_open(&lab, &screen);
	screen_execute(&screen,
		"edit launches=30 trials=200 budget=60s; predict cpu.call "
		"hw=1..9ns");
	screen_execute(&screen, "start");
	wait_until(has_launch);
	assert_non_null(strstr(drawn(), "run"));
	assert_non_null(strstr(drawn(), "live"));
	assert_non_null(strstr(drawn(), "of about"));
	assert_non_null(strstr(drawn(), "locked, the run started"));
	assert_false(lab.predictions[0].post_hoc);
	/* The message of a command is replaced by the progress again. */
	screen_execute(&screen, "find nowhere");
	assert_null(strstr(drawn(), "of about"));
	screen_key(&screen, "Up", 0);
	assert_non_null(strstr(drawn(), "of about"));
	screen_execute(&screen, "pick cpu.call");
	/* A prediction typed when figures already exist is marked as made
	 * afterwards. */
	screen_execute(&screen, "predict cpu.call hw=1..5ns");
	assert_true(lab.predictions[0].post_hoc);
	assert_saved("saved 0 runs in ", true);
	screen_execute(&screen, "stop");
	wait_until(is_idle);
	assert_int_equal(lab.session->run_count, 1);
	assert_int_equal(lab.session->runs[0]->stopped.reason, STOP_USER);
	assert_false(lab.session->runs[0]->prediction.post_hoc);
	assert_true(lab.session->runs[0]->prediction.total.high == 9);
	assert_non_null(strstr(drawn(), " few"));
	assert_non_null(strstr(drawn(), ", stopped"));
	assert_saved("saved 1 run in ", false);
	/* Before the first launch of the next run, none of its figures is
	 * live, and those of the run before are not shown as such. */
	bool live;
	screen_execute(&screen, "start");
	wait_until(has_run);
	assert_int_equal(run_results(lab.run)->launch_count, 0);
	assert_null(screen_results(&screen, &live));
	assert_true(live);
	assert_non_null(strstr(drawn(), "The run has started."));
	/* Without a trial the run before stays the last. */
	screen_execute(&screen, "stop");
	wait_until(is_idle);
	assert_int_equal(lab.session->run_count, 1);
	assert_non_null(strstr(drawn(), "before its first trial"));
	fixture_close(&lab, &screen);
}

/* The selection follows queued runs, unless the user selects another
 * experiment. */
static void test_follows(void **state)
{
	fixture_open(&lab, &screen);
	screen_execute(&screen,
		"set launches=6 trials=20; run cpu.call; run mem.latency");
	wait_until(runs_second);
	assert_string_equal(screen_descriptor(&screen)->name, "mem.latency");
	screen_execute(&screen, "stop");
	wait_until(is_idle);
	screen_execute(&screen, "run cpu.call launches=6; run mem.latency");
	wait_until(has_launch);
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.call");
	screen_execute(&screen, "pick cpu.syscall");
	wait_until(runs_second);
	assert_string_equal(screen_descriptor(&screen)->name, "cpu.syscall");
	screen_execute(&screen, "stop");
	wait_until(is_idle);
	fixture_close(&lab, &screen);
}

/* A prediction counts as made afterwards only if the figures of a point of its
 * run were visible. */
static void test_post_hoc_by_point(void **state)
{
	static const struct {
		const char *line;
		bool post_hoc;
	} rows[] = {
		{ "run cpu.syscall call=getpid launches=6 trials=20", false },
		{ "run cpu.syscall call=getppid launches=6 trials=20", true },
		{ "run cpu.syscall call=read,getppid launches=6 trials=20",
			true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		fixture_open(&lab, &screen);
		fixture_measure(&lab); /* of getppid */
		screen_execute(&screen, "predict cpu.syscall hw=1..9ns");
		screen_execute(&screen, rows[i].line);
		wait_until(has_launch);
		const struct prediction *said =
			&run_results(lab.run)->prediction;
		assert_int_equal(said->by, BY_USER);
		assert_int_equal(said->post_hoc, rows[i].post_hoc);
		screen_execute(&screen, "stop");
		wait_until(is_idle);
		fixture_close(&lab, &screen);
	}
}

/* As in a script, later statements of a line wait for its run. The message of a
 * failed gate is not replaced by a later message. */
static void test_a_line_waits_for_its_runs(void **state)
{
	struct text line = { 0 };

	text_add(&line,
		"run cpu.call launches=6 trials=20; expect cpu.call median < 0;"
		" save --force %s/rest.json",
		getenv("HOME"));
	fixture_open(&lab, &screen);
	screen_execute(&screen, line.chars);
	wait_until(is_idle);
	assert_non_null(strstr(screen.message.chars, "expected cpu.call"));
	assert_int_equal(screen.message_role, ROLE_BAD);
	assert_non_null(lab.session->path);
	assert_int_equal(lab.session->run_count, 1);
	/* An error in a later statement is found before the run starts. */
	screen_execute(&screen, "run cpu.call; expct cpu.call median < 0");
	assert_false(lab_busy(&lab));
	assert_non_null(strstr(screen.message.chars, "expct"));
	/* `stop` stops the run, but the later statements of the line are
	 * executed. */
	screen_execute(&screen,
		"run cpu.call launches=30 trials=200 budget=60s; note one; "
		"run cpu.syscall; note two");
	assert_int_equal(lab.session->note_count, 0);
	wait_until(has_launch);
	screen_execute(&screen, "stop");
	wait_until(is_idle);
	assert_int_equal(lab.session->note_count, 2);
	assert_int_equal(lab.session->run_count, 2);
	fixture_close(&lab, &screen);
	text_free(&line);
}

static int close_all(void **state)
{
	grid_free(&grid);
	return fixture_away(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_follows),
		cmocka_unit_test(test_post_hoc_by_point),
		cmocka_unit_test(test_a_line_waits_for_its_runs),
	};

	return cmocka_run_group_tests(tests, fixture_home, close_all);
}
