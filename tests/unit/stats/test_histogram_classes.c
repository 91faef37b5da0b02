/* The classes of a histogram: counted separately, with the total as their
 * sum. */
#include "histogram.h"

#include <string.h>

#include "check.h"
#include "random.h"

enum { N = 5000 };

/* Multiples of a quarter, some of them outliers, each of some class. */
static void fill(double *values, unsigned *of, uint64_t *random)
{
	for (size_t i = 0; i < N; i++) {
		uint64_t far = random_below(random, 200);

		values[i] = 100 + (double)random_below(random, 80) / 4;
		if (far < 2)
			values[i] = far ? -1e3 : 1e6;
		of[i] = (unsigned)random_below(random, HISTOGRAM_CLASSES);
	}
}

/* Bins for the middle values, so that each class has values outside. */
static void lay_out(struct histogram *histogram)
{
	double sorted[1000];

	for (size_t i = 0; i < 1000; i++)
		sorted[i] = 100 + .02 * (double)i;
	histogram_layout(histogram, sorted, 1000, .25, 40, HISTOGRAM_AUTO);
}

/* All values of a class, including those outside the bins. */
static size_t total_of(const struct histogram *histogram, unsigned of)
{
	size_t sum = histogram->below[of] + histogram->above[of];

	for (size_t i = 0; i < histogram->bins; i++)
		sum += histogram->count[of][i];
	return sum;
}

static void assert_sums(const struct histogram *histogram)
{
	size_t below = 0, above = 0, highest = 1;

	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++) {
		below += histogram->below[c];
		above += histogram->above[c];
	}
	assert_int_equal(histogram_below(histogram), below);
	assert_int_equal(histogram_above(histogram), above);
	for (size_t i = 0; i < histogram->bins; i++) {
		size_t sum = 0;

		for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
			sum += histogram->count[c][i];
		assert_int_equal(histogram_count(histogram, i), sum);
		highest = sum > highest ? sum : highest;
	}
	assert_int_equal(histogram_highest(histogram), highest);
}

static void three_classes_sum_to_n(void **state)
{
	static double values[N];
	static unsigned of[N];
	uint64_t random = 9;

	for (int round = 0; round < 20; round++) {
		struct histogram histogram;
		size_t count[HISTOGRAM_CLASSES] = { 0 }, all = 0;

		fill(values, of, &random);
		lay_out(&histogram);
		for (size_t i = 0; i < N; i++) {
			histogram_add(&histogram, values[i], of[i]);
			count[of[i]]++;
		}
		for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++) {
			assert_int_equal(total_of(&histogram, c), count[c]);
			assert_true(histogram.below[c] && histogram.above[c]);
			all += total_of(&histogram, c);
		}
		assert_int_equal(all, N);
		assert_sums(&histogram);
		histogram_free(&histogram);
	}
}

/* The same values added one by one and at once. */
static void many_are_as_many_times_one(void **state)
{
	struct histogram one, many;
	uint64_t random = 3;

	lay_out(&one);
	lay_out(&many);
	for (int i = 0; i < 300; i++) {
		double value = 90 + (double)random_below(&random, 40);
		unsigned of =
			(unsigned)random_below(&random, HISTOGRAM_CLASSES);
		size_t times = random_below(&random, 9);

		for (size_t k = 0; k < times; k++)
			histogram_add(&one, value, of);
		if (times)
			histogram_add_many(&many, value, of, times);
	}
	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++) {
		assert_int_equal(one.below[c], many.below[c]);
		assert_int_equal(one.above[c], many.above[c]);
		assert_memory_equal(one.count[c], many.count[c],
			one.bins * sizeof(size_t));
	}
	assert_near(one.min, many.min);
	assert_near(one.max, many.max);
	histogram_free(&one);
	histogram_free(&many);
}

/* Narrower bins cover the same range, and are empty again. */
static void bins_can_be_narrowed(void **state)
{
	struct histogram histogram;

	lay_out(&histogram);
	double low = histogram.low, width = histogram.width;
	double high = histogram_edge(&histogram, histogram.bins);
	size_t bins = histogram.bins;
	histogram_narrow(&histogram, width / 4);
	assert_int_equal(histogram.bins, 4 * bins);
	assert_near(histogram.low, low);
	assert_within(histogram_edge(&histogram, histogram.bins), high, 1e-12);
	for (size_t i = 0; i < histogram.bins; i++)
		assert_int_equal(histogram_count(&histogram, i), 0);
	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		histogram_add(&histogram, low + width / 8, c);
	assert_int_equal(histogram_count(&histogram, 0), HISTOGRAM_CLASSES);
	assert_sums(&histogram);
	histogram_free(&histogram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_classes_sum_to_n),
		cmocka_unit_test(many_are_as_many_times_one),
		cmocka_unit_test(bins_can_be_narrowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
