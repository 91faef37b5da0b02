/* Variances of machines, runs and launches are told apart. */
#include "split.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "check.h"

enum { VALUES = 4096 };

struct design {
	struct split_value values[VALUES];
	size_t count;
};

/* Numbers of runs and launches vary from machine to machine. */
static void simulate(struct design *design, const struct split *sd,
	size_t machines, gsl_rng *random)
{
	design->count = 0;
	for (size_t m = 0; m < machines; m++) {
		double machine = 4 + gsl_ran_gaussian(random, sd->machine);

		for (size_t r = 0; r < 2 + m % 3; r++) {
			double run =
				machine + gsl_ran_gaussian(random, sd->run);

			for (size_t l = 0; l < 6 + (m + r) % 4; l++)
				design->values[design->count++] =
					(struct split_value){ m, r,
						run +
							gsl_ran_gaussian(random,
								sd->launch) };
		}
	}
}

static void check_parts(const struct split *sd)
{
	enum { ROUNDS = 200, MACHINES = 40 };
	static struct design design;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct split sum = { 0, 0, 0 };

	for (int i = 0; i < ROUNDS; i++) {
		simulate(&design, sd, MACHINES, random);
		struct split split = split_of(design.values, design.count);
		sum.machine += split.machine / ROUNDS;
		sum.run += split.run / ROUNDS;
		sum.launch += split.launch / ROUNDS;
	}
	gsl_rng_free(random);
	assert_true(fabs(sqrt(sum.machine) - sd->machine) < .002);
	assert_true(fabs(sqrt(sum.run) - sd->run) < .002);
	assert_true(fabs(sqrt(sum.launch) - sd->launch) < .001);
}

static void parts_are_told_apart(void **state)
{
	check_parts(&(struct split){ .04, .02, .01 });
	check_parts(&(struct split){ .03, .03, .05 });
	check_parts(&(struct split){ .03, .05, .02 });
}

/* By hand: two machines, each with two runs of two launches, whose means are 1,
 * 3 and 7, 9. Mean squares: launches 2, runs 4, machines 72. */
static void balanced(void **state)
{
	static const struct split_value values[] = { { 0, 0, 0 }, { 0, 0, 2 },
		{ 0, 1, 2 }, { 0, 1, 4 }, { 1, 0, 6 }, { 1, 0, 8 }, { 1, 1, 8 },
		{ 1, 1, 10 } };
	struct split split = split_of(values, sizeof values / sizeof *values);

	assert_near(split.launch, 2);
	assert_near(split.run, (4 - 2) / 2.);
	assert_near(split.machine, (72 - 4) / 4.);
}

static void unseen_parts(void **state)
{
	static const struct split_value values[] = { { 0, 0, 1 }, { 0, 0, 2 },
		{ 0, 0, 3 }, { 1, 0, 5 }, { 1, 0, 6 }, { 1, 0, 7 } };
	struct split split = split_of(values, 3);

	assert_near(split.launch, 1);
	assert_true(isnan(split.run));
	assert_true(isnan(split.machine));
	split = split_of(values, 6);
	assert_near(split.launch, 1);
	assert_true(isnan(split.run));
	assert_near(split.machine, (24 - 1) / 3.);
	split = split_of(values, 0);
	assert_true(isnan(split.launch));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_told_apart),
		cmocka_unit_test(balanced),
		cmocka_unit_test(unseen_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
