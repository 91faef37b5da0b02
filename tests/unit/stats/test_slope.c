/* Lines: the robust one, compared with least squares. */
#include "slope.h"

#include "check.h"
#include "vectors.h"

static const double count[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const double wild[] = { 2.10, 2.31, 2.58, 2.79, 3.05, 3.26, 9.90, 3.77 };

static void one_wild_point_moves_it_little(void **state)
{
	struct slope line;

	assert_true(slope_theil_sen(count, wild, 8, &line));
	assert_near(line.slope, .24);
	assert_near(line.intercept, 2.08);
	assert_near(line.low, .23);
	assert_near(line.high, 1.3);
}

static void order_of_points_does_not_matter(void **state)
{
	double x[8], y[8];
	struct slope line;

	for (size_t i = 0; i < 8; i++) {
		x[i] = count[i * 3 % 8];
		y[i] = wild[i * 3 % 8];
	}
	assert_true(slope_theil_sen(x, y, 8, &line));
	assert_near(line.slope, .24);
	assert_near(line.low, .23);
	assert_near(line.high, 1.3);
}

static void too_few_points_have_no_line(void **state)
{
	static const double same[] = { 4, 4, 4 }, other[] = { 1, 2, 3 };
	struct slope line = { .slope = 7 };

	for (size_t n = 0; n <= 3; n++)
		assert_false(slope_theil_sen(same, other, n, &line));
	assert_near(line.slope, 7);
}

static void two_points_are_the_line(void **state)
{
	struct slope line;

	assert_true(slope_theil_sen(count, wild, 2, &line));
	assert_near(line.slope, .21);
	assert_near(line.intercept, 2.10);
	assert_near(line.low, .21);
	assert_near(line.high, .21);
}

/* Several launches at each x, as in a sweep. */
static void repeated_x_are_not_paired(void **state)
{
	double x[60], y[60];
	gsl_rng *random = generator(3);
	struct slope line;

	for (size_t i = 0; i < 60; i++) {
		size_t place = i / 10;

		x[i] = (double)place;
		y[i] = 5 + 2 * x[i] + gsl_ran_gaussian(random, .1);
	}
	assert_true(slope_theil_sen(x, y, 60, &line));
	assert_within(line.slope, 2, .02);
	assert_within(line.intercept, 5, .02);
	assert_true(line.low < 2 && line.high > 2);
	assert_true(line.high - line.low < .1);
	gsl_rng_free(random);
}

static void level_values_have_slope_0(void **state)
{
	static const double x[] = { 1, 1, 1, 2, 2, 2 };
	static const double y[] = { 3, 3, 3, 3, 3, 3 };
	struct slope line;

	assert_true(slope_theil_sen(x, y, 6, &line));
	assert_near(line.slope, 0);
	assert_near(line.intercept, 3);
	assert_near(line.low, 0);
	assert_near(line.high, 0);
	assert_near(kendall_variance(x, y, 6), 0);
}

/* The interval contains the true slope about as often as its confidence
 * level. */
static void interval_keeps_its_word(void **state)
{
	enum { RUNS = 1000 };
	gsl_rng *random = generator(4);
	unsigned held = 0;

	for (size_t run = 0; run < RUNS; run++) {
		double x[20], y[20];
		struct slope line;

		for (size_t i = 0; i < 20; i++) {
			x[i] = (double)i;
			y[i] = x[i] + gsl_ran_laplace(random, 3);
		}
		assert_true(slope_theil_sen(x, y, 20, &line));
		held += line.low <= 1 && line.high >= 1;
	}
	assert_true(held >= RUNS * .93 && held <= RUNS * .98);
	gsl_rng_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_wild_point_moves_it_little),
		cmocka_unit_test(order_of_points_does_not_matter),
		cmocka_unit_test(too_few_points_have_no_line),
		cmocka_unit_test(two_points_are_the_line),
		cmocka_unit_test(repeated_x_are_not_paired),
		cmocka_unit_test(level_values_have_slope_0),
		cmocka_unit_test(interval_keeps_its_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
