/* Histograms as drawn show every value and nothing else. */
#include <math.h>

#include "draw_histogram.h"
#include "quantile.h"
#include "regime.h"
#include "widgets.h"

/* 1000 values around 100: in each ten one excluded and two of the other regime,
 * and a few outliers. */
static void fill(struct histogram *histogram, double *quantile)
{
	double values[1000], shown[1000];
	uint32_t seed = 5;
	size_t n = 0;

	for (int i = 0; i < 1000; i++) {
		values[i] = 100 + draw(&seed, 0, 5) + draw(&seed, 0, 5) +
			(i % 200 == 7 ? 300 : 0);
		if (i % 10)
			shown[n++] = values[i];
	}
	values_sort(shown, n);
	histogram_layout(histogram, shown, n, .5, 40, HISTOGRAM_AUTO);
	for (int i = 0; i < 1000; i++)
		histogram_add(histogram, values[i],
			i % 10 == 0        ? SHOWN_EXCLUDED :
				i % 10 < 3 ? SHOWN_OTHER :
					     SHOWN_HEADLINE);
	static const double places[] = { .01, .05, .25, .5, .75, .9, .95, .99,
		.999 };
	for (int i = 0; i < 9; i++)
		quantile[i] = quantile_sorted(shown, n, places[i]);
}

static void test_histogram_holds_all(void **state)
{
	struct histogram histogram;
	double quantile[9];
	struct prediction prediction = { .set = true,
		.by = BY_USER,
		.total = { 102, 106 } };
	struct interval interval = { .low = 104.5, .high = 105.5 };

	fill(&histogram, quantile);
	struct histogram_view view = { .histogram = &histogram,
		.unit = UNIT_NS,
		.prediction = &prediction,
		.interval = &interval,
		.quantile = quantile };
	struct pane pane = fresh(70, 16, TIER_ASCII);
	draw_histogram(&view, &pane);
	const char *drawn = dumped();
	assert_non_null(strstr(drawn, "you predicted"));
	assert_non_null(strstr(drawn, "box"));
	assert_non_null(strstr(drawn, "ns"));
	assert_non_null(strstr(drawn, ">1")); /* the overflow's label */
	assert_non_null(strchr(drawn, '^'));  /* the interval's ends */
	assert_true(count_role(ROLE_FLAGGED) > 0);
	assert_true(count_role(ROLE_SERIES_4) > 0);
	assert_true(count_role(ROLE_SERIES) > count_role(ROLE_SERIES_4));
	assert_true(count_role(ROLE_PREDICTED) > 0);
	prediction.post_hoc = true;
	pane = fresh(70, 16, TIER_ASCII);
	draw_histogram(&view, &pane);
	assert_non_null(strstr(dumped(), "you, afterwards"));
	histogram_free(&histogram);
}

/* An arrow at the edge points to a prediction outside the range. */
static void test_prediction_elsewhere(void **state)
{
	struct histogram histogram;
	double quantile[9];
	struct prediction prediction = { .set = true,
		.by = BY_MODEL,
		.total = { 5, 6 } };

	fill(&histogram, quantile);
	struct histogram_view view = { .histogram = &histogram,
		.unit = UNIT_NS,
		.prediction = &prediction };
	struct pane pane = fresh(70, 16, TIER_ASCII);
	draw_histogram(&view, &pane);
	assert_non_null(strstr(dumped(), "< the model predicts"));
	prediction.total = (struct range){ 5000, 6000 };
	pane = fresh(70, 16, TIER_ASCII);
	draw_histogram(&view, &pane);
	assert_non_null(strstr(dumped(), "the model predicts >"));
	histogram_free(&histogram);
}

/* A single value in a column is visible beside thousands, on any scale. */
static void test_one_value_is_seen(void **state)
{
	int blanks = -1; /* columns without a value: the same in both */

	for (int log = 0; log < 2; log++) {
		double sorted[400];
		struct histogram histogram;
		struct histogram_view view = { .histogram = &histogram,
			.unit = UNIT_NS,
			.log_count = log };

		for (int i = 0; i < 400; i++)
			sorted[i] = 1 + i / 100;
		histogram_layout(&histogram, sorted, 400, 1, 4,
			HISTOGRAM_LINEAR);
		for (int i = 0; i < 100000; i++)
			histogram_add(&histogram, 1, SHOWN_HEADLINE);
		histogram_add(&histogram, 4, SHOWN_HEADLINE);
		histogram_add(&histogram, 3, SHOWN_EXCLUDED);
		histogram_add(&histogram, 2, SHOWN_OTHER);
		struct pane pane = fresh(60, 10, TIER_BLOCK);
		draw_histogram(&view, &pane);
		assert_true(count_role(ROLE_FLAGGED) > 0);
		assert_true(count_role(ROLE_SERIES_4) > 0);
		int bottom = pane.rows - 3; /* above axis and labels */
		int low = 0, blank = 0;
		for (int column = 20; column < 60; column++) {
			unsigned code = pane_code(&pane, column, bottom);

			low += code == 0x2581;
			blank += code == ' ';
		}
		assert_true(log || low > 0);
		assert_true(blanks < 0 || blank == blanks);
		blanks = blank;
		histogram_free(&histogram);
	}
}

/* Draws the cumulative curve of sorted values, with one bin from 0 to 100. */
static void draw_shares(const double *sorted, size_t n, struct pane *pane)
{
	struct histogram histogram;
	double ends[] = { 1, 99 };
	struct histogram_view view = { .histogram = &histogram,
		.unit = UNIT_NS,
		.cumulative = true,
		.sorted = sorted,
		.sorted_count = n };

	histogram_layout(&histogram, ends, 2, 0, 1, HISTOGRAM_LINEAR);
	histogram.low = 0;
	histogram.width = 100;
	*pane = fresh(70, 13, TIER_ASCII);
	draw_histogram(&view, pane);
	histogram_free(&histogram);
}

/* The row of the curve, from the top, at a fraction of the axis. */
static int row_of_line(const struct pane *pane, double part)
{
	int columns = histogram_room(pane->columns);
	int column = 9 + (int)(part * columns);

	for (int row = 0; row < pane->rows; row++)
		if (grid.cells[row * pane->columns + column].role ==
			ROLE_SERIES)
			return row;
	return -1;
}

/* The curve rises at the values, not between them, and never falls. */
static void test_cumulative_rises_at_the_values(void **state)
{
	const double sorted[] = { 50, 50, 50, 80 };
	struct pane pane;
	int above = 13;

	draw_shares(sorted, 4, &pane);
	assert_non_null(strstr(dumped(), "% of trials"));
	int bottom = pane.rows - 3;
	assert_int_equal(row_of_line(&pane, .3), bottom);
	assert_int_equal(row_of_line(&pane, .47), bottom);
	int after = row_of_line(&pane, .54);
	assert_true(after > 0 && after < bottom / 2);
	assert_int_equal(row_of_line(&pane, .76), after);
	assert_int_equal(row_of_line(&pane, .84), 0);
	for (double part = 0; part < .99; part += .01) {
		int row = row_of_line(&pane, part);

		assert_true(row >= 0 && row <= above);
		above = row;
	}
	draw_shares(sorted, 0, &pane);
	assert_int_equal(count_role(ROLE_SERIES), 0);
}

/* The curve never covers the name of the axis. */
static void test_cumulative_is_named(void **state)
{
	struct pane pane;

	for (int low = 1; low < 99; low++)
		for (int high = low; high < 99; high += 7) {
			const double sorted[] = { low, low, low, high };

			draw_shares(sorted, 4, &pane);
			if (!strstr(dumped(), "% of trials"))
				fail_msg("%d and %d:\n%s", low, high, dumped());
		}
}

/* A column of outliers is cut at the height of the others and labelled with its
 * count. */
static void test_overflow_does_not_set_the_scale(void **state)
{
	double sorted[100];
	struct histogram histogram;
	struct histogram_view view = { .histogram = &histogram,
		.unit = UNIT_NS };

	for (int i = 0; i < 100; i++)
		sorted[i] = 10 + i / 10;
	histogram_layout(&histogram, sorted, 100, 1, 20, HISTOGRAM_LINEAR);
	for (int i = 0; i < 100; i++)
		histogram_add(&histogram, sorted[i], SHOWN_HEADLINE);
	for (int i = 0; i < 777; i++)
		histogram_add(&histogram, 1000,
			i % 2 ? SHOWN_EXCLUDED : SHOWN_OTHER);
	for (int i = 0; i < 55; i++)
		histogram_add(&histogram, 1, SHOWN_HEADLINE);
	struct pane pane = fresh(70, 13, TIER_BLOCK);
	draw_histogram(&view, &pane);
	const char *drawn = dumped();
	assert_non_null(strstr(drawn, ": 777"));
	assert_non_null(strstr(drawn, "55 <"));
	assert_null(strstr(drawn, "800 "));
	/* Bins with ten values each are as high as the plot. */
	int full = 0;
	for (int column = 12; column < 60; column++)
		full += pane_code(&pane, column, 0) == 0x2588;
	assert_true(full >= 10);
	histogram_free(&histogram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_histogram_holds_all),
		cmocka_unit_test(test_prediction_elsewhere),
		cmocka_unit_test(test_one_value_is_seen),
		cmocka_unit_test(test_cumulative_rises_at_the_values),
		cmocka_unit_test(test_cumulative_is_named),
		cmocka_unit_test(test_overflow_does_not_set_the_scale),
	};

	return cmocka_run_group_tests(tests, NULL, free_grid);
}
