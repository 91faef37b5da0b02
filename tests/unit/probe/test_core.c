/* At which frequency the core ran beside the trials of a point. */
#include <math.h>

#include "trials.h"

/* The clock's core does 2 cycles in a tick: 300 ticks, 340 with the overhead,
 * are a canary of 600 cycles at 2 GHz. */
enum { NOMINAL = 340, SLOW = 365, SLOWEST = 640 };
static const double slow_hz = 600e9 / (SLOW - 40);

static struct results *one_point(void)
{
	struct results *results = new_results();

	timed_metric(results, "time");
	results_add_point(results)->series[0].ops = 1;
	return results;
}

/* A canary, then `count` times a trial and a canary. */
static void add_visit(struct results *results, uint32_t canary, unsigned count,
	unsigned flags)
{
	new_visit(results, 0, 0)->canary_every = 1;
	new_canary(results, 0, canary);
	for (unsigned i = 0; i < count; i++) {
		new_trial(results, 0, 0, 140, flags);
		new_canary(results, 0, canary);
	}
}

static double core_of(const struct results *results)
{
	return results_core_hz(results, &results->points[0]);
}

/* Launches count alike, however many canaries they have. */
static void it_is_the_median_of_launches(void **state)
{
	struct results *results = one_point();

	(void)state;
	for (unsigned launch = 0; launch < 3; launch++) {
		new_launch(results);
		add_visit(results, launch ? SLOW : NOMINAL, launch ? 5 : 50, 0);
	}
	assert_near(core_of(results), slow_hz);
	assert_true(results_core_apart(results, core_of(results)));
	results_free(results);
}

/* The first launch all at the clock's frequency but for what is flagged. */
static void flagged_trials_do_not_tell(void **state)
{
	static const unsigned flags[] = { FLAG_CONTENDED, FLAG_FREQUENCY,
		FLAG_WARMUP };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct results *results = one_point();

		new_launch(results);
		add_visit(results, SLOWEST, 9, flags[i]);
		add_visit(results, NOMINAL, 3, 0);
		assert_near(core_of(results), 2e9);
		assert_false(results_core_apart(results, core_of(results)));
		results_free(results);
	}
}

static void without_a_clean_trial_all_tell(void **state)
{
	struct results *results = one_point();

	(void)state;
	new_launch(results);
	add_visit(results, SLOW, 9, FLAG_FREQUENCY);
	assert_near(core_of(results), slow_hz);
	results_free(results);
}

/* Trials between two canaries: only those next to one are asked. */
static void a_canary_stands_between_two_trials(void **state)
{
	struct results *results = one_point();

	(void)state;
	new_launch(results);
	new_visit(results, 0, 0)->canary_every = 3;
	new_canary(results, 0, SLOWEST); /* before flagged ones */
	for (unsigned i = 0; i < 3; i++)
		new_trial(results, 0, 0, 140, FLAG_PREEMPTED);
	new_canary(results, 0, SLOWEST);
	for (unsigned i = 0; i < 3; i++)
		new_trial(results, 0, 0, 140, i == 2 ? 0 : FLAG_PREEMPTED);
	/* Behind a clean one; the last of a visit may be there twice. */
	new_canary(results, 0, SLOW);
	new_canary(results, 0, SLOWEST);
	assert_near(core_of(results), slow_hz);
	results_free(results);
}

static void where_nobody_can_know_it_is_not_said(void **state)
{
	struct results *results = one_point();

	(void)state;
	assert_true(isnan(core_of(results)));
	new_launch(results);
	new_visit(results, 0, 0);
	new_trial(results, 0, 0, 140, 0);
	assert_true(isnan(core_of(results)));
	assert_false(results_core_apart(results, NAN));
	add_visit(results, SLOW, 3, 0);
	assert_near(core_of(results), slow_hz);
	results->clock.cycles_trusted = false;
	assert_true(isnan(core_of(results)));
	results_free(results);
}

/* ns, cycles and frequency of one row are one statement. */
static void the_figures_agree(void **state)
{
	struct results *results = one_point();
	struct digest digest;

	(void)state;
	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		add_visit(results, SLOW, 10, 0);
	}
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	assert_true(digest.has_cycles);
	assert_near(digest.core_hz, slow_hz);
	assert_near(digest.clean.median * 1e-9 * digest.core_hz,
		digest.cycles.median);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_median_of_launches),
		cmocka_unit_test(flagged_trials_do_not_tell),
		cmocka_unit_test(without_a_clean_trial_all_tell),
		cmocka_unit_test(a_canary_stands_between_two_trials),
		cmocka_unit_test(where_nobody_can_know_it_is_not_said),
		cmocka_unit_test(the_figures_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
