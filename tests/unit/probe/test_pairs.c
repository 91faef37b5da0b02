/* Two points of one run in pairs: trial by trial, and visit by visit. */
#include "pairs.h"

#include "digest.h"
#include "sharing.h"
#include "trials.h"

enum { LAUNCHES = 8, TRIALS = 40 };

/* Properties of a launch: ns of A alone, and the factors of a co-runner and of
 * B. Then the first shared trials of A and of B. */
struct world {
	double base, load, change, change_shared;
	size_t shared_from, b_shared_from; /* TRIALS: none */
};

static struct results *two_points(bool paired)
{
	struct results *results = new_results();

	results->clock.quantum = 0;
	results->clock.jitter = 0;
	results->plan.paired = paired;
	results->plan.abba = true;
	timed_metric(results, "time");
	results_add_point(results)->series[0].ops = 1;
	results_add_point(results)->series[0].ops = 1;
	return results;
}

static void add_visit_of(struct results *results, size_t at, double alone,
	double shared, size_t shared_from)
{
	new_visit(results, at, 0)->canary_every = 1;
	new_canary(results, at, 340);
	for (size_t i = 0; i < TRIALS; i++) {
		bool beside = i >= shared_from;
		double ns = beside ? shared : alone;

		new_trial(results, at, 0, 40 + (uint64_t)lround(ns),
			beside ? FLAG_SHARED : 0);
	}
}

static struct pairs pairs_in(bool paired, const struct world *world)
{
	struct results *results = two_points(paired);
	struct pairs pairs;

	for (size_t launch = 0; launch < LAUNCHES; launch++) {
		/* Launches differ by much more than A and B do. */
		double base = world->base * (1 + .1 * (double)launch);

		new_launch(results);
		add_visit_of(results, 0, base, base * world->load,
			world->shared_from);
		add_visit_of(results, 1, base * world->change,
			base * world->load * world->change_shared,
			world->b_shared_from);
	}
	pairs_of(results, &results->points[0], &results->points[1], 0,
		SCALE_UNIT, &pairs);
	results_free(results);
	return pairs;
}

static void assert_change(const struct signed_rank *result, double change)
{
	assert_true(result->has_interval);
	assert_true(fabs(exp(result->centre) - change) < 1e-5);
	assert_true(exp(result->low) - 1e-5 < change);
	assert_true(exp(result->high) + 1e-5 > change);
}

/* For any condition, and any differences between launches. */
static void turns_show_a_change_at_any_sharing(void **state)
{
	static const size_t from[] = { TRIALS, TRIALS / 2, 0 };

	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		struct pairs pairs = pairs_in(true,
			&(struct world){ 1e7, 1.4, 1.02, 1.02, from[i],
				from[i] });

		assert_int_equal(pairs.regime, REGIME_POOLED);
		assert_false(pairs.disagree);
		assert_int_equal(pairs_result(&pairs)->n, LAUNCHES);
		assert_change(pairs_result(&pairs), 1.02);
	}
}

static void a_trial_beside_another_condition_is_no_pair(void **state)
{
	/* B is shared ten trials earlier, and these ten form no pair. */
	struct pairs pairs = pairs_in(true,
		&(struct world){ 1e7, 1.4, 1, 1, 25, 15 });

	assert_change(pairs_result(&pairs), 1);
	pairs = pairs_in(true,
		&(struct world){ 1e7, 1.4, 1, 1, TRIALS, 0 });
	assert_int_equal(pairs_result(&pairs)->n, 0);
	assert_false(pairs_result(&pairs)->has_interval);
}

static void where_conditions_disagree_alone_counts(void **state)
{
	struct pairs pairs = pairs_in(true,
		&(struct world){ 1e7, 1.4, 1.02, 1.3, 20, 20 });

	assert_true(pairs.disagree);
	assert_int_equal(pairs.regime, REGIME_ALONE);
	assert_change(pairs_result(&pairs), 1.02);
	assert_change(&pairs.by_regime[REGIME_SHARED], 1.3);
}

/* Two visits see different work of a co-runner, so shared trials do not
 * count. */
static void visits_are_compared_on_a_core_of_their_own(void **state)
{
	struct pairs pairs = pairs_in(false,
		&(struct world){ 1e7, 1.4, 1.05, 1.05, TRIALS, 10 });

	assert_int_equal(pairs_result(&pairs)->n, LAUNCHES);
	assert_change(pairs_result(&pairs), 1.05);
	pairs = pairs_in(false,
		&(struct world){ 1e7, 1.4, 1.05, 1, TRIALS, 0 });
	assert_int_equal(pairs_result(&pairs)->n, 0);
}

/* A is a third slower at some alignments of its code, B at others. Most clones
 * do not differ, but the medians differ by that third. */
static void clones_may_differ_at_a_and_b(void **state)
{
	static const bool slow_a[] = { 1, 0, 0, 0, 0 };
	static const bool slow_b[] = { 1, 1, 1, 0, 0 };
	struct results *results = two_points(true);
	struct pairs pairs;

	for (size_t launch = 0; launch < LAUNCHES; launch++) {
		new_launch(results);
		for (size_t clone = 0; clone < 5; clone++) {
			double a = slow_a[clone] ? 4e7 : 3e7;
			double b = slow_b[clone] ? 4e7 : 3e7;

			add_visit_of(results, 0, a, a, TRIALS);
			add_visit_of(results, 1, b, b, TRIALS);
		}
	}
	pairs_of(results, &results->points[0], &results->points[1], 0,
		SCALE_UNIT, &pairs);
	results_free(results);
	assert_change(pairs_result(&pairs), 4. / 3);
}

/* A value of 0 has no ratio. */
static void what_takes_no_time_makes_no_pair(void **state)
{
	struct pairs pairs =
		pairs_in(true, &(struct world){ 0, 1, 1, 1, TRIALS, TRIALS });

	assert_int_equal(pairs_result(&pairs)->n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns_show_a_change_at_any_sharing),
		cmocka_unit_test(a_trial_beside_another_condition_is_no_pair),
		cmocka_unit_test(where_conditions_disagree_alone_counts),
		cmocka_unit_test(visits_are_compared_on_a_core_of_their_own),
		cmocka_unit_test(clones_may_differ_at_a_and_b),
		cmocka_unit_test(what_takes_no_time_makes_no_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
