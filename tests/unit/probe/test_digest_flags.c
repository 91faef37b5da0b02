/* R8: flags from trials to figures: counted, kept, and out of the headline. */
#include "random.h"
#include "trials.h"

/* Every flag once: it moves out of the headline, and is counted. */
static void every_flag_is_counted(void **state)
{
	(void)state;
	for (unsigned bit = 0; bit < FLAG_COUNT; bit++) {
		struct results *results = by_hand();

		new_trial(results, 0, 0, 1000040, 1u << bit);
		struct digest digest = digested(results, 0);
		assert_int_equal(digest.trials, 25);
		assert_int_equal(digest.clean.trials, 24);
		assert_near(digest.clean.max, 45);
		for (unsigned other = 0; other < FLAG_COUNT; other++)
			assert_int_equal(digest.by_flag[other], other == bit);
		if (1u << bit == FLAG_WARMUP)
			assert_near(digest.flagged, 0);
		else
			assert_near(digest.flagged, 1 / 25.);
		results_free(results);
	}
}

/* Any mixture of flags: trials are the clean ones and those of each first
 * cause, exactly. */
static void no_trial_is_lost(void **state)
{
	uint64_t random = 4;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct results *results = one_metric(1);
		size_t taken = 0;

		for (unsigned launch = 0; launch < 7; launch++) {
			new_launch(results);
			new_visit(results, 0, 0);
			for (uint64_t i = random_below(&random, 20); i; i--) {
				unsigned all = (1u << FLAG_COUNT) - 1;
				unsigned flags = random_below(&random, 2) ?
					(unsigned)next_random(&random) & all :
					0;

				new_trial(results, 0, 0,
					random_below(&random, 500), flags);
				taken++;
			}
		}
		struct digest digest = digested(results, 0);
		size_t sum = digest.clean.trials;
		for (unsigned bit = 0; bit < FLAG_COUNT; bit++)
			sum += digest.by_flag[bit];
		assert_int_equal(digest.trials, taken);
		assert_int_equal(sum, taken);
		results_free(results);
	}
}

static void the_first_cause_is_the_one_counted(void **state)
{
	struct results *results = by_hand();

	(void)state;
	new_trial(results, 0, 0, 1040,
		FLAG_CONTENDED | FLAG_PREEMPTED | FLAG_WARMUP);
	struct digest digest = digested(results, 0);
	assert_int_equal(digest.by_flag[2], 1); /* preempted */
	assert_int_equal(digest.by_flag[5], 0);
	assert_int_equal(digest.by_flag[7], 0);
	results_free(results);
}

/* Both figures are kept: with the flagged trials and without. */
static void flagged_trials_show_what_they_did(void **state)
{
	struct results *results = one_metric(1);

	(void)state;
	results->clock.quantum = 0;
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 0; i < 19; i++)
			new_trial(results, 0, 0, 140, 0);
		for (unsigned i = 0; i < launch * 4; i++)
			new_trial(results, 0, 0, 240, FLAG_CONTENDED);
		/* A clock that stepped back gives no figure in either. */
		new_trial(results, 0, 0, (uint64_t)-7, FLAG_BACKWARDS);
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.clean.median, 100);
	assert_near(digest.clean.min, 100);
	assert_near(digest.flagged, 66 / 180.);
	assert_true(digest.unusable);
	assert_true(digest.disturbed);
	/* Of the six, one has more flagged trials than clean ones. */
	assert_near(digest.median_all, 100);
	results_free(results);
}

static void a_moved_median_is_a_disturbance(void **state)
{
	struct results *results = one_metric(1);

	(void)state;
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 0; i < 24; i++)
			new_trial(results, 0, 0, 1040 + 20 * i, 0);
		new_trial(results, 0, 0, 9040, FLAG_PREEMPTED);
	}
	struct digest digest = digested(results, 0);
	assert_near(digest.flagged, .04);
	assert_near(digest.clean.median, 1230);
	assert_near(digest.median_all, 1240);
	assert_false(digest.disturbed);
	results->points[0].series[0].ops = 1;
	results_free(results);
	results = one_metric(1);
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		new_visit(results, 0, 0);
		for (unsigned i = 0; i < 24; i++)
			new_trial(results, 0, 0, 1040 + 50 * i, 0);
		new_trial(results, 0, 0, 9040, FLAG_PREEMPTED);
	}
	digest = digested(results, 0);
	assert_near(digest.clean.median, 1575);
	assert_near(digest.median_all, 1600);
	assert_true(digest.disturbed);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_flag_is_counted),
		cmocka_unit_test(no_trial_is_lost),
		cmocka_unit_test(the_first_cause_is_the_one_counted),
		cmocka_unit_test(flagged_trials_show_what_they_did),
		cmocka_unit_test(a_moved_median_is_a_disturbance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
