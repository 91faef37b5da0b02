/* Two modes and the valley between them, or none. */
#include "valley.h"

#include <gsl/gsl_cdf.h>

#include "check.h"
#include "quantile.h"

enum { MOST = 4000 };
#define APART  .262 /* ln 1.3 */
#define WINDOW .03

/* A mode: a share of the values, normal around its centre. */
struct mode {
	double centre, sd, share;
};

/* Without noise: each mode consists of its quantiles. Returns the number of
 * values. */
static size_t fill(double *values, size_t n, const struct mode *modes,
	size_t count)
{
	size_t filled = 0;

	for (size_t m = 0; m < count; m++) {
		size_t own = (size_t)llround(modes[m].share * (double)n);

		for (size_t i = 0; i < own; i++)
			values[filled++] = modes[m].centre +
				modes[m].sd *
					gsl_cdf_ugaussian_Pinv(
						((double)i + .5) / (double)own);
	}
	values_sort(values, filled);
	return filled;
}

static bool find(const double *values, size_t n, struct valley *valley)
{
	return valley_find(values, n, APART, WINDOW, valley);
}

/* ---- two modes -------------------------------------------------------- */

/* For any shares: the cut is in the empty range, the medians are those of the
 * modes, and the share is correct. */
static void two_modes_have_a_valley(void **state)
{
	static const struct mode pairs[][2] = {
		{ { 0, .02, .5 }, { .45, .02, .5 } },
		{ { 0, .02, .05 }, { .45, .02, .95 } },
		{ { 0, .02, .95 }, { .45, .02, .05 } },
		{ { 0, .02, .01 }, { .45, .02, .99 } },
		{ { 0, .02, .99 }, { .45, .02, .01 } },
		/* As wide as the alone mode of four chains of additions. */
		{ { 0, .05, .9 }, { .5, .06, .1 } },
		{ { .1, .005, .5 }, { .8, .06, .5 } },
	};
	static double values[MOST];

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const struct mode *low = &pairs[i][0], *high = &pairs[i][1];
		size_t n = fill(values, MOST, pairs[i], 2);
		struct valley valley;

		assert_int_equal(n, MOST);
		assert_true(find(values, n, &valley));
		assert_true(fabs(valley.low - low->centre) < .002);
		assert_true(fabs(valley.high - high->centre) < .002);
		assert_true(fabs(valley.high_share - high->share) < .001);
		assert_true(valley.cut > low->centre + 2 * low->sd);
		assert_true(valley.cut < high->centre - 2 * high->sd);
	}
}

/* The middle of the emptiest range, to within a step of the window. */
static void the_cut_is_in_the_middle(void **state)
{
	double values[400];
	struct valley valley;

	for (size_t i = 0; i < 200; i++) {
		values[i] = .0001 * (double)i;
		values[200 + i] = .5 + .0001 * (double)i;
	}
	assert_true(find(values, 400, &valley));
	assert_true(fabs(valley.cut - .26) <= WINDOW / 2);
	assert_near(valley.high_share, .5);
	/* A stray value in the range moves the cut to the larger half. */
	values[200] = .2;
	assert_true(find(values, 400, &valley));
	assert_true(fabs(valley.cut - .35) <= WINDOW);
}

/* Quantised values: a mode may be a single value. */
static void quantised_values_have_a_valley(void **state)
{
	static double values[MOST];
	struct valley valley;

	for (size_t i = 0; i < MOST; i++)
		values[i] = (i < 3000 ? 0 : .4) + .02 * (double)(i % 2);
	values_sort(values, MOST);
	assert_true(find(values, MOST, &valley));
	assert_true(valley.cut > .02 && valley.cut < .4);
	assert_near(valley.high_share, .25);
	for (size_t i = 0; i < MOST; i++)
		values[i] = i < 3000 ? 0 : .4;
	assert_true(find(values, MOST, &valley));
	assert_near(valley.low, 0);
	assert_near(valley.high, .4);
	assert_near(valley.high_share, .25);
	assert_true(fabs(valley.cut - .2) <= WINDOW);
}

/* A few outliers hide neither mode. */
static void outliers_hide_no_mode(void **state)
{
	static const struct mode modes[] = { { 0, .02, .6 }, { .45, .02, .395 },
		{ 1.2, .01, .005 } };
	static double values[MOST];
	struct valley valley;
	size_t n = fill(values, MOST, modes, 3);

	assert_true(find(values, n, &valley));
	assert_true(fabs(valley.low) < .002);
	assert_true(fabs(valley.high - .45) < .002);
	assert_near(valley.high_share, .4);
	assert_true(valley.cut > .06 && valley.cut < .4);
}

/* ---- one mode --------------------------------------------------------- */

static void one_mode_has_none(void **state)
{
	static const struct mode modes[] = { { 0, .02, 1 }, { 0, .0001, 1 },
		{ .3, .1, 1 }, { 0, .2, 1 }, { 0, 1, 1 } };
	static double values[MOST];

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		struct valley valley = { .cut = 7 };
		size_t n = fill(values, MOST, &modes[i], 1);

		assert_false(find(values, n, &valley));
		assert_true(valley.cut == 7); /* untouched */
	}
	struct valley valley;
	for (size_t i = 0; i < MOST; i++)
		values[i] = .25;
	assert_false(find(values, MOST, &valley));
	for (size_t i = 0; i < MOST; i++)
		values[i] = 2 * (double)i / MOST;
	assert_false(find(values, MOST, &valley));
}

/* Medians too close for two modes, and just far enough. */
static void modes_must_be_apart(void **state)
{
	static const struct {
		double apart;
		bool found;
	} cases[] = { { .1, false }, { .2, false }, { .255, false },
		{ .27, true }, { .3, true } };
	static double values[MOST];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct mode modes[] = { { 0, .01, .5 },
			{ cases[i].apart, .01, .5 } };
		struct valley valley;
		size_t n = fill(values, MOST, modes, 2);

		assert_int_equal(find(values, n, &valley), cases[i].found);
	}
}

/* Values between the modes, at most a tenth as dense as the lower peak: by
 * these widths that is a share of .27. */
static void a_valley_must_be_deep(void **state)
{
	static const struct {
		double between; /* share */
		bool found;
	} cases[] = { { 0, true }, { .05, true }, { .2, true }, { .24, true },
		{ .3, false }, { .5, false } };
	static double values[MOST];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double each = (1 - cases[i].between) / 2;
		const struct mode modes[] = { { 0, .02, each },
			{ .5, .02, each } };
		struct valley valley;
		size_t n = fill(values, MOST, modes, 2), sides = n;

		while (n < MOST) {
			values[n] = .05 +
				.4 * ((double)(n - sides) + .5) /
					(double)(MOST - sides);
			n++;
		}
		values_sort(values, n);
		assert_int_equal(find(values, n, &valley), cases[i].found);
	}
}

static void few_values_show_none(void **state)
{
	double values[VALLEY_LEAST];

	for (size_t n = 0; n <= VALLEY_LEAST; n++) {
		struct valley valley;

		for (size_t i = 0; i < n; i++)
			values[i] = i < n / 2 ? 0 : 1;
		assert_int_equal(find(values, n, &valley), n == VALLEY_LEAST);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_modes_have_a_valley),
		cmocka_unit_test(the_cut_is_in_the_middle),
		cmocka_unit_test(quantised_values_have_a_valley),
		cmocka_unit_test(outliers_hide_no_mode),
		cmocka_unit_test(one_mode_has_none),
		cmocka_unit_test(modes_must_be_apart),
		cmocka_unit_test(a_valley_must_be_deep),
		cmocka_unit_test(few_values_show_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
