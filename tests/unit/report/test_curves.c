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

/* A run of pauses, which are drawn as the bandwidth that they leave. The point
 * with 2us has no bandwidth yet. */
static struct results *pauses(size_t known)
{
	static const char *const pause[] = { "pause" };
	static const char *const values[] = { "0", "1us", "idle", "2us" };
	static const double rates[] = { 9e9, 4e9, 0 };
	struct results *results = made_results(pause, 1);

	results_add_metric(results, "bandwidth", "bytes moved",
		UNIT_BYTES_PER_S, MORE_IS_BETTER, METRIC_VALUE, false);
	for (size_t i = 0; i < 4; i++) {
		made_point(results, &values[i]);
		made_trials(results, i, 8, 100, 0);
		if (i < known)
			new_value(results, i, 1, rates[i]);
	}
	return results;
}

static void test_drawn_as_a_metric(void **state)
{
	static const struct param pause[] = {
		{ .name = "pause",
			.label = "pause",
			.unit = UNIT_NS,
			.type = PARAM_WHOLE,
			.drawn_as = "bandwidth" },
		{ .name = NULL },
	};
	static const struct experiment loaded = { .name = "group.name",
		.params = pause };
	static const size_t order[] = { 2, 1, 0, 3 };
	struct results *results = pauses(3);
	struct curves curves;

	finding_value(&results->findings, "knee", 100, UNIT_NS, "another");
	finding_value(&results->findings, "knee", 5e9, UNIT_BYTES_PER_S, "it");
	curves_of(&curves, &loaded, results, NULL);
	assert_int_equal(curves.across, 0);
	assert_int_equal(curves.down, -1);
	assert_true(curves.params[0].measured);
	assert_string_equal(curves.params[0].label, "bytes moved");
	assert_int_equal(curves.params[0].unit, UNIT_BYTES_PER_S);
	assert_int_equal(curves.params[0].count, 3);
	assert_int_equal(curves.line_count, 1);
	assert_memory_equal(curves.lines[0].points, order, sizeof order);
	assert_near(curves_value(&curves, 0, 1), 4e9);
	assert_true(isnan(curves_value(&curves, 0, 3)));
	assert_near(curves_knee(&curves)->value, 5e9);
	curves_free(&curves);
	results_free(results);
	/* One bandwidth makes no line, and "idle" is no quantity. */
	results = pauses(1);
	curves_of(&curves, &loaded, results, NULL);
	assert_int_equal(curves.across, -1);
	assert_null(curves_knee(&curves));
	curves_free(&curves);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_choices_alone_make_no_line),
		cmocka_unit_test(test_open_values_are_no_quantities),
		cmocka_unit_test(test_drawn_as_a_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
