/* Is a series steady: drift, serial correlation, warm-up and periodicity. */
#include "trend.h"

#include "check.h"
#include "vectors.h"

enum { DRIFTING_N = 16, WARMING_N = 75 };

static const double drifting[DRIFTING_N] = { 100, 101, 100, 102, 101, 103, 102,
	104, 103, 105, 104, 106, 105, 107, 106, 108 };

/* Fifteen falling values, then sixty steady ones. */
static void fill_warming(double values[WARMING_N])
{
	static const double front[] = { 150, 140, 133, 127, 122, 118, 115, 112,
		110, 108, 107, 106, 105, 104, 104 };
	static const double steady[] = { 100, 101, 99, 100, 102, 98, 100, 101,
		99, 100 };

	for (size_t i = 0; i < 15; i++)
		values[i] = front[i];
	for (size_t i = 15; i < WARMING_N; i++)
		values[i] = steady[(i - 15) % 10];
}

static void drift_is_seen(void **state)
{
	struct drift drift = drift_of(drifting, DRIFTING_N);

	assert_near(drift.s, 99);
	assert_near(drift.variance, 486.3333333);
	assert_near(drift.z, 4.443846582);
	assert_near(drift.p, 8.836462628e-06);
	assert_near(drift.slope, .5);
}

static void drift_turns_with_its_series(void **state)
{
	double values[DRIFTING_N];

	for (size_t i = 0; i < DRIFTING_N; i++)
		values[i] = -drifting[i];
	struct drift drift = drift_of(values, DRIFTING_N);
	assert_near(drift.s, -99);
	assert_near(drift.z, -4.443846582);
	assert_near(drift.p, 8.836462628e-06);
	assert_near(drift.slope, -.5);
}

static void check_no_drift(const double *values, size_t n)
{
	struct drift drift = drift_of(values, n);

	assert_near(drift.s, 0);
	assert_near(drift.z, 0);
	assert_near(drift.p, 1);
	assert_near(drift.slope, 0);
}

static void no_drift_without_values(void **state)
{
	static const double equal[] = { 5, 5, 5, 5, 5 };

	check_no_drift(NULL, 0);
	check_no_drift(equal, 1);
	check_no_drift(equal, 2);
	check_no_drift(equal, 5);
	struct drift drift = drift_of(drifting, 2);
	assert_near(drift.s, 1);
	assert_near(drift.p, 1); /* one step, for continuity */
	assert_near(drift.slope, 1);
}

static void warmup_is_dropped(void **state)
{
	double values[WARMING_N];

	fill_warming(values);
	struct warmup warmup = warmup_mser5(values, WARMING_N);
	assert_true(warmup.steady);
	assert_int_equal(warmup.dropped, 15);
	assert_near(warmup.statistic, .01333333333);
}

/* One preempted trial must not be mistaken for the end of the warm-up. */
static void one_spike_is_clipped(void **state)
{
	double values[200];
	gsl_rng *random = generator(5);

	for (size_t i = 0; i < 200; i++)
		values[i] = 100 + gsl_ran_gaussian(random, 1);
	values[90] = 1e6;
	struct warmup warmup = warmup_mser5(values, 200);
	assert_true(warmup.steady);
	assert_true(warmup.dropped < 50);
	gsl_rng_free(random);
}

/* More than half of the values are one tick, so both fences are equal; the
 * warm-up before them is still found. */
static void coarse_clocks_hide_no_warmup(void **state)
{
	double values[100];

	for (size_t i = 0; i < 100; i++)
		values[i] = i < 10 ? 60 - (double)i : i % 7 ? 20 : 22;
	struct warmup warmup = warmup_mser5(values, 100);
	assert_true(warmup.steady);
	assert_int_equal(warmup.dropped, 10);
}

static void endless_warmup_has_no_steady_state(void **state)
{
	double values[200];

	for (size_t i = 0; i < 200; i++)
		values[i] = 1000 - (double)i;
	struct warmup warmup = warmup_mser5(values, 200);
	assert_false(warmup.steady);
	assert_int_equal(warmup.dropped, 0);
}

static void few_or_equal_values_are_steady(void **state)
{
	double values[60];

	for (size_t i = 0; i < 60; i++)
		values[i] = .1;
	for (size_t n = 0; n <= 60; n++) {
		struct warmup warmup = warmup_mser5(values, n);

		assert_true(warmup.steady);
		assert_int_equal(warmup.dropped, 0);
		assert_near(warmup.statistic, 0);
	}
}

/* A trend is hardly ever found in noise without one. */
static void noise_is_steady(void **state)
{
	enum { RUNS = 500 };
	double values[200];
	gsl_rng *random = generator(6);
	unsigned steady = 0;

	for (size_t run = 0; run < RUNS; run++) {
		for (size_t i = 0; i < 200; i++)
			values[i] = gsl_ran_lognormal(random, 4, .05);
		steady += warmup_mser5(values, 200).steady;
	}
	assert_true(steady >= RUNS * .97);
	gsl_rng_free(random);
}

static void a_million_values(void **state)
{
	enum { N = 1000000 };
	double *values = malloc(N * sizeof *values);

	for (size_t i = 0; i < N; i++)
		values[i] = i < 100 ? 200 : 100 + (double)(i % 3);
	struct warmup warmup = warmup_mser5(values, N);
	assert_true(warmup.steady);
	assert_int_equal(warmup.dropped, 100);
	free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drift_is_seen),
		cmocka_unit_test(drift_turns_with_its_series),
		cmocka_unit_test(no_drift_without_values),
		cmocka_unit_test(warmup_is_dropped),
		cmocka_unit_test(one_spike_is_clipped),
		cmocka_unit_test(coarse_clocks_hide_no_warmup),
		cmocka_unit_test(endless_warmup_has_no_steady_state),
		cmocka_unit_test(few_or_equal_values_are_steady),
		cmocka_unit_test(noise_is_steady),
		cmocka_unit_test(a_million_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
