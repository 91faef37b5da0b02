/* Sick machines are found in simulated fleets, and good ones are not. */
#include "outliers.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "check.h"
#include "compare.h"

enum { MACHINES = 1000, FLEETS = 100 };
static const double expected = .01;

struct fleet {
	double figures[MACHINES], p[MACHINES];
	struct outlier out[MACHINES];
	struct outliers found;
};

static void find(struct fleet *fleet, size_t n)
{
	fleet->found =
		outliers_find(fleet->figures, n, expected, fleet->out);
	for (size_t i = 0; i < n; i++)
		fleet->p[i] = fleet->out[i].p;
	holm_adjust(fleet->p, n);
}

static void make(struct fleet *fleet, size_t n, double sd, gsl_rng *random)
{
	for (size_t i = 0; i < n; i++)
		fleet->figures[i] = 80 * exp(gsl_ran_gaussian(random, sd));
}

/* The expected spread of good machines is double theirs: it must not hide a
 * machine that is 4 % slower. */
static void sick_machines_are_found(void **state)
{
	static const double sick[] = { 1.04, 1.08, 1.2, .9 };
	enum { SICK = sizeof sick / sizeof *sick };
	static struct fleet fleet;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t missed = 0, false_ones = 0;

	for (int round = 0; round < FLEETS; round++) {
		make(&fleet, MACHINES, expected / 2, random);
		for (int i = 0; i < SICK; i++)
			fleet.figures[i * 100] = 80 * sick[i];
		find(&fleet, MACHINES);
		for (int i = 0; i < MACHINES; i++) {
			bool is_sick = i % 100 == 0 && i < 100 * SICK;
			bool told = fleet.p[i] < OUTLIERS_LEVEL;

			missed += is_sick && !told;
			false_ones += !is_sick && told;
		}
		assert_in_range(fleet.found.centre * 100, 7960, 8040);
	}
	gsl_rng_free(random);
	assert_int_equal(missed, 0);
	assert_in_range(false_ones, 0, 1);
}

/* Of four machines that agree by chance within a thousandth, one that differs
 * by 1 % is not sick, and one that takes half as long again is. */
static void few_machines(void **state)
{
	struct fleet fleet = { .figures = { 80, 80.04, 80.08, 80.8 } };

	find(&fleet, 4);
	for (int i = 0; i < 4; i++)
		assert_true(fleet.p[i] > OUTLIERS_LEVEL);
	fleet.figures[1] = 120;
	find(&fleet, 4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(fleet.p[i] < OUTLIERS_LEVEL, i == 1);
	assert_near(fleet.out[1].away, log(120 / fleet.found.centre));
}

/* In small fleets the spread is known least. */
static void small_fleets_raise_no_alarm(void **state)
{
	static struct fleet fleet;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t false_fleets = 0;

	for (size_t n = 3; n < 24; n++)
		for (int round = 0; round < FLEETS; round++) {
			size_t told = 0;

			make(&fleet, n, expected, random);
			find(&fleet, n);
			for (size_t i = 0; i < n; i++)
				told += fleet.p[i] < OUTLIERS_LEVEL;
			false_fleets += told > 0;
		}
	gsl_rng_free(random);
	assert_in_range(false_fleets, 0, 21);
}

static void one_machine_or_none(void **state)
{
	struct fleet fleet = { .figures = { 80 } };

	find(&fleet, 1);
	assert_near(fleet.found.centre, 80);
	assert_near(fleet.out[0].p, 1);
	assert_true(isnan(outliers_find(NULL, 0, expected, NULL).centre));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sick_machines_are_found),
		cmocka_unit_test(few_machines),
		cmocka_unit_test(small_fleets_raise_no_alarm),
		cmocka_unit_test(one_machine_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
