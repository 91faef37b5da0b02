/* Two samples: exact and approximate tests, shift, ratio and verdict. */
#include "compare.h"

#include <string.h>

#include "check.h"
#include "vectors.h"

/* Sorting in place needs copies of the constants. */
static bool compare_copies(const double *a, size_t na, const double *b,
	size_t nb, struct comparison *result)
{
	double copy_a[64], copy_b[64];

	memcpy(copy_a, a, na * sizeof *a);
	memcpy(copy_b, b, nb * sizeof *b);
	return compare_samples(copy_a, na, copy_b, nb, result);
}

struct shift {
	double middle, low, high;
};

/* The shift of b from a, by the ratio of values of which a and b are the
 * logarithms. */
static struct shift shift_of(const double *a, size_t na, const double *b,
	size_t nb)
{
	enum { SCALE = 100 };
	double exp_a[64], exp_b[64];
	struct comparison result;

	for (size_t i = 0; i < na; i++)
		exp_a[i] = exp(a[i] / SCALE);
	for (size_t i = 0; i < nb; i++)
		exp_b[i] = exp(b[i] / SCALE);
	assert_true(compare_samples(exp_a, na, exp_b, nb, &result));
	return (struct shift){ SCALE * log(result.ratio),
		SCALE * log(result.ratio_low), SCALE * log(result.ratio_high) };
}

static const double later[] = { 1061, 1058, 1050, 1063, 1057, 1059, 1049, 1066,
	1060, 1054, 1062, 1056 };

static void samples_without_ties(void **state)
{
	static const double before[] = { 1052, 1047, 1049.5, 1051, 1050.5, 1048,
		1055, 1046, 1053, 1044 };
	struct comparison result;
	struct shift shift = shift_of(before, 10, later, 12);

	assert_true(compare_copies(before, 10, later, 12, &result));
	assert_near(result.u, 108);
	assert_true(result.exact);
	assert_near(result.p, .000831985352109);
	assert_near(mann_whitney_normal_p(before, 10, later, 12, 108),
		.00173586023864);
	assert_near(mann_whitney_normal_p(before, 10, later, 12, 12),
		.00173586023864);
	assert_near(shift.middle, 8.75);
	assert_int_equal(result.rank, 30);
	assert_near(shift.low, 4);
	assert_near(shift.high, 12.5);
}

static void samples_with_many_ties(void **state)
{
	static const double one[] = { 12, 12, 13, 13, 13, 14, 14, 15, 15, 20 };
	static const double two[] = { 13, 14, 14, 15, 15, 15, 16, 16, 17, 22 };
	struct comparison result;
	struct shift shift = shift_of(one, 10, two, 10);

	assert_true(compare_copies(one, 10, two, 10, &result));
	assert_near(result.u, 76.5);
	assert_false(result.exact);
	assert_near(result.p, .0458031338812);
	assert_near(shift.middle, 2);
	assert_int_equal(result.rank, 24);
	assert_near(shift.low, 0);
	assert_near(shift.high, 3);
}

static void samples_with_a_tie_and_a_ratio(void **state)
{
	static const double before[] = { 1052, 1047, 1049, 1051, 1050, 1048,
		1055, 1046, 1053, 1044 };
	struct comparison result;
	struct shift shift = shift_of(before, 10, later, 12);

	assert_true(compare_copies(before, 10, later, 12, &result));
	assert_near(120 - result.u, 11);
	assert_false(result.exact);
	assert_near(result.p, .001375217489);
	assert_near(shift.middle, 9);
	assert_near(shift.low, 4);
	assert_near(shift.high, 13);
	assert_near(result.ratio, 1.008559203);
	assert_near(result.ratio_low, 1.003824092);
	assert_near(result.ratio_high, 1.012380952);
}

/* qwilcox(.025, n, n) of R. */
static void ranks_of_the_interval(void **state)
{
	static const struct {
		size_t n, rank;
	} rows[] = {
		{ 4, 1 },
		{ 6, 6 },
		{ 8, 14 },
		{ 10, 24 },
		{ 12, 38 },
		{ 15, 65 },
		{ 20, 128 },
		{ 30, 318 },
	};
	double a[30], b[30];
	struct comparison result;

	for (size_t i = 0; i < 30; i++) {
		a[i] = (double)i + 1;
		b[i] = (double)i + 1.5;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(
			compare_samples(a, rows[i].n, b, rows[i].n, &result));
		assert_int_equal(result.rank, rows[i].rank);
	}
}

/* Four against four hardly reach .05: 2 of 70 orders. */
static void smallest_samples(void **state)
{
	static const double a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 };
	struct comparison result;

	for (size_t n = 0; n < 4; n++) {
		assert_false(compare_copies(a, n, b, 4, &result));
		assert_false(compare_copies(a, 4, b, n, &result));
	}
	assert_true(compare_copies(a, 4, b, 4, &result));
	assert_near(result.p, 2. / 70);
	assert_near(result.u, 16);
	assert_true(compare_copies(b, 4, a, 4, &result));
	assert_near(result.p, 2. / 70);
	assert_near(result.u, 0);
	assert_near(shift_of(b, 4, a, 4).middle, -4);
}

static void equal_samples_do_not_differ(void **state)
{
	static const double same[] = { .1, .1, .1, .1, .1 };
	struct comparison result;

	assert_true(compare_copies(same, 5, same, 5, &result));
	assert_near(result.p, 1);
	assert_near(result.ratio, 1);
	assert_near(result.ratio_low, 1);
	assert_near(result.ratio_high, 1);
}

static void ratios_need_positive_values(void **state)
{
	static const double a[] = { 0, 1, 2, 3 }, b[] = { 4, 5, 6, 7 };
	struct comparison result;

	assert_true(compare_copies(a, 4, b, 4, &result));
	assert_true(isnan(result.ratio) && isnan(result.ratio_low) &&
		isnan(result.ratio_high));
	assert_int_equal(verdict_of(result.ratio_low, result.ratio_high, .01),
		VERDICT_INCONCLUSIVE);
}

/* Where the exact test ends, the approximation is close to it. */
static void exact_and_normal_meet(void **state)
{
	double a[60], b[60];
	struct comparison exact, normal;

	for (size_t i = 0; i < 60; i++) {
		a[i] = (double)i;
		b[i] = (double)i + 8.5;
	}
	assert_true(compare_samples(a, 50, b, 50, &exact));
	assert_true(exact.exact);
	assert_within(exact.p, mann_whitney_normal_p(a, 50, b, 50, exact.u),
		.06);
	assert_true(compare_samples(a, 51, b, 50, &normal));
	assert_false(normal.exact);
	assert_within((double)normal.rank, (double)exact.rank * 51 / 50, .01);
	struct shift shift = shift_of(a, 60, b, 60);
	assert_true(shift.low < 8.5 && shift.high > 8.5);
}

/* Samples of one distribution differ significantly at most as often as alpha,
 * and the interval contains the true shift. */
static void same_law_seldom_differs(void **state)
{
	enum { RUNS = 2000 };
	gsl_rng *random = generator(9);
	unsigned differ = 0, held = 0;

	for (size_t run = 0; run < RUNS; run++) {
		double a[10], b[10];
		struct comparison result;

		for (size_t i = 0; i < 10; i++) {
			a[i] = 100 + gsl_ran_gaussian(random, 1);
			b[i] = 105 + gsl_ran_gaussian(random, 1);
		}
		struct shift shift = shift_of(a, 10, b, 10);
		held += shift.low <= 5 && shift.high >= 5;
		for (size_t i = 0; i < 10; i++)
			b[i] = 100 + gsl_ran_gaussian(random, 1);
		assert_true(compare_samples(a, 10, b, 10, &result));
		differ += result.p < .05;
	}
	assert_true(differ <= RUNS * .055);
	assert_true(held >= RUNS * .94 && held <= RUNS * .98);
	gsl_rng_free(random);
}

static void verdicts_follow_the_interval(void **state)
{
	static const struct {
		double low, high;
		enum verdict verdict;
		const char *word;
	} rows[] = {
		{ 1.032, 1.05, VERDICT_SLOWER, "slower" },
		{ .95, .98, VERDICT_FASTER, "faster" },
		{ .995, 1.005, VERDICT_EQUIVALENT, "equivalent" },
		{ 1.002, 1.008, VERDICT_EQUIVALENT, "equivalent" },
		{ 1, 1, VERDICT_EQUIVALENT, "equivalent" },
		{ 1.003, 1.02, VERDICT_SMALL, "small change" },
		{ .981, .998, VERDICT_SMALL, "small change" },
		/* Up to 3 % is not proven to be small. */
		{ .97, .998, VERDICT_INCONCLUSIVE, "inconclusive" },
		{ 1.001, 1.03, VERDICT_INCONCLUSIVE, "inconclusive" },
		{ .97, 1.05, VERDICT_INCONCLUSIVE, "inconclusive" },
		{ .995, 1.03, VERDICT_INCONCLUSIVE, "inconclusive" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum verdict verdict =
			verdict_of(rows[i].low, rows[i].high, .01);

		assert_int_equal(verdict, rows[i].verdict);
		assert_string_equal(verdict_word(verdict), rows[i].word);
	}
}

static void launches_that_would_decide(void **state)
{
	struct comparison result = { .ratio_low = .97, .ratio_high = 1.05 };

	assert_int_equal(verdict_more_launches(&result, 10, .01), 150);
	assert_int_equal(verdict_more_launches(&result, 10, .02), 30);
	assert_int_equal(verdict_more_launches(&result, 10, .1), 1);
	assert_int_equal(verdict_more_launches(&result, 10, 0), UINT32_MAX);
	/* Changes that may be small, or beyond the threshold. */
	result = (struct comparison){ .ratio = 1.0175,
		.ratio_low = 1.005, .ratio_high = 1.03 };
	assert_int_equal(verdict_more_launches(&result, 10, .01), 18);
	result = (struct comparison){ .ratio = .985,
		.ratio_low = .975, .ratio_high = .995 };
	assert_int_equal(verdict_more_launches(&result, 10, .01), 30);
	result.ratio_low = NAN;
	assert_int_equal(verdict_more_launches(&result, 10, .01), UINT32_MAX);
}

static void smallest_change_shrinks_with_launches(void **state)
{
	assert_near(smallest_visible_change(.01, 10), .028 * sqrt(.2));
	assert_near(smallest_visible_change(0, 10), 0);
	assert_true(smallest_visible_change(.01, 30) <
		smallest_visible_change(.01, 10));
}

/* By R: p.adjust(c(.01, .04, .03, .005, .5), "holm"). */
static void many_tests_are_adjusted(void **state)
{
	double p[] = { .01, .04, NAN, .03, .005, .5 };
	double one[] = { .2 }, many[] = { .5, .6, .7 };

	holm_adjust(p, 6);
	assert_near(p[0], .04);
	assert_near(p[1], .09);
	assert_true(isnan(p[2]));
	assert_near(p[3], .09);
	assert_near(p[4], .025);
	assert_near(p[5], .5);
	holm_adjust(one, 1);
	assert_near(one[0], .2);
	holm_adjust(many, 3);
	assert_near(many[2], 1);
	holm_adjust(NULL, 0);
}

static void rates_are_inverted(void **state)
{
	struct comparison result = { .ratio = 2,
		.ratio_low = 1.6,
		.ratio_high = 2.5 };

	comparison_invert(&result);
	assert_near(result.ratio, .5);
	assert_near(result.ratio_low, .4);
	assert_near(result.ratio_high, .625);
	assert_string_equal(verdict_word_neutral(VERDICT_SLOWER), "higher");
	assert_string_equal(verdict_word_neutral(VERDICT_FASTER), "lower");
	assert_string_equal(verdict_word_neutral(VERDICT_EQUIVALENT),
		"equivalent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_without_ties),
		cmocka_unit_test(samples_with_many_ties),
		cmocka_unit_test(samples_with_a_tie_and_a_ratio),
		cmocka_unit_test(ranks_of_the_interval),
		cmocka_unit_test(smallest_samples),
		cmocka_unit_test(equal_samples_do_not_differ),
		cmocka_unit_test(ratios_need_positive_values),
		cmocka_unit_test(exact_and_normal_meet),
		cmocka_unit_test(same_law_seldom_differs),
		cmocka_unit_test(verdicts_follow_the_interval),
		cmocka_unit_test(launches_that_would_decide),
		cmocka_unit_test(many_tests_are_adjusted),
		cmocka_unit_test(rates_are_inverted),
		cmocka_unit_test(smallest_change_shrinks_with_launches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
