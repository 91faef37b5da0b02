/* The plan: the contents of a launch, and when to stop. */
#include "plan.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

#include "check.h"
#include "digest.h"
#include "planned.h"
#include "planned_results.h"
#include "random.h"
#include "tape.h"

static void trials_are_as_long_as_the_clock_needs(void **state)
{
	struct clock_facts clock = { .hz = 2e9,
		.quantum = 2,
		.overhead = 46,
		.timer_hz = 250 };
	struct window window = plan_window(&clock);

	assert_near(window.least, 2000);
	assert_near(window.target, 10000);
	assert_near(window.most, 400000);
	/* A coarse counter: a thousand quanta exceed 5 us. */
	clock = (struct clock_facts){ .hz = 24e6,
		.quantum = 1,
		.overhead = 1,
		.timer_hz = 250 };
	window = plan_window(&clock);
	assert_near(window.least, 1000);
	assert_near(window.target, 1000);
	assert_near(window.most, 4800);
	/* An expensive pair of reads, and a kernel with an unknown tick. */
	clock = (struct clock_facts){ .hz = 1e9,
		.quantum = 1,
		.overhead = 400 };
	window = plan_window(&clock);
	assert_near(window.least, 8000);
	assert_near(window.target, 8000);
	assert_near(window.most, 200000);
}

/* ---- trials ----------------------------------------------------------- */

enum { MOST_POINTS = 64 };

static struct schedule planned(size_t points, unsigned clones, double trial_ns,
	double budget_s, const struct plan *plan, int64_t launches)
{
	static struct sizing sizing[MOST_POINTS];
	struct common common = { .launches = launches,
		.trials = PARAM_AUTO,
		.budget_ns = (int64_t)(budget_s * 1e9) };

	return plan_alike(sizing, points, clones, trial_ns, plan, &common);
}

static const struct plan by_rule;

/* An experiment may need fewer trials than the rules want, and never has more
 * than it can make. */
static void launches_that_are_enough(void **state)
{
	const struct plan few = { .launches = 6, .launches_least = 3 };
	const struct plan one = { .launches = 1, .launches_least = 3 };

	struct schedule schedule = planned(1, 1, 6000, 10, &few, PARAM_AUTO);
	assert_int_equal(schedule.launches_least, 3);
	assert_int_equal(schedule.launches_most, 6);
	schedule = planned(1, 1, 6000, 10, &one, PARAM_AUTO);
	assert_int_equal(schedule.launches_least, 1);
	assert_int_equal(schedule.launches_most, 1);
}

static void cheap_trials_fill_fifty_milliseconds(void **state)
{
	struct schedule one = planned(1, 1, 6000, 10, &by_rule, PARAM_AUTO);

	assert_int_equal(one.points[0].trials, 8333);
	assert_int_equal(one.points[0].canary_every, 1);
	assert_int_equal(one.launches_least, LAUNCHES_LEAST);
	assert_int_equal(one.launches_most, LAUNCHES_MOST);
	/* Distributed over the points of a sweep, but at least 5 ms each. */
	struct schedule five = planned(5, 1, 6000, 10, &by_rule, PARAM_AUTO);
	assert_int_equal(five.points[4].trials, 1666);
	struct schedule many = planned(50, 1, 6000, 100, &by_rule, PARAM_AUTO);
	assert_int_equal(many.points[49].trials, 833);
	/* Also distributed over the clones, each of which shows its median. */
	struct schedule clones = planned(1, 16, 6000, 10, &by_rule, PARAM_AUTO);
	assert_int_equal(clones.points[0].trials, 520);
	/* Trials shorter than 10 us share canaries. */
	struct schedule quick = planned(1, 1, 2000, 10, &by_rule, PARAM_AUTO);
	assert_int_equal(quick.points[0].canary_every, 5);
	assert_int_equal(quick.points[0].trials, TRIALS_MOST);
}

/* For all sizes the wanted launches fit the budget, unless expensive set-ups
 * demand more trials. All samples fit a tape. */
static void the_budget_is_split_over_the_points(void **state)
{
	uint64_t random = 3;

	for (int round = 0; round < 5000; round++) {
		size_t points = 1 + random_below(&random, MOST_POINTS);
		unsigned clones = random_below(&random, 2) ? 16 : 1;
		double trial_ns = pow(10, 3 + (double)random_below(&random, 5));
		double budget_s = 1 + (double)random_below(&random, 60);
		struct schedule plan = planned(points, clones, trial_ns,
			budget_s, &by_rule, PARAM_AUTO);
		unsigned trials = plan.points[0].trials;

		for (size_t i = 0; i < points; i++)
			assert_int_equal(plan.points[i].trials, trials);
		assert_in_range(trials, 1, TRIALS_MOST);
		double launches = LAUNCHES_PRECISE + 2;
		if (trials > 1 && trials * trial_ns > 1e6 / 10)
			assert_true(
				plan.launch_ns * launches <= budget_s * 1e9);
		double visits = (double)points * clones;
		assert_near(plan.launch_ns,
			4e6 + visits * (1e6 + trials * trial_ns));
		/* A trial has its own sample, with others a canary, and after
		 * each millisecond one of usage. In addition there are those at
		 * the beginning of a visit. */
		assert_true(visits * (8 + trials * 2.25) * LAUNCHES_MOST <=
			TAPE_SAMPLES_MAX);
		double each = 1 + 1. / plan.points[0].canary_every +
			fmin(trial_ns / 1e6, 1);
		assert_true((double)plan.samples >=
			visits * (8 + trials * each));
	}
}

static void twice_the_points_get_half_the_trials(void **state)
{
	struct schedule few = planned(8, 1, 1e6, 10, &by_rule, PARAM_AUTO);
	double trials = few.points[0].trials;

	struct schedule many = planned(16, 1, 1e6, 10, &by_rule, PARAM_AUTO);
	assert_within(trials / many.points[0].trials, 2., .1);
}

/* After a set-up of a second, a visit makes more trials than the minimum, but
 * not so many that it takes much longer. */
static void a_dear_set_up_buys_trials(void **state)
{
	const struct plan plan = { .trials_least = 33, .draws_least = 2 };
	struct sizing sizing[] = { { .trial_ns = 1e5, .setup_ns = 1e9 } };
	struct schedule schedule = { .points = sizing,
		.count = 1,
		.clones = 1,
		.emits = 1 };
	struct common common = { .launches = PARAM_AUTO,
		.trials = PARAM_AUTO,
		.budget_ns = 6000000000 };

	plan_trials(&schedule, &plan, &common, 0);
	/* Cheap trials: 50 ms of them. */
	assert_int_equal(sizing[0].trials, 500);
	sizing[0].setup_ns = 1e8;
	common.budget_ns = 1000000000;
	plan_trials(&schedule, &plan, &common, 0);
	assert_int_equal(sizing[0].trials, 100);
	/* A trial that takes as long as its set-up is not repeated more often
	 * than necessary. */
	sizing[0].trial_ns = 1e8;
	plan_trials(&schedule, &plan, &common, 0);
	assert_int_equal(sizing[0].trials, 33);
}

static void clones_share_a_warm_up(void **state)
{
	struct schedule schedule = { .clones = 1 };

	assert_near(plan_warm_up_ns(&schedule), 1e6);
	schedule.clones = 16;
	assert_near(plan_warm_up_ns(&schedule), 62500);
}

static void points_that_are_skipped_cost_nothing(void **state)
{
	struct sizing sizing[4] = { { .skip = true }, { .skip = true },
		{ .trial_ns = 1e6, .setup_ns = 1e6 }, { .skip = true } };
	struct schedule schedule = { .points = sizing,
		.count = 4,
		.clones = 1,
		.emits = 1 };
	struct common common = { .launches = PARAM_AUTO,
		.trials = PARAM_AUTO,
		.budget_ns = 1000000000 };

	plan_trials(&schedule, &by_rule, &common, 0);
	struct schedule alone = planned(1, 1, 1e6, 1, &by_rule, PARAM_AUTO);
	assert_int_equal(sizing[2].trials, alone.points[0].trials);
	assert_near(schedule.launch_ns, alone.launch_ns);
	assert_int_equal(sizing[0].trials, 0);
	/* The pilot's time is subtracted from the budget. */
	plan_trials(&schedule, &by_rule, &common, .5e9);
	assert_true(sizing[2].trials < alone.points[0].trials);
}

/* The user's value has priority over the experiment's, and this one over the
 * rules. */
static void what_is_asked_for_wins(void **state)
{
	struct plan own = { .trials = 33, .launches = 12 };
	struct schedule schedule = planned(1, 1, 1e4, 10, &own, PARAM_AUTO);

	assert_int_equal(schedule.points[0].trials, 33);
	assert_int_equal(schedule.launches_most, 12);
	schedule = planned(1, 1, 1e4, 10, &own, 7);
	assert_int_equal(schedule.launches_most, 7);
	struct common common = { .launches = PARAM_AUTO,
		.trials = 5,
		.budget_ns = 1000000000 };
	plan_trials(&schedule, &own, &common, 0);
	assert_int_equal(schedule.points[0].trials, 5);
}

/* ---- results of a distribution ---------------------------------------- */

static double uniform(uint64_t *random)
{
	return ((double)(next_random(random) >> 11) + .5) * 0x1p-53;
}

/* ---- R9: the coverage of the interval ---------------------------------- */

/* Locations of launches: the inverse of each distribution, whose median is at p
 * = 0.5. */
static double normal1(double p)
{
	return 1 + .01 * gsl_cdf_ugaussian_Pinv(p);
}

static double normal3(double p)
{
	return 1 + .03 * gsl_cdf_ugaussian_Pinv(p);
}

static double skewed(double p)
{
	return 1 + .02 * gsl_cdf_exponential_Pinv(p, 1);
}

/* Two memory layouts, 4 % apart; the first in two launches of three. */
static double bimodal(double p)
{
	return p < 2. / 3 ? 1 + .01 * gsl_cdf_ugaussian_Pinv(p * 1.5) :
			    1.04 + .01 * gsl_cdf_ugaussian_Pinv(p * 3 - 2);
}

static const struct {
	const char *name;
	double (*at)(double p);
} laws[] = { { "normal 1 %", normal1 }, { "normal 3 %", normal3 },
	{ "skewed", skewed }, { "bimodal", bimodal } };

/* A run as in run.c: it checks its precision after fixed numbers of launches,
 * and may end after ten. Returns the number of launches. */
static unsigned simulate(struct results *results, double (*law)(double p),
	uint64_t *random, double precision)
{
	unsigned launches = 0, look = plan_next_look(0);

	while (launches < LAUNCHES_MOST) {
		results_add_launch(results);
		launches++;
		add_visit(results, 0, law(uniform(random)), 1, 0);
		if (launches < look)
			continue;
		look = plan_next_look(launches);
		if (launches >= LAUNCHES_PRECISE &&
			plan_precise(results, precision))
			break;
	}
	return launches;
}

static void intervals_cover_the_truth(void **state)
{
	enum { RUNS = 1000 };
	uint64_t random = 20;

	for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
		double truth = laws[l].at(.5) * TICKS;
		unsigned covered = 0, ends[LAUNCHES_MOST + 1] = { 0 };

		for (int run = 0; run < RUNS; run++) {
			struct results *results = results_of(1);
			struct digest digest;
			unsigned launches =
				simulate(results, laws[l].at, &random, .01);

			ends[launches]++;
			assert_true(digest_of(results, &results->points[0], 0,
				&digest));
			assert_true(digest.summary.has_interval);
			covered += digest.summary.interval.low <= truth &&
				truth <= digest.summary.interval.high;
			results_free(results);
		}
		print_message("%-10s covered %.3f, ended at 10: %u 15: %u "
			      "20: %u 30: %u\n",
			laws[l].name, covered / (double)RUNS, ends[10],
			ends[15], ends[20], ends[30]);
		assert_int_equal(ends[10] + ends[15] + ends[20] + ends[30],
			RUNS);
		assert_in_range(covered, .92 * RUNS, .98 * RUNS);
	}
}

static void looks_are_few_and_fixed(void **state)
{
	static const unsigned looks[] = { 6, 10, 15, 20, 30 };
	unsigned launches = 0;

	for (size_t i = 0; i < 5; i++) {
		for (; launches < looks[i]; launches++)
			assert_int_equal(plan_next_look(launches), looks[i]);
	}
	assert_int_equal(plan_next_look(30), 31);
}

/* ---- enough? ---------------------------------------------------------- */

/* Launches at 1 - off, 1, 1 + off in turn: the half-width is `off`. */
static struct results *scattered(size_t points, double off, unsigned launches)
{
	struct results *results = results_of(points);

	for (unsigned i = 0; i < launches; i++) {
		results_add_launch(results);
		for (size_t p = 0; p < points; p++)
			add_visit(results, p, 1 + off * ((int)(i % 3) - 1), 3,
				0);
	}
	return results;
}

static void precise_means_every_point(void **state)
{
	struct results *results = scattered(2, .01, 12);

	assert_true(plan_precise(results, .0101));
	assert_false(plan_precise(results, .0099));
	/* A point that cannot be measured does not prevent the end of a run. */
	struct point *third = results_add_point(results);
	assert_false(plan_precise(results, .0101));
	third->state = POINT_UNAVAILABLE;
	assert_true(plan_precise(results, .0101));
	results_free(results);
	/* With fewer than six launches there is no interval. */
	results = scattered(1, 0, 5);
	assert_false(plan_precise(results, 1));
	results_free(results);
}

/* The required precision is never below the resolution of the clock. */
static void the_clocks_resolution_is_enough(void **state)
{
	struct results *results = scattered(1, .01, 12);

	assert_false(plan_precise(results, .001));
	results->clock.quantum = .01 * TICKS;
	assert_true(plan_precise(results, .001));
	results_free(results);
}

static void launches_needed_grow_with_the_square(void **state)
{
	struct results *results = scattered(1, .01, 12);

	assert_int_equal(plan_launches_needed(results, .0100001, 30), 12);
	assert_int_equal(plan_launches_needed(results, .008, 30), 19);
	assert_int_equal(plan_launches_needed(results, .001, 30), 30);
	assert_int_equal(plan_launches_needed(results, .1, 30),
		LAUNCHES_PRECISE);
	results_free(results);
	results = scattered(1, .01, 3);
	assert_int_equal(plan_launches_needed(results, .01, 30),
		LAUNCHES_PRECISE);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trials_are_as_long_as_the_clock_needs),
		cmocka_unit_test(launches_that_are_enough),
		cmocka_unit_test(cheap_trials_fill_fifty_milliseconds),
		cmocka_unit_test(the_budget_is_split_over_the_points),
		cmocka_unit_test(twice_the_points_get_half_the_trials),
		cmocka_unit_test(a_dear_set_up_buys_trials),
		cmocka_unit_test(clones_share_a_warm_up),
		cmocka_unit_test(points_that_are_skipped_cost_nothing),
		cmocka_unit_test(what_is_asked_for_wins),
		cmocka_unit_test(intervals_cover_the_truth),
		cmocka_unit_test(looks_are_few_and_fixed),
		cmocka_unit_test(precise_means_every_point),
		cmocka_unit_test(the_clocks_resolution_is_enough),
		cmocka_unit_test(launches_needed_grow_with_the_square),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
