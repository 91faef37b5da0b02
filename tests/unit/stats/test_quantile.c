/* Order statistics compared with R, NumPy and GSL. */
#include "quantile.h"

#include "check.h"
#include "random.h"
#include "vectors.h"

static double bimodal_sorted[BIMODAL_N];

static int sort_bimodal(void **state)
{
	for (size_t i = 0; i < BIMODAL_N; i++)
		bimodal_sorted[i] = bimodal[i];
	values_sort(bimodal_sorted, BIMODAL_N);
	return 0;
}

static void quantiles_are_type_7(void **state)
{
	static const struct {
		double p, want;
	} rows[] = {
		{ 0, 23 },
		{ .01, 23.1 },
		{ .05, 23.5 },
		{ .1, 24 },
		{ .25, 24.5 },
		{ .5, 26 },
		{ .75, 28.5 },
		{ .9, 41 },
		{ .95, 145.5 },
		{ .99, 229.1 },
		{ .999, 247.91 },
		{ 1, 250 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_near(quantile_sorted(skewed, SKEWED_N, rows[i].p),
			rows[i].want);
}

static void quantiles_of_two_modes(void **state)
{
	static const struct {
		double p, want;
	} rows[] = {
		{ .25, 100.175 },
		{ .5, 101.3 },
		{ .75, 150.1 },
		{ .9, 151.26 },
		{ .95, 151.81 },
		{ .99, 151.962 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double p = rows[i].p;

		assert_near(quantile_sorted(bimodal_sorted, BIMODAL_N, p),
			rows[i].want);
	}
}

static void quantile_of_odd_arguments(void **state)
{
	static const double two[] = { 1, 2 };

	assert_true(isnan(quantile_sorted(NULL, 0, .5)));
	assert_true(isnan(median_sorted(NULL, 0)));
	assert_near(quantile_sorted(two, 1, .9), 1);
	assert_near(quantile_sorted(two, 2, .5), 1.5);
	assert_near(quantile_sorted(two, 2, -1), 1);
	assert_near(quantile_sorted(two, 2, 2), 2);
}

static void median_sorts_in_place(void **state)
{
	double values[] = { 3, 1, 2, -5 };

	assert_near(median_of(values, 4), 1.5);
	assert_near(values[0], -5);
	assert_near(values[3], 3);
}

static void the_midmean_is_of_the_middle_half(void **state)
{
	double one[] = { 7 }, two[] = { 4, 1 }, three[] = { 9, 1, 2 };
	double four[] = { 100, 1, 2, 4 }, same[] = { INFINITY, INFINITY };
	double modes[16];

	assert_near(midmean_of(one, 1), 7);
	assert_near(midmean_of(two, 2), 2.5);
	assert_near(midmean_of(three, 3), (.25 * 1 + 2 + .25 * 9) / 1.5);
	assert_near(midmean_of(four, 4), 3);
	assert_true(isinf(midmean_of(same, 2)));
	/* A layout more in the slow mode moves it by an eighth of the
	 * distance, where the median jumps. */
	for (int slow = 6; slow <= 10; slow++) {
		for (int i = 0; i < 16; i++)
			modes[i] = i < 16 - slow ? 4 : 5;
		assert_near(midmean_of(modes, 16), 4 + (slow - 4) / 8.);
	}
}

static void copies_leave_their_source_alone(void **state)
{
	static const double values[] = { 3, 1, 2 };
	double *copy = values_sorted_copy(values, 3);

	assert_near(copy[0], 1);
	assert_near(copy[2], 3);
	free(copy);
	free(values_sorted_copy(NULL, 0));
}

enum { SELECT_MOST = 130 };
static const double wanted[] = { -1, 0, .01, .05, .25, .25, .5, .501, .75, .9,
	.99, 1, 2 };
enum { WANTED = sizeof wanted / sizeof *wanted };

/* Inputs on which selection algorithms have failed: few distinct values,
 * sorted, falling, up and down again; and random input. */
static double shaped(unsigned shape, size_t i, size_t n, uint64_t *seed)
{
	switch (shape) {
	case 0:
		return (double)random_below(seed, 3);
	case 1:
		return (double)i;
	case 2:
		return -(double)i;
	case 3:
		return (double)(i < n / 2 ? i : n - i);
	default:
		return (double)next_random(seed) * 1e-9;
	}
}

/* Compares bit by bit, for the first `count` of the quantiles from `first`
 * on. */
static void check_selection(const double *values, size_t n, size_t first,
	size_t count)
{
	double *sorted = values_sorted_copy(values, n);
	double selected[SELECT_MOST];

	for (size_t i = 0; i < n; i++)
		selected[i] = values[i];
	values_select(selected, n, wanted + first, count);
	for (size_t i = first; i < first + count; i++) {
		double got = quantile_sorted(selected, n, wanted[i]);

		assert_true(got == quantile_sorted(sorted, n, wanted[i]));
	}
	values_sort(selected, n);
	for (size_t i = 0; i < n; i++)
		assert_true(selected[i] == sorted[i]);
	assert_true(median_unsorted(values, n) == median_sorted(sorted, n));
	free(sorted);
}

static void selection_finds_what_sorting_finds(void **state)
{
	uint64_t seed = 1;

	for (size_t n = 1; n <= SELECT_MOST; n++)
		for (unsigned shape = 0; shape < 5; shape++) {
			double values[SELECT_MOST];

			for (size_t i = 0; i < n; i++)
				values[i] = shaped(shape, i, n, &seed);
			check_selection(values, n, 0, WANTED);
			for (size_t i = 0; i < WANTED; i++)
				check_selection(values, n, i, 1);
		}
}

static void selection_of_nothing(void **state)
{
	double one = 1;

	values_select(NULL, 0, wanted, WANTED);
	values_select(&one, 1, wanted, 0);
	assert_true(isnan(median_unsorted(NULL, 0)));
	assert_near(one, 1);
}

static void ties_are_counted_from_the_first(void **state)
{
	assert_int_equal(ties_sorted(skewed, SKEWED_N, 0), 1);
	assert_int_equal(ties_sorted(skewed, SKEWED_N, 1), 2);
	assert_int_equal(ties_sorted(skewed, SKEWED_N, 10), 1);
}

static void quantiles_shown_have_ten_values_beyond(void **state)
{
	assert_false(quantile_shown(0, .5));
	assert_false(quantile_shown(19, .5));
	assert_true(quantile_shown(20, .5));
	assert_true(quantile_shown(100, .9));
	assert_false(quantile_shown(99, .9));
	assert_true(quantile_shown(1000, .99));
	assert_true(quantile_shown(1000, .01));
	assert_false(quantile_shown(999, .01));
	assert_true(quantile_shown(10000, .999));
}

static void fences_are_three_ranges_away(void **state)
{
	static const double coarse[] = { 4, 5, 5, 5, 5, 5, 5, 9 };
	struct fences fences = fences_sorted(skewed, SKEWED_N);

	assert_near(fences.low, 12.5);
	assert_near(fences.high, 40.5);
	fences = fences_sorted(coarse, 8);
	assert_near(fences.low, 5);
	assert_near(fences.high, 5);
	assert_true(isnan(fences_sorted(NULL, 0).low));
}

/* Computed by hand: 13 readings of 52 and 7 of 78 give 59. Also the examples
 * of Python's documentation. Without a step, or half way, it is the usual
 * median. */
static void test_stepped(void **state)
{
	double readings[20];
	static const double even[] = { 1, 2, 2, 3, 4, 4, 4, 4, 4, 5 };
	static const double odd[] = { 52, 52, 53, 54 };
	static const double apart[] = { 52, 78 };

	for (int i = 0; i < 20; i++)
		readings[i] = i < 13 ? 52 : 78;
	assert_near(median_stepped(readings, 20, 26), 59);
	assert_near(median_stepped(readings, 20, 0), 52);
	assert_near(median_stepped(even, 10, 1), 3.7);
	assert_near(median_stepped(odd, 4, 1), 52.5);
	assert_near(median_stepped(apart, 2, 26), 65);
	assert_true(isnan(median_stepped(NULL, 0, 26)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stepped),
		cmocka_unit_test(quantiles_are_type_7),
		cmocka_unit_test(quantiles_of_two_modes),
		cmocka_unit_test(quantile_of_odd_arguments),
		cmocka_unit_test(median_sorts_in_place),
		cmocka_unit_test(the_midmean_is_of_the_middle_half),
		cmocka_unit_test(copies_leave_their_source_alone),
		cmocka_unit_test(selection_finds_what_sorting_finds),
		cmocka_unit_test(selection_of_nothing),
		cmocka_unit_test(ties_are_counted_from_the_first),
		cmocka_unit_test(quantiles_shown_have_ten_values_beyond),
		cmocka_unit_test(fences_are_three_ranges_away),
	};

	return cmocka_run_group_tests(tests, sort_bimodal, NULL);
}
