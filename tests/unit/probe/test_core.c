/* The frequency of the core, from the canaries beside the trials of a point. */
#include <math.h>

#include "digest.h"
#include "sharing.h"
#include "trials.h"

/* The core executes 2 cycles per tick of the clock. A canary of 300 ticks (340
 * with the overhead) is 600 cycles at 2 GHz. */
enum { NOMINAL = 340, SLOW = 365, SLOWEST = 640 };
static const double slow_hz = 600e9 / (SLOW - 40);

static struct results *one_point(void)
{
	struct results *results = new_results();

	timed_metric(results, "time");
	results_add_point(results)->series[0].ops = 1;
	return results;
}

/* A canary, then `count` times a trial and a canary. The throughput halves take
 * `percent` of the latency halves. */
static void add_visit_of(struct results *results, uint32_t latency,
	unsigned percent, unsigned count)
{
	uint32_t throughput = 40 + (latency - 40) * percent / 100;

	new_visit(results, 0, 0)->canary_every = 1;
	new_canary_of(results, 0, latency, throughput);
	for (unsigned i = 0; i < count; i++) {
		new_trial(results, 0, 0, 140, 0);
		new_canary_of(results, 0, latency, throughput);
	}
}

static void add_visit(struct results *results, uint32_t latency, unsigned count)
{
	add_visit_of(results, latency, 100, count);
}

static double core_of(struct results *results)
{
	sharing_recall(results);
	return results_core_hz(results, &results->points[0]);
}

/* Launches have equal weight, however many canaries they have. */
static void it_is_the_median_of_launches(void **state)
{
	struct results *results = one_point();

	for (unsigned launch = 0; launch < 3; launch++) {
		new_launch(results);
		add_visit(results, launch ? SLOW : NOMINAL, launch ? 5 : 50);
	}
	assert_near(core_of(results), slow_hz);
	assert_true(results_core_apart(results, core_of(results)));
	results_free(results);
}

/* Visits of a launch are combined: the median of all their canaries counts. */
static void visits_of_a_launch_count_together(void **state)
{
	struct results *results = one_point();

	new_launch(results);
	add_visit(results, SLOWEST, 2);
	add_visit(results, SLOW, 9);
	add_visit(results, NOMINAL, 1);
	assert_near(core_of(results), slow_hz);
	results_free(results);
}

/* If most canaries of a launch have a co-runner or were interrupted, the others
 * show the frequency. */
static void canaries_that_are_not_alone_do_not_count(void **state)
{
	static const unsigned percent[] = { 160, 60, 500 };

	for (size_t i = 0; i < 3; i++) {
		struct results *results = one_point();

		new_launch(results);
		add_visit_of(results, SLOWEST, percent[i], 9);
		add_visit(results, NOMINAL, 3);
		assert_near(core_of(results), 2e9);
		assert_false(results_core_apart(results, core_of(results)));
		results_free(results);
	}
}

/* Without any canary of an unshared core, the fastest of all is used, or the
 * clock's rate if that is higher. A co-runner can only lengthen a canary. */
static void without_one_alone_the_fastest_count(void **state)
{
	static const struct {
		uint32_t fast, slow;
		double hz;
	} cases[] = {
		{ SLOW, SLOWEST, 2e9 },
		{ 320, SLOWEST, 600e9 / 280 },
		{ NOMINAL, NOMINAL, 2e9 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = one_point();

		new_launch(results);
		add_visit_of(results, cases[i].slow, 160, 80);
		add_visit_of(results, cases[i].fast, 160, 19);
		assert_near(core_of(results), cases[i].hz);
		results_free(results);
	}
}

static void where_nothing_shows_it_there_is_none(void **state)
{
	struct results *results = one_point();

	assert_true(isnan(core_of(results)));
	new_launch(results);
	new_visit(results, 0, 0);
	new_trial(results, 0, 0, 140, 0);
	assert_true(isnan(core_of(results)));
	assert_false(results_core_apart(results, NAN));
	new_launch(results);
	add_visit(results, SLOW, 3);
	assert_near(core_of(results), slow_hz);
	results->clock.cycles_trusted = false;
	assert_true(isnan(core_of(results)));
	results_free(results);
}

/* Time, cycles and frequency of one row are consistent. */
static void the_figures_agree(void **state)
{
	struct results *results = one_point();
	struct digest digest;

	for (unsigned launch = 0; launch < 6; launch++) {
		new_launch(results);
		add_visit(results, SLOW, 10);
	}
	sharing_recall(results);
	assert_true(digest_of(results, &results->points[0], 0, &digest));
	assert_true(digest.has_cycles);
	assert_near(digest.core_hz, slow_hz);
	assert_near(digest.summary.median * 1e-9 * digest.core_hz,
		digest.cycles.median);
	results_free(results);
}

/* A co-runner that multiplies lengthens adjacent canaries. The cycles of trials
 * beside it are computed with the usual frequency, not from these canaries. */
static void shared_trials_have_the_usual_cycles(void **state)
{
	struct results *results = one_point();
	double cycles;
	unsigned flags;

	new_launch(results);
	add_visit(results, NOMINAL, 9);
	add_visit_of(results, SLOW, 160, 5);
	uint16_t *all = results->points[0].series[0].flags.data;
	for (size_t i = 9; i < 14; i++)
		all[i] = i % 2 ? FLAG_SHARED : FLAG_MIXED;
	sharing_recall(results);
	for (size_t i = 0; i < 5; i++) {
		assert_true(results_trial(results, &results->points[0], 0, 1, i,
			SCALE_CYCLES, &cycles, &flags));
		assert_near(cycles, 200);
	}
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_median_of_launches),
		cmocka_unit_test(visits_of_a_launch_count_together),
		cmocka_unit_test(canaries_that_are_not_alone_do_not_count),
		cmocka_unit_test(without_one_alone_the_fastest_count),
		cmocka_unit_test(where_nothing_shows_it_there_is_none),
		cmocka_unit_test(the_figures_agree),
		cmocka_unit_test(shared_trials_have_the_usual_cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
