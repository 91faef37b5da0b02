/* The Lab screen with runs in every state: golden grids of an active run, a
 * stopped run, a failed run, and a prediction made afterwards. */
#include "digest.h"
#include "golden.h"
#include "run_internal.h"
#include "tick.h"

static const char *const one[] = { "getppid" };

static struct screen screen;
static struct lab lab;

static int open_lab(void **state)
{
	fixture_open(&lab, &screen);
	fixture_select(&screen, "cpu.syscall");
	text_clear(&screen.message);
	return 0;
}

static int close_lab(void **state)
{
	fixture_going(&lab, NULL);
	fixture_close(&lab, &screen);
	return 0;
}

/* A run in its sixth launch of ten, 60 % done, with ten seconds left. */
static struct run going(struct results *results)
{
	results->state = RUN_GOING;
	results->stopped.reason = STOP_NONE;
	return (struct run){
		.results = results,
		.stage = STAGE_LAUNCH,
		.launch = 6,
		.counted = 5,
		.needed = 10,
		.launch_took_ns = 2e9,
		.schedule = { .launches_most = 30 },
		.began_ns = tick_raw_ns() - 10000000000,
		.common = { .budget_ns = 60000000000 },
		.share = .6,
	};
}

static void test_live(void **state)
{
	struct results *results = fixture_results(&fixture_syscall, one, 1);
	struct run run = going(results);

	fixture_going(&lab, &run);
	golden(&screen, "live");
	results_free(results);
}

/* If all processors measure, drawing pauses and the screen states this. */
static void test_live_sweep(void **state)
{
	static const char *const three[] = { "getppid", "getpid", "read" };
	struct results *results = fixture_results(&fixture_syscall, three, 3);
	struct run run = going(results);

	run.place.facts.lab_shares = true;
	fixture_going(&lab, &run);
	golden(&screen, "live-sweep");
	results_free(results);
}

static bool shows(int columns, int rows, const char *words)
{
	struct text text = { 0 };
	struct grid grid = { 0 };

	grid_reset(&grid, columns, rows, TIER_ASCII);
	view_draw(&screen, &grid);
	grid_dump(&grid, &text);
	bool found = strstr(text_chars(&text), words) != NULL;
	grid_free(&grid);
	text_free(&text);
	return found;
}

/* During the pilot the remaining time is unknown: the screen shows the number
 * of points and the elapsed time. */
static void test_sizing(void **state)
{
	static const char *const three[] = { "getppid", "getpid", "read" };
	struct results *results = fixture_results(&fixture_syscall, three, 3);
	struct run run = going(results);

	run.stage = STAGE_PILOT;
	run.launch = run.counted = 0;
	run.launch_took_ns = run.share = 0;
	run.feed.sized = xcalloc(3, sizeof *run.feed.sized);
	run.feed.sized[1].ops = 7;
	fixture_going(&lab, &run);
	assert_true(shows(120, 40, "(operations per trial), point 2 of 3, 10 s "
		"so far"));
	assert_true(shows(80, 24, "sizing point 2 of 3, 10 s so far"));
	assert_false(shows(120, 40, "s left"));
	free(run.feed.sized);
	results_free(results);
}

static struct results *measured(void)
{
	struct results *results = fixture_results(&fixture_syscall, one, 1);

	session_add_run(lab.session, results);
	return results;
}

static void test_stopped(void **state)
{
	struct results *results = measured();

	results->state = RUN_STOPPED;
	results->stopped.reason = STOP_USER;
	results->launch_count = 4;
	golden(&screen, "stopped");
}

static void test_failed(void **state)
{
	struct results *results = measured();

	results->state = RUN_FAILED;
	results->stopped.reason = STOP_FAULT;
	results->error = xstrdup(
		"the worker died of SIGSEGV at 0x10 in trials of call=getppid; "
		"600 trials are kept");
	golden(&screen, "failed");
}

/* A prediction made after the result is marked, and has no effect on the
 * score. */
static void test_post_hoc(void **state)
{
	struct results *results = measured();

	results->prediction.post_hoc = true;
	golden(&screen, "post-hoc");
}

/* A range that was only just missed is not reported as missed by a factor of
 * 1. */
static void test_just_missed(void **state)
{
	struct results *results = measured();
	struct range *total = &results->prediction.total;
	double median;

	assert_true(results_median(results, &results->points[0], 0, &median));
	*total = (struct range){ median / 2, median / 1.0004 };
	assert_true(shows(120, 40, "no, 0.04 % above"));
	*total = (struct range){ median / 4, median / 3 };
	assert_true(shows(120, 40, "no, 3 times more"));
	*total = (struct range){ median * 1.25, median * 2 };
	assert_true(shows(120, 40, "no, 20 % below"));
	*total = (struct range){ median * 2, median * 3 };
	assert_true(shows(120, 40, "no, 2 times less"));
	*total = (struct range){ -2, -1 };
	assert_true(shows(120, 40, "no, above"));
}

/* The headline has the interval that the quality judges. */
static void test_judged_in_cycles(void **state)
{
	struct digest *digest = &screen.figures.digest;

	fixture_measure(&lab);
	assert_true(shows(80, 24, "median 90.90 ns +-0.52 %  mean"));
	digest->cycles = digest->summary;
	digest->cycles.interval = (struct interval){
		.low = .998 * digest->cycles.median,
		.high = 1.002 * digest->cycles.median,
	};
	digest->has_cycles = digest->by_cycles = true;
	assert_true(shows(80, 24, "median 90.90 ns +-0.2 % in cycles"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_live, open_lab, close_lab),
		cmocka_unit_test_setup_teardown(test_live_sweep, open_lab,
			close_lab),
		cmocka_unit_test_setup_teardown(test_sizing, open_lab,
			close_lab),
		cmocka_unit_test_setup_teardown(test_stopped, open_lab,
			close_lab),
		cmocka_unit_test_setup_teardown(test_failed, open_lab,
			close_lab),
		cmocka_unit_test_setup_teardown(test_post_hoc, open_lab,
			close_lab),
		cmocka_unit_test_setup_teardown(test_just_missed, open_lab,
			close_lab),
		cmocka_unit_test_setup_teardown(test_judged_in_cycles, open_lab,
			close_lab),
	};

	return cmocka_run_group_tests(tests, fixture_home, fixture_away);
}
