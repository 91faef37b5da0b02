/* Steps of simulated histories are found when three runs after them are known,
 * and flat histories have no changes: the figure beside a canary and a memory
 * ruler, with Holm's method over all three. */
#include "run_history.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "check.h"

enum { RUNS = 200, AT = RUNS - CHANGES_SIDE, HISTORIES = 500 };
static const double noise = .02;

static char setting[] = "size=4K";
static struct surroundings surroundings;

/* Each kind of noise has the mean 0 and the standard deviation 1. */
static double normal(gsl_rng *random)
{
	return gsl_ran_gaussian(random, 1);
}

/* Three of ten runs are slower by five standard deviations of a mode. */
static double bimodal(gsl_rng *random)
{
	const double share = .3, apart = 5;
	double value = gsl_ran_gaussian(random, 1);

	if (gsl_rng_uniform(random) < share)
		value += apart;
	return (value - share * apart) /
		sqrt(1 + share * (1 - share) * apart * apart);
}

/* The figure is `step` times the noise higher from AT on. */
static void simulate(struct kept_point list[RUNS], double step,
	double (*kind)(gsl_rng *), gsl_rng *random)
{
	for (size_t i = 0; i < RUNS; i++) {
		double away = kind(random) + (i < AT ? 0 : step);
		double value = 100 * exp(noise * away);

		list[i] = (struct kept_point){
			.setting = setting,
			.surroundings = &surroundings,
			.metric = "time",
			.unit = UNIT_NS,
			.headline = { value, true, { value, value } },
			.shared = { .median = NAN },
			.regime = REGIME_ALONE,
			.quality = QUALITY_GOOD,
			.canary_ns = exp(noise * kind(random)),
			.ruler_ns = 70 * exp(noise * kind(random)),
		};
	}
}

/* Of HISTORIES: those with a change of the figure at the step, those with any
 * change of the figure, and the changed series that are flat. */
struct found {
	unsigned there, any, flat;
};

static void count(const struct history *history, struct found *found)
{
	found->there += history_near(history, HISTORY_FIGURE, AT) != NULL;
	found->any += history->series[HISTORY_FIGURE].changes.count > 0;
	found->flat += history->series[HISTORY_CANARY].changes.count > 0;
	found->flat += history->series[HISTORY_RULER].changes.count > 0;
}

static struct found find(double step, double (*kind)(gsl_rng *))
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct found found = { 0 };

	for (int i = 0; i < HISTORIES; i++) {
		struct kept_point list[RUNS];
		struct history history;

		simulate(list, step, kind, random);
		history_make("mem.made", list, RUNS, &history);
		count(&history, &found);
		history_free(&history);
	}
	gsl_rng_free(random);
	return found;
}

static void assert_step(double (*kind)(gsl_rng *))
{
	struct found found = find(3, kind);

	assert_in_range(found.there, HISTORIES * 95 / 100, HISTORIES);
	assert_in_range(found.flat, 0, 2 * HISTORIES * 5 / 100);
}

static void test_step(void **state)
{
	assert_step(normal);
	assert_step(bimodal);
}

static void assert_flat(double (*kind)(gsl_rng *))
{
	struct found found = find(0, kind);

	assert_in_range(found.any, 0, HISTORIES * 5 / 100);
	assert_in_range(found.flat, 0, 2 * HISTORIES * 5 / 100);
}

static void test_flat(void **state)
{
	assert_flat(normal);
	assert_flat(bimodal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
