/* Progress of an active run: its share, and the time left. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "run_internal.h"
#include "tick.h"

#define S 1e9

/* A run in a launch, after earlier ones of a second each; it began `elapsed_s`
 * ago. */
static struct run going(unsigned launch, double elapsed_s, double budget_s)
{
	return (struct run){
		.stage = STAGE_LAUNCH,
		.launch = launch,
		.counted = launch - 1,
		.needed = 10,
		.launch_took_ns = S,
		.schedule = { .launches_least = 6,
			.launches_most = 30,
			.launch_ns = S },
		.common = { .budget_ns = (int64_t)(budget_s * S) },
		.began_ns = tick_raw_ns() - (uint64_t)(elapsed_s * S),
	};
}

static struct progress progress_of(struct run run)
{
	struct progress progress;

	run_progress(&run, &progress);
	assert_int_equal(progress.launch, run.launch);
	return progress;
}

/* The remaining launches include the present one. */
static void test_needed(void **state)
{
	struct progress progress = progress_of(going(6, 5, 600));

	assert_int_equal(progress.launches, 10);
	assert_true(fabs(progress.left_s - 5) < 1e-9);
	assert_true(progress.share > 0 && progress.share < 1);
	assert_int_equal(progress_of(going(10, 9, 600)).launches, 10);
	/* One launch more than expected. */
	assert_int_equal(progress_of(going(11, 10, 600)).launches, 11);
}

/* The budget ends the run before the launches that it would need. This test may
 * itself use a part of the remaining time. */
static void test_budget(void **state)
{
	struct progress progress = progress_of(going(7, 6, 7.5));

	assert_int_equal(progress.launches, 7);
	assert_true(progress.left_s <= 1.5 && progress.left_s >= 0);
	assert_int_equal(progress_of(going(7, 100, 7.5)).launches, 7);
}

/* Six launches are made with any budget, so a run may continue after its budget
 * is used. */
static void test_least(void **state)
{
	struct run run = going(1, 25, 6);
	struct progress progress;

	run.launch_took_ns = 0; /* no launch has ended yet */
	run.schedule.launch_ns = 10 * S;
	run.needed = 0;
	progress = progress_of(run);
	assert_true(fabs(progress.left_s - 60) < 1e-9);
	assert_int_equal(progress.launches, 6);
	assert_true(progress.share > 0 && progress.share < 1);
	progress = progress_of(going(4, 25, 6));
	assert_true(fabs(progress.left_s - 3) < 1e-9);
	assert_int_equal(progress.launches, 6);
	assert_int_equal(progress_of(going(6, 25, 6)).launches, 6);
}

/* A disturbed launch is repeated, but progress never exceeds the limit of
 * launches. */
static void test_limit(void **state)
{
	struct run run = going(3, 2, 600);

	run.needed = 30;
	run.counted = 1;
	assert_int_equal(progress_of(run).launches, 30);
	run = going(31, 30, 600);
	run.needed = 30;
	run.counted = 29;
	assert_int_equal(progress_of(run).launches, 31);
}

/* Before the end of the pilot the duration of a launch is unknown. */
static void test_pilot(void **state)
{
	struct run run = going(0, 3, 10);
	struct point points[4] = { { .state = POINT_OK } };
	struct results results = { .points = points, .point_count = 4 };

	run.results = &results;
	run.feed.sized = xcalloc(4, sizeof *run.feed.sized);
	run.stage = STAGE_PILOT;
	run.counted = 0;
	run.launch_took_ns = run.schedule.launch_ns = 0;
	struct progress progress = progress_of(run);
	assert_int_equal(progress.launches, 30);
	assert_true(progress.share <= 0);
	assert_false(progress.foretold);
	assert_true(progress.left_s <= 0);
	assert_true(progress.elapsed_s >= 3);
	/* Progress counts points instead, in the order of their visits. */
	assert_int_equal(progress.points, 4);
	assert_int_equal(progress.sizing, 1);
	run.feed.sized[2].ops = 100;
	points[0].state = POINT_UNAVAILABLE;
	assert_int_equal(progress_of(run).sizing, 3);
	for (size_t i = 0; i < 4; i++)
		run.feed.sized[i].ops = 1;
	assert_int_equal(progress_of(run).sizing, 4);
	free(run.feed.sized);
	/* After the pilot it is known. */
	assert_true(progress_of(going(1, 3, 10)).foretold);
	assert_int_equal(progress_of(going(1, 3, 10)).sizing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_pilot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
