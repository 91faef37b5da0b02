/* Axes over any range that a file may have. */
#include "axis.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "golden_text.h"
#include "plot_text.h"

static const double ends[] = { 1, 1000, 4e9, 1e15, 1e20, 1e-20, 1e300, -1e300,
	-5 };
enum { ENDS = sizeof ends / sizeof *ends };

static void check_ticks(double low, double high, bool logarithmic,
	enum unit unit)
{
	struct axis axis = axis_over(low, high, logarithmic, unit);
	struct ticks ticks;

	axis_ticks(&axis, 80, &ticks);
	assert_in_range(ticks.count, 2, AXIS_TICKS);
	axis_ticks_upright(&axis, 20, &ticks);
	assert_in_range(ticks.count, 2, AXIS_TICKS);
	for (size_t i = 1; i < ticks.count; i++)
		assert_true(ticks.list[i].value > ticks.list[i - 1].value);
}

/* Ends that differ by a few steps of a double. */
static void test_narrow_axes_end(void **state)
{
	for (size_t i = 0; i < ENDS; i++) {
		double high = ends[i];

		for (int steps = 0; steps < 5; steps++) {
			check_ticks(ends[i], high, false, UNIT_NS);
			check_ticks(ends[i], high, true, UNIT_NS);
			check_ticks(ends[i], high, false, UNIT_BYTES);
			high = nextafter(high, INFINITY);
		}
	}
}

static void test_wide_axes_end(void **state)
{
	for (size_t i = 0; i < ENDS; i++)
		for (size_t k = 0; k < ENDS; k++)
			if (ends[i] < ends[k]) {
				check_ticks(ends[i], ends[k], false, UNIT_NS);
				check_ticks(ends[i], ends[k], true, UNIT_NS);
			}
}

/* Also of two runs, side by side and upright. */
static void test_runs_have_whole_numbers(void **state)
{
	for (int last = 2; last < 200; last++) {
		struct axis axis = axis_over(1, last, false, UNIT_COUNT);
		struct ticks ticks;

		axis_ticks(&axis, 80, &ticks);
		assert_true(ticks.count >= 2);
		for (size_t i = 0; i < ticks.count; i++)
			assert_null(strchr(ticks.list[i].label, '.'));
		axis_ticks_upright(&axis, 20, &ticks);
		for (size_t i = 0; i < ticks.count; i++)
			assert_null(strchr(ticks.list[i].label, '.'));
	}
}

/* Values beyond the limits of an axis. */
static void test_a_curve_stays_in_its_plot(void **state)
{
	static const double x[] = { 1, 2, 3, 4 };
	static const double y[] = { 1e300, 1e-300, 5e299, 1e305 };
	struct text text = { 0 };

	plot_text(&text_layout_plain, x, y, 4, UNIT_BYTES, UNIT_NS, &text);
	assert_true(text.length > 0);
	assert_fits("a wide range", &text, &text_layout_plain);
	text_free(&text);
	plot_text(&text_layout_plain, x, (const double[]){ -1e300, 1e300, 0,
		-1e305 }, 4, UNIT_BYTES, UNIT_NS, &text);
	assert_true(text.length > 0);
	assert_fits("values below 0", &text, &text_layout_plain);
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_narrow_axes_end),
		cmocka_unit_test(test_wide_axes_end),
		cmocka_unit_test(test_runs_have_whole_numbers),
		cmocka_unit_test(test_a_curve_stays_in_its_plot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
