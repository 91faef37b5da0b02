/* Sweeps sorted into lines: every point is on one of them, in ascending
 * order. */
#include "curves.h"

#include "unit/report/made_results.h"

static const char *const names[] = { "size", "order", "call" };
static const struct param rows[] = {
	{ .name = "size",
		.label = "array size",
		.unit = UNIT_BYTES,
		.type = PARAM_WHOLE },
	{ .name = "order", .label = "order", .type = PARAM_CHOICE },
	{ .name = "call", .label = "call", .type = PARAM_CHOICE },
	{ .name = NULL },
};
static const struct experiment experiment = { .name = "group.name",
	.params = rows };

static struct results *sweep_of(const char *const (*values)[3], size_t count)
{
	struct results *results = made_results(names, 3);

	for (size_t i = 0; i < count; i++)
		made_point(results, values[i]);
	return results;
}

static void test_lines(void **state)
{
	static const char *const values[][3] = {
		{ "8K", "random", "x" },
		{ "1K", "local", "x" },
		{ "1M", "random", "x" },
		{ "8K", "local", "x" },
		{ "512", "random", "x" },
	};
	struct results *results = sweep_of(values, 5);
	struct curves curves;
	size_t seen = 0;

	curves_of(&curves, &experiment, results, NULL);
	assert_int_equal(curves.param_count, 2);
	assert_string_equal(curves.params[curves.across].name, "size");
	assert_string_equal(curves.params[curves.across].label, "array size");
	assert_int_equal(curves.params[curves.across].count, 4);
	assert_int_equal(curves.line_count, 2);
	assert_string_equal(curves.lines[0].label, "random");
	assert_string_equal(curves.lines[1].label, "local");
	for (size_t p = 0; p < 5; p++) {
		size_t line, at;

		assert_true(curves_find(&curves, p, &line, &at));
		assert_int_equal(curves.lines[line].points[at], p);
		seen++;
		if (at)
			assert_true(curves_value(&curves, curves.across, p) >
				curves_value(&curves, curves.across,
					curves.lines[line].points[at - 1]));
	}
	assert_int_equal(seen, curves.lines[0].count + curves.lines[1].count);
	assert_near(curves_value(&curves, curves.across, 2), 1 << 20);
	curves_free(&curves);
	results_free(results);
}

static void test_choices_alone_make_no_line(void **state)
{
	static const char *const values[][3] = {
		{ "4K", "local", "getpid" },
		{ "4K", "local", "read" },
	};
	struct results *results = sweep_of(values, 2);
	struct curves curves;

	curves_of(&curves, &experiment, results, NULL);
	assert_int_equal(curves.across, -1);
	assert_int_equal(curves.line_count, 0);
	assert_null(curves_next(&curves));
	curves_free(&curves);
	results_free(results);
}

/* A value that is not a quantity makes its parameter a choice; published
 * figures may leave values open. */
static void test_open_values_are_no_quantities(void **state)
{
	static const char *const values[][3] = {
		{ "", "a", "x" },
		{ "4K", "a", "x" },
		{ "8K", "b", "x" },
	};
	struct results *results = sweep_of(values, 3);
	struct curves curves;

	curves_of(&curves, &experiment, results, NULL);
	assert_int_equal(curves.across, -1);
	curves_free(&curves);
	/* An empty value is not a quantity either. */
	curves_of(&curves, &experiment, NULL, NULL);
	assert_int_equal(curves.line_count, 0);
	curves_free(&curves);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_choices_alone_make_no_line),
		cmocka_unit_test(test_open_values_are_no_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
