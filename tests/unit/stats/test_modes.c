/* Modality: the number of levels in a sample, and the cuts between them. */
#include "modes.h"

#include <gsl/gsl_cdf.h>

#include "check.h"
#include "quantile.h"
#include "vectors.h"

enum { N = 1000 };

/* A normal sample without noise: the quantiles of the distribution. */
static void fill_normal(double *values, size_t n, double mean, double sd)
{
	for (size_t i = 0; i < n; i++)
		values[i] = mean +
			sd *
				gsl_cdf_ugaussian_Pinv(
					((double)i + .5) / (double)n);
}

static size_t fill_ticks(double *values)
{
	static const struct {
		double tick;
		size_t times;
	} rows[] = {
		{ 32, 200 },
		{ 34, 4800 },
		{ 36, 14600 },
		{ 38, 400 },
	};
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < rows[i].times; j++)
			values[n++] = rows[i].tick;
	return n;
}

static void two_levels_are_two_modes(void **state)
{
	double values[N];

	fill_normal(values, N / 2, 100, 3);
	fill_normal(values + N / 2, N / 2, 120, 3);
	values_sort(values, N);
	struct modes modes = modes_sorted(values, N, 0);
	assert_int_equal(modes.count, 2);
	assert_within(modes.at[0], 99.92460768, 1e-6);
	assert_within(modes.at[1], 120.0753923, 1e-6);
	assert_within(modes.cut[0], 108.9018863, 1e-6);
	assert_true(fabs(modes.share[0] - .5) < .002);
	assert_near(modes.share[0] + modes.share[1], 1);
}

static void one_level_is_one_mode(void **state)
{
	double values[N];

	fill_normal(values, N, 100, 3);
	struct modes modes = modes_sorted(values, N, 0);
	assert_int_equal(modes.count, 1);
	assert_within(modes.at[0], 100, .01);
	assert_near(modes.share[0], 1);
}

/* A density that only falls has no peak but one mode. */
static void a_floor_is_one_mode(void **state)
{
	double values[N];

	for (size_t i = 0; i < N; i++)
		values[i] =
			50 + gsl_cdf_exponential_Pinv(((double)i + .5) / N, 10);
	struct modes modes = modes_sorted(values, N, 0);
	assert_int_equal(modes.count, 1);
	assert_within(modes.at[0], 50, .01);
}

/* Readings of a quantised clock look like two spikes, unless its quantum is
 * known. */
static void ticks_of_a_clock_are_not_modes(void **state)
{
	double *values = malloc(20000 * sizeof *values);
	size_t n = fill_ticks(values);
	struct modes modes = modes_sorted(values, n, 0);

	assert_int_equal(modes.count, 2);
	modes = modes_sorted(values, n, 2);
	assert_int_equal(modes.count, 1);
	assert_within(modes.at[0], 36.08217192, 1e-6);
	free(values);
}

static void small_samples_are_not_assessed(void **state)
{
	double values[100];

	assert_int_equal(modes_sorted(NULL, 0, 0).count, 0);
	fill_normal(values, 99, 100, 1);
	assert_int_equal(modes_sorted(values, 99, 0).count, 0);
	fill_normal(values, 100, 100, 1);
	assert_int_equal(modes_sorted(values, 100, 0).count, 1);
}

static void equal_values_are_one_mode(void **state)
{
	static const double levels[] = { 0, 1e-300, .1, -5, 1e300 };
	double values[200];

	for (size_t level = 0; level < 5; level++) {
		for (size_t i = 0; i < 200; i++)
			values[i] = levels[level];
		struct modes modes = modes_sorted(values, 200, .5);
		assert_int_equal(modes.count, 1);
		assert_near(modes.at[0], levels[level]);
		assert_near(modes.share[0], 1);
	}
}

static void check_spike(double spike, double beside)
{
	double values[200];

	for (size_t i = 0; i < 200; i++)
		values[i] = spike;
	values[199] += beside;
	struct modes modes = modes_sorted(values, 200, 0);
	assert_true(modes.count >= 1);
	for (size_t i = 0; i < modes.count; i++) {
		assert_true(isfinite(modes.at[i]));
		assert_true(isfinite(modes.share[i]));
	}
	assert_within(modes.at[0], spike, 1e-6);
}

/* No division by a bin of width 0, for any values beside a spike. */
static void spikes_stay_finite(void **state)
{
	static const double beside[] = { 1e-12, 1, 1e6, 1e300 };

	for (size_t i = 0; i < 4; i++) {
		check_spike(0, beside[i]);
		check_spike(100, beside[i]);
	}
}

/* Two distant ticks of a fast clock. */
static void distant_ticks_are_two_modes(void **state)
{
	double values[400];

	for (size_t i = 0; i < 400; i++)
		values[i] = i < 200 ? 10 : 20;
	struct modes modes = modes_sorted(values, 400, .1);
	assert_int_equal(modes.count, 2);
	assert_within(modes.at[0], 10, .005);
	assert_within(modes.at[1], 20, .005);
	assert_near(modes.share[0], .5);
}

static void more_modes_than_fit(void **state)
{
	double values[1200], sum = 0;

	for (size_t i = 0; i < 12; i++)
		fill_normal(values + i * 100, 100, 100 + 10 * (double)i, .2);
	struct modes modes = modes_sorted(values, 1200, 0);
	assert_int_equal(modes.count, MODES_MAX);
	for (size_t i = 0; i < MODES_MAX; i++)
		sum += modes.share[i];
	assert_near(sum, 1);
	for (size_t i = 1; i < MODES_MAX; i++)
		assert_true(modes.at[i - 1] < modes.cut[i - 1] &&
			modes.cut[i - 1] < modes.at[i]);
}

static double one_normal(gsl_rng *random)
{
	return 100 + gsl_ran_gaussian(random, 2);
}

static double one_skewed(gsl_rng *random)
{
	return gsl_ran_lognormal(random, 3, .5);
}

static double two_normal(gsl_rng *random)
{
	double level = gsl_rng_uniform(random) < .65 ? 100 : 150;

	return level + gsl_ran_gaussian(random, 3);
}

static double three_normal(gsl_rng *random)
{
	double draw = gsl_rng_uniform(random);

	return (draw < .8                ? 100 :
			       draw < .9 ? 130 :
					   160) +
		gsl_ran_gaussian(random, 2);
}

static unsigned right_of(double (*law)(gsl_rng *), size_t n, size_t modes,
	gsl_rng *random)
{
	double *values = malloc(n * sizeof *values);
	unsigned right = 0;

	for (size_t run = 0; run < 30; run++) {
		for (size_t i = 0; i < n; i++)
			values[i] = law(random);
		values_sort(values, n);
		right += modes_sorted(values, n, 0).count == modes;
	}
	free(values);
	return right;
}

static void random_samples_are_judged_right(void **state)
{
	static const struct {
		double (*law)(gsl_rng *);
		size_t n, modes;
	} rows[] = {
		{ one_normal, 200, 1 },
		{ one_normal, 5000, 1 },
		{ one_skewed, 200, 1 },
		{ one_skewed, 5000, 1 },
		{ two_normal, 200, 2 },
		{ two_normal, 5000, 2 },
		{ three_normal, 5000, 3 },
	};
	gsl_rng *random = generator(8);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_true(right_of(rows[i].law, rows[i].n, rows[i].modes,
				    random) >= 29);
	gsl_rng_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_levels_are_two_modes),
		cmocka_unit_test(one_level_is_one_mode),
		cmocka_unit_test(a_floor_is_one_mode),
		cmocka_unit_test(ticks_of_a_clock_are_not_modes),
		cmocka_unit_test(small_samples_are_not_assessed),
		cmocka_unit_test(equal_values_are_one_mode),
		cmocka_unit_test(spikes_stay_finite),
		cmocka_unit_test(distant_ticks_are_two_modes),
		cmocka_unit_test(more_modes_than_fit),
		cmocka_unit_test(random_samples_are_judged_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
