/* Sick machines of simulated fleets are found, and no others. */
#include "fleet.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"

enum { MACHINES = 1000, SERIES = 21, LAUNCHES = 16, FLEETS = 100 };
enum {
	SLOW_4 = 17,
	SLOW_8 = 300,
	SLOW_20 = 555,
	KERNEL = 700,
	SCATTERED = 999
};
static const double expected = .01;

/* Standard deviations: of machines, of launches. */
static const double machine_sd = .005, launch_sd = .01;

static struct fleet_figure figures[MACHINES * SERIES];
static double launches[MACHINES * SERIES][LAUNCHES];
static size_t groups[MACHINES];

static double slower(size_t machine)
{
	return machine == SLOW_4 ? 1.04 :
		machine == SLOW_8 ? 1.08 :
		machine == SLOW_20 ? 1.2 : 1;
}

/* One run of every series per machine; `sick`: of the chosen machines three
 * are slower, and one scatters with twice the variance. */
static void simulate(size_t machines, bool sick, gsl_rng *random)
{
	for (size_t i = 0; i < machines * SERIES; i++) {
		size_t m = i / SERIES, s = i % SERIES;
		double sd = launch_sd *
			(sick && m == SCATTERED ? sqrt(2) : 1);
		double log_value = log(10. * (double)(s + 1)) +
			log(sick ? slower(m) : 1) +
			gsl_ran_gaussian_ziggurat(random, machine_sd), sum = 0;

		for (size_t k = 0; k < LAUNCHES; k++) {
			double value = log_value +
				gsl_ran_gaussian_ziggurat(random, sd);

			sum += value / LAUNCHES;
			launches[i][k] = exp(value);
		}
		figures[i] = (struct fleet_figure){ m, s, exp(sum),
			launches[i], LAUNCHES };
	}
}

static bool is_told(const struct fleet *fleet, size_t machine,
	enum fleet_kind kind)
{
	for (size_t i = 0; i < fleet->outlier_count; i++)
		if (fleet->outliers[i].machine == machine &&
			fleet->outliers[i].kind == kind)
			return true;
	return false;
}

static size_t told_of_others(const struct fleet *fleet)
{
	size_t count = 0;

	for (size_t i = 0; i < fleet->outlier_count; i++) {
		size_t machine = fleet->outliers[i].machine;

		count += slower(machine) == 1 && machine != SCATTERED &&
			machine != KERNEL;
	}
	return count;
}

/* Five sick machines of 1000, one of them with another kernel. */
static void sick_machines(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t false_ones = 0;

	groups[KERNEL] = 1;
	for (int i = 0; i < FLEETS; i++) {
		struct fleet fleet;

		simulate(MACHINES, true, random);
		fleet_find(figures, MACHINES * SERIES, groups, expected,
			&fleet);
		assert_true(is_told(&fleet, SLOW_4, FLEET_OVERALL));
		assert_true(is_told(&fleet, SLOW_8, FLEET_OVERALL));
		assert_true(is_told(&fleet, SLOW_20, FLEET_OVERALL));
		assert_true(is_told(&fleet, SLOW_20, FLEET_SERIES));
		assert_true(is_told(&fleet, SCATTERED, FLEET_SCATTER));
		assert_true(is_told(&fleet, KERNEL, FLEET_SURROUNDINGS));
		assert_false(is_told(&fleet, KERNEL, FLEET_OVERALL));
		false_ones += told_of_others(&fleet);
		fleet_free(&fleet);
	}
	groups[KERNEL] = 0;
	gsl_rng_free(random);
	assert_in_range(false_ones, 0, 1);
}

/* Every second machine is of a model that is 30 % slower, and one is of a third
 * model. The same sick machines are found within their groups, which
 * hide them if all machines are compared with each other. */
static void sick_among_models(void **state)
{
	enum { OTHER = 701 };
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct fleet fleet;

	simulate(MACHINES, true, random);
	for (size_t i = 0; i < MACHINES * SERIES; i++)
		if (figures[i].machine % 2) {
			groups[figures[i].machine] = 1;
			figures[i].value *= 1.3;
		}
	groups[OTHER] = 2;
	fleet_find(figures, MACHINES * SERIES, groups, expected, &fleet);
	assert_true(is_told(&fleet, SLOW_4, FLEET_OVERALL));
	assert_true(is_told(&fleet, SLOW_8, FLEET_OVERALL));
	assert_true(is_told(&fleet, SLOW_20, FLEET_OVERALL));
	assert_true(is_told(&fleet, SCATTERED, FLEET_SCATTER));
	assert_int_equal(told_of_others(&fleet), 0);
	assert_int_equal(fleet.group_count, 3);
	assert_int_equal(fleet.groups[0].machines, 500);
	assert_int_equal(fleet.groups[0].first, 0);
	assert_int_equal(fleet.groups[1].machines, 499);
	assert_int_equal(fleet.groups[2].machines, 1);
	assert_within(fleet.groups[1].ratio / fleet.groups[0].ratio, 1.3, .01);
	assert_within(fleet.groups[2].ratio / fleet.groups[1].ratio, 1, .01);
	/* No group has nine tenths of the machines. */
	assert_false(is_told(&fleet, OTHER, FLEET_SURROUNDINGS));
	fleet_free(&fleet);
	fleet_find(figures, MACHINES * SERIES, NULL, expected, &fleet);
	assert_false(is_told(&fleet, SLOW_4, FLEET_OVERALL));
	assert_false(is_told(&fleet, SLOW_8, FLEET_OVERALL));
	fleet_free(&fleet);
	for (size_t i = 0; i < MACHINES; i++)
		groups[i] = 0;
	gsl_rng_free(random);
}

/* Good machines in groups of three, the smallest that are compared with each
 * other only. */
static void small_groups(void **state)
{
	enum { MODELS = 30 };
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t false_fleets = 0;

	for (int i = 0; i < FLEETS; i++) {
		struct fleet fleet;

		simulate(MODELS * FLEET_LEAST, false, random);
		for (size_t k = 0; k < MODELS * FLEET_LEAST * SERIES; k++) {
			size_t model = figures[k].machine / FLEET_LEAST;

			groups[figures[k].machine] = model;
			figures[k].value *= 1 + (double)model;
		}
		fleet_find(figures, MODELS * FLEET_LEAST * SERIES, groups,
			expected, &fleet);
		false_fleets += fleet.outlier_count > 0;
		fleet_free(&fleet);
	}
	for (size_t i = 0; i < MACHINES; i++)
		groups[i] = 0;
	gsl_rng_free(random);
	assert_in_range(false_fleets, 0, FLEETS / 100);
}

/* Many small fleets of good machines. */
static void good_machines(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t false_fleets = 0, fleets = 0;

	for (size_t machines = 1; machines <= 40; machines++)
		for (int i = 0; i < FLEETS; i++) {
			struct fleet fleet;

			simulate(machines, false, random);
			fleet_find(figures, machines * SERIES, NULL, expected,
				&fleet);
			false_fleets += fleet.outlier_count > 0;
			fleets++;
			fleet_free(&fleet);
		}
	gsl_rng_free(random);
	assert_in_range(false_fleets, 0, fleets / 100);
}

/* The parts of the variance are those of the simulation. */
static void parts(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct fleet fleet;

	simulate(MACHINES, false, random);
	fleet_find(figures, MACHINES * SERIES, NULL, expected, &fleet);
	gsl_rng_free(random);
	assert_int_equal(fleet.machine_count, MACHINES);
	assert_int_equal(fleet.series_count, SERIES);
	for (size_t s = 0; s < SERIES; s++) {
		const struct fleet_series *series = &fleet.series[s];
		double centre = 10. * (double)(s + 1);

		assert_int_equal(series->machines, MACHINES);
		assert_true(fabs(series->centre / centre - 1) < .002);
		assert_true(series->low < centre && centre < series->high);
		assert_true(fabs(sqrt(series->split.launch) - launch_sd) <
			.001);
		assert_true(fabs(sqrt(series->split.machine) - machine_sd) <
			.001);
		assert_true(isnan(series->split.run));
	}
	fleet_free(&fleet);
}

/* One of four machines is slowed, and nothing is known of launches. A series
 * that only two machines have accuses none of them. */
static void four_nodes(void **state)
{
	static const struct fleet_figure nodes[] = { { 0, 0, 80, NULL, 0 },
		{ 1, 0, 80.4, NULL, 0 }, { 2, 0, 121, NULL, 0 },
		{ 2, 0, 120, NULL, 0 }, { 3, 0, 79.9, NULL, 0 },
		{ 0, 1, 9, NULL, 0 }, { 2, 1, 15, NULL, 0 } };
	struct fleet fleet;

	fleet_find(nodes, sizeof nodes / sizeof *nodes, NULL, expected,
		&fleet);
	assert_int_equal(fleet.outlier_count, 1);
	assert_int_equal(fleet.outliers[0].machine, 2);
	assert_int_equal(fleet.outliers[0].kind, FLEET_SERIES);
	assert_near(fleet.outliers[0].ratio, 120.5 / fleet.series[0].centre);
	assert_int_equal(fleet.series[1].machines, 2);
	assert_true(isnan(fleet.ratio[1 * 2 + 1]));
	assert_true(isnan(fleet.overall[2]));
	fleet_free(&fleet);
	fleet_find(NULL, 0, NULL, expected, &fleet);
	assert_int_equal(fleet.outlier_count, 0);
	fleet_free(&fleet);
}

/* What the launches leave open is no reason to accuse one of few machines. */
static void noisy_series(void **state)
{
	static const double quiet[] = { .1, .101, .099, .1, .1 };
	static const double noisy[] = { .02, .3, .1, .05, .4 };
	struct fleet_figure nodes[] = { { 0, 0, .1, NULL, 5 },
		{ 1, 0, .104, NULL, 5 }, { 2, 0, .3, NULL, 5 },
		{ 3, 0, .1, NULL, 5 } };
	struct fleet fleet;

	for (size_t i = 0; i < 4; i++)
		nodes[i].launches = quiet;
	fleet_find(nodes, 4, NULL, expected, &fleet);
	assert_int_equal(fleet.outlier_count, 1);
	fleet_free(&fleet);
	for (size_t i = 0; i < 4; i++)
		nodes[i].launches = noisy;
	fleet_find(nodes, 4, NULL, expected, &fleet);
	assert_int_equal(fleet.outlier_count, 0);
	fleet_free(&fleet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sick_machines),
		cmocka_unit_test(sick_among_models),
		cmocka_unit_test(small_groups),
		cmocka_unit_test(good_machines),
		cmocka_unit_test(parts),
		cmocka_unit_test(four_nodes),
		cmocka_unit_test(noisy_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
