/* The interval of the median: its ranks, and its actual coverage. */
#include "interval.h"

#include <gsl/gsl_cdf.h>

#include "check.h"
#include "quantile.h"
#include "vectors.h"

static void ranks_and_coverage(void **state)
{
	static const struct {
		size_t n, k;
		double coverage;
	} rows[] = {
		{ 6, 1, .96875 },
		{ 10, 2, .978515625 },
		{ 11, 2, .98828125 },
		{ 15, 4, .96484375 },
		{ 20, 6, .9586105347 },
		{ 30, 10, .9572 },
	};
	double values[30];
	struct interval interval;

	for (size_t i = 0; i < 30; i++)
		values[i] = (double)i + 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double n = (double)rows[i].n, k = (double)rows[i].k;

		assert_true(
			interval_of_median(values, rows[i].n, .95, &interval));
		assert_int_equal(interval.k, rows[i].k);
		assert_within(interval.coverage, rows[i].coverage,
			rows[i].n == 30 ? 1e-4 : 1e-9);
		assert_near(interval.low, k);
		assert_near(interval.high, n + 1 - k);
	}
}

static void interval_of_known_samples(void **state)
{
	struct interval interval;
	double *sorted = values_sorted_copy(bimodal, BIMODAL_N);

	assert_true(interval_of_median(skewed, SKEWED_N, .95, &interval));
	assert_near(interval.low, 24);
	assert_near(interval.high, 41);
	assert_true(interval_of_median(sorted, BIMODAL_N, .95, &interval));
	assert_near(interval.low, 100.2);
	assert_near(interval.high, 150);
	free(sorted);
}

static void too_few_values_have_none(void **state)
{
	static const double values[] = { 1, 2, 3, 4, 5, 6 };
	struct interval interval = { .low = 7, .high = 8, .k = 9 };

	for (size_t n = 0; n < 6; n++)
		assert_false(interval_of_median(values, n, .95, &interval));
	assert_near(interval.low, 7);
	assert_near(interval.high, 8);
	assert_int_equal(interval.k, 9);
	assert_true(interval_of_median(values, 6, .95, &interval));
	assert_false(interval_of_median(values, 6, .99, &interval));
	assert_true(interval_of_median(values, 2, .5, &interval));
	assert_near(interval.coverage, .5);
}

/* k is the largest rank that keeps the confidence level, for any n. */
static void coverage_is_the_least_that_suffices(void **state)
{
	double values[300] = { 0 };
	struct interval interval;

	for (unsigned n = 6; n <= 300; n++) {
		assert_true(interval_of_median(values, n, .95, &interval));
		assert_true(interval.coverage >= .95);
		double next = gsl_cdf_binomial_P((unsigned)interval.k, .5, n);
		assert_true(next > .025);
	}
}

static void a_million_values(void **state)
{
	enum { N = 1000000 };
	double *values = malloc(N * sizeof *values);
	struct interval interval;

	for (size_t i = 0; i < N; i++)
		values[i] = (double)i;
	assert_true(interval_of_median(values, N, .95, &interval));
	assert_true(interval.coverage >= .95 && interval.coverage < .951);
	assert_within((double)interval.k, N / 2. - .98 * sqrt(N), 1e-5);
	free(values);
}

/* Distributions of launch medians; each has the median 100. */
static double normal_1(gsl_rng *random)
{
	return 100 + gsl_ran_gaussian(random, 1);
}

static double normal_3(gsl_rng *random)
{
	return 100 + gsl_ran_gaussian(random, 3);
}

static double lognormal_2(gsl_rng *random)
{
	return 98 + gsl_ran_lognormal(random, log(2), .7);
}

/* 65 % at the lower of two levels, 10 % apart. */
static double two_levels(gsl_rng *random)
{
	double median = gsl_cdf_ugaussian_Pinv(.5 / .65);
	double level = gsl_rng_uniform(random) < .65 ? 0 : 10;

	return 100 - median + level + gsl_ran_gaussian(random, 1);
}

static double coverage_of(double (*law)(gsl_rng *), size_t n, gsl_rng *random)
{
	enum { RUNS = 20000 };
	double values[20];
	struct interval interval;
	unsigned held = 0;

	for (size_t run = 0; run < RUNS; run++) {
		for (size_t i = 0; i < n; i++)
			values[i] = law(random);
		values_sort(values, n);
		assert_true(interval_of_median(values, n, .95, &interval));
		held += interval.low <= 100 && interval.high >= 100;
	}
	return held / (double)RUNS;
}

static void coverage_of_every_law(void **state)
{
	static double (*const laws[])(
		gsl_rng *) = { normal_1, normal_3, lognormal_2, two_levels };
	gsl_rng *random = generator(20);

	for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
		for (size_t n = 10; n <= 20; n += 10) {
			double held = coverage_of(laws[i], n, random);
			double exact = n == 10 ? .9785 : .9586;

			assert_true(held >= .92 && held <= .98);
			assert_true(fabs(held - exact) < .005);
		}
	gsl_rng_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_and_coverage),
		cmocka_unit_test(interval_of_known_samples),
		cmocka_unit_test(too_few_values_have_none),
		cmocka_unit_test(coverage_is_the_least_that_suffices),
		cmocka_unit_test(a_million_values),
		cmocka_unit_test(coverage_of_every_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
