/* Decisions after a launch: which trials are a warm-up. */
#include "disturb.h"

#include "check.h"
#include "planned_results.h"
#include "probe.h"

enum { TRIALS = 100, SLOW = 20 };

/* Trials of a launch flagged as warm-up; the first 20 are slow. */
static size_t warm_of(unsigned traits)
{
	struct results *results = results_of(1);
	struct series *series = results->points[0].series;
	size_t warm = 0;

	results->plan.traits = traits;
	results_add_launch(results);
	add_visit(results, 0, 1, TRIALS, 0);
	uint64_t *ticks = series->raw.data;
	const uint16_t *flags = series->flags.data;
	for (size_t i = 0; i < SLOW; i++)
		ticks[i] *= 10;
	disturb_close_launch(results, 0);
	for (size_t i = 0; i < TRIALS; i++)
		warm += (flags[i] & FLAG_WARMUP) != 0;
	results_free(results);
	return warm;
}

static void slow_first_trials_are_a_warmup(void **state)
{
	assert_int_equal(warm_of(0), SLOW);
	assert_int_equal(warm_of(TRAIT_BLOCKS), SLOW);
}

static void where_late_trials_are_the_result_all_count(void **state)
{
	assert_int_equal(warm_of(TRAIT_TAIL), 0);
	assert_int_equal(warm_of(TRAIT_COLD), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_first_trials_are_a_warmup),
		cmocka_unit_test(where_late_trials_are_the_result_all_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
