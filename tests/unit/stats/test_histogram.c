/* Bins: their place, their contents, and that no value is lost. */
#include "histogram.h"

#include <string.h>

#include "check.h"
#include "quantile.h"
#include "vectors.h"

static size_t total(const struct histogram *histogram)
{
	size_t sum = histogram_below(histogram) + histogram_above(histogram);

	for (size_t i = 0; i < histogram->bins; i++)
		sum += histogram_count(histogram, i);
	return sum;
}

static struct histogram histogram_of(double *values, size_t n, double quantum,
	size_t columns, enum histogram_scale scale)
{
	struct histogram histogram;

	values_sort(values, n);
	histogram_layout(&histogram, values, n, quantum, columns, scale);
	for (size_t i = 0; i < n; i++)
		histogram_add(&histogram, values[i], 0);
	return histogram;
}

static bool is_1_2_5(double width)
{
	double digit = width / pow(10, floor(log10(width) + 1e-9));

	return fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 ||
		fabs(digit - 5) < 1e-9;
}

static bool is_whole(double value)
{
	return fabs(value - nearbyint(value)) < 1e-6;
}

static void check_width(const struct histogram *histogram, double quantum)
{
	double width = histogram->width;

	if (histogram->logarithmic) {
		double steps = 8 * log2(width);

		assert_true(is_whole(steps) && steps > .5);
		assert_true(histogram_edge(histogram, 1) -
				histogram_edge(histogram, 0) >=
			quantum * (1 - 1e-9));
	} else if (quantum > 0 && width < 10.5 * quantum &&
		is_whole(width / quantum)) {
		assert_true(width > .5 * quantum);
	} else {
		assert_true(width > 9 * quantum);
		assert_true(is_1_2_5(width));
	}
}

/* Properties of every histogram. */
static void check_histogram(double *values, size_t n, double quantum,
	size_t columns, enum histogram_scale scale)
{
	struct histogram histogram =
		histogram_of(values, n, quantum, columns, scale);

	assert_true(histogram.bins >= 1 && histogram.bins <= columns);
	assert_int_equal(total(&histogram), n);
	check_width(&histogram, quantum);
	assert_true(histogram_below(&histogram) <= n / 1000);
	assert_true(histogram_above(&histogram) <= n / 100);
	for (size_t i = 0; i < histogram.bins; i++) {
		double edge = histogram_edge(&histogram, i);
		double next = histogram_edge(&histogram, i + 1);

		assert_true(edge < next);
		assert_int_equal(histogram_bin(&histogram, edge), i);
		assert_int_equal(histogram_bin(&histogram,
					 nextafter(next, edge)),
			i);
	}
	assert_within(histogram.min, values[0], 0);
	assert_within(histogram.max, values[n - 1], 0);
	histogram_free(&histogram);
}

static double draw(gsl_rng *random, unsigned law)
{
	switch (law) {
	case 0:
		return gsl_ran_gaussian(random, 3);
	case 1:
		return 1e9 + gsl_ran_gaussian(random, 1e-3);
	case 2:
		return gsl_ran_lognormal(random, 3, 2);
	case 3:
		return 1e-9 * gsl_ran_pareto(random, .8, 1);
	case 4:
		return gsl_rng_uniform(random) < .65 ? 100 : 1500.5;
	default:
		return gsl_ran_cauchy(random, 1e6);
	}
}

static void fill_law(double *values, size_t n, gsl_rng *random, unsigned law,
	double quantum)
{
	for (size_t i = 0; i < n; i++) {
		values[i] = draw(random, law);
		if (quantum > 0)
			values[i] = quantum * ceil(values[i] / quantum);
	}
}

static void check_scales(double *values, size_t n, double quantum)
{
	static const size_t columns[] = { 1, 2, 3, 10, 77, 300 };

	for (size_t i = 0; i < 6; i++) {
		check_histogram(values, n, quantum, columns[i], HISTOGRAM_AUTO);
		check_histogram(values, n, quantum, columns[i],
			HISTOGRAM_LINEAR);
		check_histogram(values, n, quantum, columns[i], HISTOGRAM_LOG);
	}
}

static void any_law_any_size_any_scale(void **state)
{
	static const double quanta[] = { 0, .43478260869565216, 10, 1e-3 };
	static const size_t sizes[] = { 1, 2, 3, 20, 1500 };
	double values[1500];
	gsl_rng *random = generator(10);

	for (unsigned law = 0; law < 6; law++)
		for (size_t i = 0; i < 4; i++)
			for (size_t j = 0; j < 5; j++) {
				fill_law(values, sizes[j], random, law,
					quanta[i]);
				check_scales(values, sizes[j], quanta[i]);
			}
	gsl_rng_free(random);
}

static void columns_from_1_to_300(void **state)
{
	double values[500];
	gsl_rng *random = generator(11);

	for (size_t i = 0; i < 500; i++)
		values[i] = gsl_ran_lognormal(random, 2, 1);
	for (size_t columns = 1; columns <= 300; columns++) {
		check_histogram(values, 500, 0, columns, HISTOGRAM_LINEAR);
		check_histogram(values, 500, 0, columns, HISTOGRAM_LOG);
	}
	gsl_rng_free(random);
}

/* Freedman and Diaconis: 2 * 9.95 * 1000^(-1/3) = 1.99, rounded up to 2. */
static void width_follows_the_middle_half(void **state)
{
	double values[1000];

	for (size_t i = 0; i < 1000; i++)
		values[i] = 50 + 19.9 * (double)i / 999;
	struct histogram histogram =
		histogram_of(values, 1000, 0, 300, HISTOGRAM_AUTO);
	assert_false(histogram.logarithmic);
	assert_near(histogram.width, 2);
	assert_near(histogram.low, 50);
	assert_int_equal(histogram.bins, 10);
	histogram_free(&histogram);
	double fence = quantile_sorted(skewed, SKEWED_N, .75) -
		quantile_sorted(skewed, SKEWED_N, .25);
	assert_near(2 * fence / cbrt(SKEWED_N), 3.597154504);
}

/* Ticks lie in the middle of their bins, so that rounding never makes equal
 * counts look like a comb. */
static void quantised_values_make_no_comb(void **state)
{
	const double quantum = 1 / 2.3;
	double values[3000];

	for (size_t i = 0; i < 3000; i++) {
		size_t ticks = i / 100;

		values[i] = 17.1 + quantum * (double)ticks;
	}
	for (size_t columns = 10; columns <= 300; columns++) {
		struct histogram histogram = histogram_of(values, 3000, quantum,
			columns, HISTOGRAM_LINEAR);
		double quanta = histogram.width / quantum;

		assert_true(is_whole(quanta));
		for (size_t i = 0; i + 1 < histogram.bins; i++)
			assert_int_equal(histogram.count[0][i],
				nearbyint(quanta) * 100);
		histogram_free(&histogram);
	}
}

static void coarse_values_have_bins_of_a_quantum(void **state)
{
	double values[100];

	for (size_t i = 0; i < 100; i++)
		values[i] = i < 10 ? 34 : i < 90 ? 36 : 38;
	struct histogram histogram =
		histogram_of(values, 100, 2, 60, HISTOGRAM_AUTO);
	assert_near(histogram.width, 2);
	assert_near(histogram.low, 33);
	assert_int_equal(histogram.bins, 3);
	assert_int_equal(histogram.count[0][0], 10);
	assert_int_equal(histogram.count[0][1], 80);
	assert_int_equal(histogram.count[0][2], 10);
	histogram_free(&histogram);
}

static void what_is_outside_is_counted(void **state)
{
	double values[10000];

	for (size_t i = 0; i < 10000; i++)
		values[i] = 1000 + (double)(i % 100);
	for (size_t i = 0; i < 60; i++)
		values[i] = 1e6 + (double)i;
	for (size_t i = 60; i < 65; i++)
		values[i] = -5;
	struct histogram histogram =
		histogram_of(values, 10000, 1, 50, HISTOGRAM_AUTO);
	assert_int_equal(histogram_above(&histogram), 60);
	assert_int_equal(histogram_below(&histogram), 5);
	assert_int_equal(total(&histogram), 10000);
	assert_near(histogram.min, -5);
	assert_near(histogram.max, 1e6 + 59);
	for (unsigned of = 1; of < HISTOGRAM_CLASSES; of++) {
		histogram_add(&histogram, 2e6, of);
		histogram_add(&histogram, -7, of);
		histogram_add(&histogram, 1050, of);
		assert_int_equal(histogram.above[of], 1);
		assert_int_equal(histogram.below[of], 1);
		assert_int_equal(
			histogram.count[of][histogram_bin(&histogram, 1050)],
			1);
	}
	assert_int_equal(total(&histogram), 10006);
	assert_int_equal(histogram.above[0], 60);
	assert_near(histogram.max, 2e6);
	assert_near(histogram.min, -7);
	histogram_free(&histogram);
	for (unsigned of = 0; of < HISTOGRAM_CLASSES; of++)
		assert_null(histogram.count[of]);
}

static void long_tails_turn_logarithmic(void **state)
{
	double values[1000];

	for (size_t i = 0; i < 1000; i++)
		values[i] = exp2((double)i / 100);
	struct histogram histogram =
		histogram_of(values, 1000, 0, 80, HISTOGRAM_AUTO);
	assert_true(histogram.logarithmic);
	assert_near(histogram.low, 1);
	assert_near(histogram.width, 2); /* 2 * 5 octaves * 1000^(-1/3) = 1 */
	assert_int_equal(histogram.bins, 10);
	assert_int_equal(histogram_bin(&histogram, 0), -1);
	assert_int_equal(histogram_bin(&histogram, -1), -1);
	histogram_free(&histogram);
	histogram = histogram_of(values, 1000, 0, 80, HISTOGRAM_LINEAR);
	assert_false(histogram.logarithmic);
	histogram_free(&histogram);
	for (size_t i = 0; i < 1000; i++)
		values[i] = 100 + values[i] / 100;
	histogram = histogram_of(values, 1000, 0, 80, HISTOGRAM_AUTO);
	assert_false(histogram.logarithmic);
	histogram_free(&histogram);
	values[0] = 0;
	histogram = histogram_of(values, 1000, 0, 80, HISTOGRAM_LOG);
	assert_false(histogram.logarithmic);
	histogram_free(&histogram);
}

/* Net times may be negative, and a range across 0 has no ratio. */
static void negative_values_stay_linear(void **state)
{
	double values[200];

	for (size_t i = 0; i < 200; i++)
		values[i] = (double)i * (double)i - 10;
	for (size_t columns = 1; columns < 50; columns++) {
		struct histogram histogram =
			histogram_of(values, 200, 0, columns, HISTOGRAM_AUTO);

		assert_false(histogram.logarithmic);
		assert_true(histogram.bins <= columns);
		assert_int_equal(total(&histogram), 200);
		histogram_free(&histogram);
	}
}

static void without_values_there_are_no_bins(void **state)
{
	static const double one[] = { 1 };
	struct histogram histogram;

	histogram_layout(&histogram, NULL, 0, 1, 60, HISTOGRAM_AUTO);
	assert_int_equal(histogram.bins, 0);
	histogram_add(&histogram, 5, 0);
	histogram_add(&histogram, -5, 1);
	assert_int_equal(total(&histogram), 2);
	assert_near(histogram.min, -5);
	assert_near(histogram.max, 5);
	histogram_free(&histogram);
	histogram_layout(&histogram, one, 1, 0, 0, HISTOGRAM_AUTO);
	assert_int_equal(histogram.bins, 0);
	histogram_free(&histogram);
}

static void equal_values_fill_one_bin(void **state)
{
	static const double levels[] = { 0, 1, -3, 1e-300, 1e12, .1 };
	double values[50];

	for (size_t level = 0; level < 6; level++)
		for (size_t quantum = 0; quantum < 2; quantum++) {
			for (size_t i = 0; i < 50; i++)
				values[i] = levels[level];
			struct histogram histogram = histogram_of(values, 50,
				(double)quantum, 60, HISTOGRAM_AUTO);
			assert_int_equal(histogram.bins, 1);
			assert_int_equal(histogram.count[0][0], 50);
			assert_true(histogram.width > 0);
			histogram_free(&histogram);
		}
}

/* 1.7 / .1 is 17, but 17 * .1 is above 1.7. */
static void a_rounded_edge_loses_no_value(void **state)
{
	double values[900];

	for (size_t i = 0; i < 900; i++)
		values[i] = 1.7 + (double)i / 1000;
	struct histogram histogram =
		histogram_of(values, 900, 0, 60, HISTOGRAM_AUTO);
	assert_near(histogram.width, .1);
	assert_near(histogram.low, 1.6);
	assert_int_equal(histogram_below(&histogram), 0);
	assert_int_equal(histogram.count[0][0], 1);
	histogram_free(&histogram);
}

static void nice_steps(void **state)
{
	static const struct {
		double value, step;
	} rows[] = {
		{ 1, 1 },
		{ 1.01, 2 },
		{ 2, 2 },
		{ 2.1, 5 },
		{ 5, 5 },
		{ 5.5, 10 },
		{ 10, 10 },
		{ .1, .1 },
		{ .11, .2 },
		{ .2, .2 },
		{ .3, .5 },
		{ .5, .5 },
		{ .05, .05 },
		{ .051, .1 },
		{ 1e-9, 1e-9 },
		{ 3e-7, 5e-7 },
		{ 3e-6, 5e-6 },
		{ 5e-6, 5e-6 },
		{ 5e-15, 5e-15 },
		{ 999, 1000 },
		{ 1000, 1000 },
		{ 1001, 2000 },
		{ 4e12, 5e12 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_within(nice_step(rows[i].value), rows[i].step, 0);
		assert_true(nice_step(rows[i].value) >= rows[i].value);
	}
}

static void a_million_values(void **state)
{
	enum { N = 1000000 };
	double *values = malloc(N * sizeof *values);

	for (size_t i = 0; i < N; i++)
		values[i] = 100 + (double)(i * 7919 % N) / N;
	check_histogram(values, N, 0, 300, HISTOGRAM_AUTO);
	check_histogram(values, N, 0, 300, HISTOGRAM_LOG);
	free(values);
}

/* Values that no machine measures, but a file may contain. */
static void beyond_all_measure(void **state)
{
	static const double values[][4] = {
		{ -1e308, 1e308, 0, 1 },
		{ -INFINITY, 1, 2, INFINITY },
		{ 1e-320, 1e-310, 1e308, 1e307 },
		{ 1e308, 1e308, 1e308, 1e308 },
	};

	for (size_t i = 0; i < 4; i++) {
		double copy[4];

		for (int scale = HISTOGRAM_AUTO; scale <= HISTOGRAM_LOG;
			scale++) {
			memcpy(copy, values[i], sizeof copy);
			struct histogram histogram =
				histogram_of(copy, 4, 0, 60, scale);

			assert_int_equal(total(&histogram), 4);
			assert_true(histogram.bins <= 60);
			histogram_free(&histogram);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_law_any_size_any_scale),
		cmocka_unit_test(columns_from_1_to_300),
		cmocka_unit_test(width_follows_the_middle_half),
		cmocka_unit_test(quantised_values_make_no_comb),
		cmocka_unit_test(coarse_values_have_bins_of_a_quantum),
		cmocka_unit_test(what_is_outside_is_counted),
		cmocka_unit_test(long_tails_turn_logarithmic),
		cmocka_unit_test(negative_values_stay_linear),
		cmocka_unit_test(without_values_there_are_no_bins),
		cmocka_unit_test(equal_values_fill_one_bin),
		cmocka_unit_test(a_rounded_edge_loses_no_value),
		cmocka_unit_test(nice_steps),
		cmocka_unit_test(beyond_all_measure),
		cmocka_unit_test(a_million_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
