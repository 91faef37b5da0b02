/* The signed-rank test and its centre. */
#include "signed_rank.h"

#include <stdlib.h>

#include "check.h"
#include "random.h"

/* Hollander and Wolfe, table 3.1 (depression scale factors); R's
 * wilcox.test(x, y, paired = TRUE, conf.int = TRUE) gives p = .0390625 and
 * 0.46 [0.010, 0.786]. */
static void test_textbook(void **state)
{
	static const double x[] = { 1.83, .50, 1.62, 2.48, 1.68, 1.88, 1.55,
		3.06, 1.30 };
	static const double y[] = { .878, .647, .598, 2.05, 1.06, 1.29, 1.06,
		3.14, 1.29 };
	enum { N = sizeof x / sizeof *x };
	double d[N];

	for (size_t i = 0; i < N; i++)
		d[i] = x[i] - y[i];
	struct signed_rank result = signed_rank_of(d, N);
	assert_int_equal(result.n, N);
	assert_true(result.exact);
	assert_near(result.p, .0390625);
	assert_within(result.centre, .46, 1e-9);
	assert_true(result.has_interval);
	assert_within(result.low, .010, 1e-9);
	assert_within(result.high, .786, 1e-9);
}

/* All of one sign: the smallest possible p, 2 / 2^n. */
static void test_one_sign(void **state)
{
	double d[20];

	for (size_t n = 1; n <= 20; n++) {
		d[n - 1] = (double)n;
		struct signed_rank result = signed_rank_of(d, n);

		assert_near(result.p, fmin(2 / pow(2, (double)n), 1));
		assert_int_equal(result.has_interval, n >= SIGNED_RANK_LEAST);
		assert_int_equal(result.p < .05, n >= SIGNED_RANK_LEAST);
	}
}

/* Six values: the interval is the whole range. */
static void test_fewest(void **state)
{
	static const double d[] = { 3, -1, 4, 1.5, -5, 9 };
	struct signed_rank result = signed_rank_of(d, 6);

	assert_true(result.has_interval);
	assert_near(result.low, -5);
	assert_near(result.high, 9);
	assert_int_equal(signed_rank_of(d, 0).n, 0);
	assert_true(isnan(signed_rank_of(d, 0).centre));
	assert_near(signed_rank_of(d, 1).centre, 3);
}

/* With ties and zeros there is no exact distribution; a sample of zeros shows
 * no difference. */
static void test_ties(void **state)
{
	static const double zeros[8] = { 0 };
	static const double ties[] = { 1, 1, 1, -1, 2, 2, 0, 3, 1, 1 };

	assert_near(signed_rank_of(zeros, 8).p, 1);
	assert_near(signed_rank_of(zeros, 8).centre, 0);
	struct signed_rank result = signed_rank_of(ties, 10);
	assert_false(result.exact);
	/* R: wilcox.test(ties, exact = FALSE), nine values without the zero:
	 * V = 41.5, p = 0.02355. */
	assert_within(result.p, .0235517837, 1e-8);
}

/* How often the interval of `n` values contains the true centre. */
static double coverage(size_t n, unsigned rounds)
{
	uint64_t seed = 11;
	unsigned held = 0;
	double d[80];

	for (unsigned r = 0; r < rounds; r++) {
		for (size_t i = 0; i < n; i++) {
			double sum = 0;

			/* Nearly normal, around 1. */
			for (int k = 0; k < 12; k++)
				sum += (double)random_below(&seed, 1u << 20) /
					(1 << 20);
			d[i] = sum - 5;
		}
		struct signed_rank result = signed_rank_of(d, n);
		held += result.low <= 1 && result.high >= 1;
	}
	return (double)held / rounds;
}

static void test_coverage(void **state)
{
	static const size_t sizes[] = { 6, 10, 30, 60 };

	for (size_t i = 0; i < 4; i++) {
		double held = coverage(sizes[i], 5000);

		/* At least the confidence level, and not much more. */
		assert_true(held > .94 && held < .978);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_textbook),
		cmocka_unit_test(test_one_sign),
		cmocka_unit_test(test_fewest),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
