/* Plots of several lines: ticks, dashes, labels, peaks. */
#include <math.h>

#include "canvas.h"
#include "curves.h"
#include "draw_line.h"
#include "peaks.h"
#include "sweep_fixture.h"
#include "widgets.h"

/* ---- ticks ------------------------------------------------------------ */

/* On a logarithmic axis of bytes each tick is a power of two, and so is its
 * label. */
static void test_r15_ticks_of_bytes(void **state)
{
	uint32_t seed = 5;

	for (int i = 0; i < 5000; i++) {
		double low = exp2(floor(draw(&seed, 0, 24)));
		double high = low * exp2(floor(draw(&seed, 5, 30)));
		struct axis axis = axis_over(low, high, true, UNIT_BYTES);
		struct ticks ticks;
		int end = -1, columns = 30 + (int)draw(&seed, 0, 200);

		axis_ticks(&axis, columns, &ticks);
		assert_true(ticks.count >= 2);
		for (size_t k = 0; k < ticks.count; k++) {
			const char *label = ticks.list[k].label;
			struct error error;
			double said;
			int width = (int)strlen(label);
			int begin =
				axis_cell(&axis, ticks.list[k].value, columns) -
				width / 2;

			assert_int_equal(unit_parse(UNIT_BYTES, label,
						 strlen(label), &said, &error),
				0);
			assert_true(said == ticks.list[k].value);
			assert_true(log2(said) == rint(log2(said)));
			assert_true(!k || begin > end);
			end = begin + width;
		}
		assert_string_equal(ticks.unit, "B");
	}
}

/* Ticks of other units are at 1, 2, 3 or 5 times a power of ten. */
static void test_r15_ticks_of_times(void **state)
{
	uint32_t seed = 6;

	for (int i = 0; i < 5000; i++) {
		double low = exp(draw(&seed, -3, 10));
		struct axis axis = axis_over(low, low * exp(draw(&seed, 5, 16)),
			true, UNIT_NS);
		struct ticks ticks;
		int above = -2, rows = 14 + (int)draw(&seed, 0, 60);

		axis_ticks_upright(&axis, rows, &ticks);
		assert_true(ticks.count >= 2);
		for (size_t k = 0; k < ticks.count; k++) {
			double value = ticks.list[k].value;
			int row = axis_cell(&axis, value, rows);
			double part =
				value / pow(10, floor(log10(value) + 1e-9));

			assert_true(fabs(part - 1) < 1e-6 ||
				fabs(part - 2) < 1e-6 ||
				fabs(part - 3) < 1e-6 || fabs(part - 5) < 1e-6);
			assert_true(row >= above + 2);
			above = row;
		}
	}
}

/* ---- lines ------------------------------------------------------------ */

/* The dash patterns differ, also in tiers whose cells have no parts. */
static void test_r11_dashes(void **state)
{
	for (int tier = 0; tier < TIERS; tier++) {
		char *seen[DASHES];

		for (int dash = 0; dash < DASHES; dash++) {
			struct pane pane = fresh(40, 1, (enum tier)tier);
			struct canvas canvas;

			canvas_begin(&canvas, &pane);
			canvas_pen(&canvas, ROLE_SERIES_2, (enum dash)dash);
			canvas_line(&canvas, 0, .5, 1, .5);
			canvas_end(&canvas);
			assert_true(count_role(ROLE_SERIES_2) > 5);
			seen[dash] = xstrdup(dumped());
			for (int k = 0; k < dash; k++)
				assert_string_not_equal(seen[k], seen[dash]);
		}
		for (int dash = 0; dash < DASHES; dash++)
			free(seen[dash]);
	}
}

/* A dash pattern continues from one segment of a line to the next. */
static void test_dashes_go_on(void **state)
{
	struct canvas canvas;
	struct pane pane = fresh(40, 1, TIER_BRAILLE);

	canvas_begin(&canvas, &pane);
	canvas_pen(&canvas, ROLE_SERIES, DASH_DASHED);
	canvas_line(&canvas, 0, .5, 1, .5);
	canvas_end(&canvas);
	char *whole = xstrdup(dumped());
	pane = fresh(40, 1, TIER_BRAILLE);
	canvas_begin(&canvas, &pane);
	canvas_pen(&canvas, ROLE_SERIES, DASH_DASHED);
	for (int i = 0; i < 79; i++)
		canvas_line(&canvas, i / 79., .5, (i + 1) / 79., .5);
	canvas_end(&canvas);
	assert_string_equal(dumped(), whole);
	free(whole);
}

/* Where lines cross, the dots of both are drawn. */
static void test_crossing_lines(void **state)
{
	struct canvas canvas;
	struct pane pane = fresh(1, 1, TIER_BRAILLE);

	canvas_begin(&canvas, &pane);
	canvas_line(&canvas, 0, 1, 0, 1);
	canvas_pen(&canvas, ROLE_SERIES_3, DASH_SOLID);
	canvas_line(&canvas, 1, 0, 1, 0);
	canvas_end(&canvas);
	assert_int_equal(grid.cells[0].code, 0x2881);
	assert_int_equal(grid.cells[0].role, ROLE_SERIES_3);
}

/* Lines that end at the same place have labels on separate rows. If there are
 * more lines than rows, the top line has its label. */
static void test_labels_make_room(void **state)
{
	static const char *const names[] = { "alpha", "beta", "gamma",
		"delta" };
	const double x[] = { 1, 2 }, y[] = { 5, 5 };

	for (int rows = 4; rows < 12; rows++) {
		struct line_series series[4];
		struct line_view view = { .series = series,
			.count = 4,
			.right = 8,
			.across = axis_over(1, 2, false, UNIT_NONE),
			.up = axis_over(0, 10, false, UNIT_NS) };
		struct pane pane = fresh(50, rows, TIER_ASCII);
		int found = 0;

		for (int i = 0; i < 4; i++)
			series[i] = (struct line_series){ .x = x,
				.y = y,
				.n = 2,
				.label = names[i] };
		draw_line(&view, &pane);
		for (int i = 0; i < 4; i++)
			found += strstr(dumped(), names[i]) != NULL;
		assert_int_equal(found, rows - 2 < 4 ? 1 : 4);
		assert_non_null(strstr(dumped(), "delta"));
	}
}

/* ---- curves ----------------------------------------------------------- */

static void test_curves(void **state)
{
	struct results *results = swept_latencies(10);
	struct curves curves;
	size_t line, at;

	curves_of(&curves, &swept_latency, results, NULL);
	assert_int_equal(curves.param_count, 2);
	assert_string_equal(curves.params[curves.across].name, "size");
	assert_int_equal(curves.down, -1);
	assert_int_equal(curves.line_count, 2);
	assert_string_equal(curves.lines[1].label, "random");
	assert_int_equal(curves.lines[0].count, 37);
	assert_null(curves_next(&curves));
	for (size_t i = 0; i < results->point_count; i++) {
		assert_true(curves_find(&curves, i, &line, &at));
		assert_int_equal(curves.lines[line].points[at], i);
		assert_true(!at ||
			curves_value(&curves, curves.across, i) >
				curves_value(&curves, curves.across,
					curves.lines[line].points[at - 1]));
	}
	curves_free(&curves);
	results_free(results);
	results = swept_ranges();
	curves_of(&curves, &swept_mountain, results, NULL);
	assert_string_equal(curves.params[curves.across].name, "stride");
	assert_string_equal(curves_next(&curves), "size");
	assert_string_equal(curves.lines[0].label, "2K");
	curves_free(&curves);
	curves_of(&curves, &swept_mountain, results, "size");
	assert_string_equal(curves.params[curves.across].name, "size");
	assert_string_equal(curves.lines[0].label, "16 B");
	curves_free(&curves);
	results_free(results);
}

/* ---- peaks ------------------------------------------------------------ */

static void test_peaks(void **state)
{
	double y[2000];
	struct peaks peaks;

	for (int i = 0; i < 2000; i++)
		y[i] = 10 + i % 3;
	peaks_find(&peaks, y, 2000);
	assert_int_equal(peaks.high, 0);
	assert_int_equal(peaks.count, 0);
	assert_int_equal(peaks.every, 0);
	assert_true(peaks.median == 11);
	for (int i = 100; i < 2000; i += 256)
		y[i] = 100 + i;
	y[700] = 5000; /* a single peak */
	y[702] = 4000; /* too near to the peak */
	peaks_find(&peaks, y, 2000);
	assert_int_equal(peaks.high, 10);
	assert_int_equal(peaks.at[0], 700);
	assert_int_equal(peaks.at[1], 1892);
	assert_int_equal(peaks.every, 256);
	peaks_find(&peaks, y, 0);
	assert_int_equal(peaks.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r15_ticks_of_bytes),
		cmocka_unit_test(test_r15_ticks_of_times),
		cmocka_unit_test(test_r11_dashes),
		cmocka_unit_test(test_dashes_go_on),
		cmocka_unit_test(test_crossing_lines),
		cmocka_unit_test(test_labels_make_room),
		cmocka_unit_test(test_curves),
		cmocka_unit_test(test_peaks),
	};

	return cmocka_run_group_tests(tests, NULL, free_grid);
}
