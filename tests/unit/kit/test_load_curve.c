/* Latency curves: pooled over launches, and the line size they show. */
#include "check.h"
#include "load_curve.h"

static const struct metric rows[] = {
	{ .name = "value", .label = "a value", .unit = UNIT_NS },
	{ .name = "each",
		.label = "each in order",
		.unit = UNIT_NS,
		.kind = METRIC_TRACE,
		.across = "size",
		.across_unit = UNIT_BYTES },
	{ .name = NULL },
};
static const struct param none[] = { { .name = NULL } };
static const struct experiment traced = {
	.name = "test.traced",
	.title = "Traced",
	.params = none,
	.metrics = rows,
};

static struct results *results_of(const struct trace_point *points, size_t n)
{
	struct results *results = results_new(traced.name);

	results_describe(results, &traced);
	struct point *point = results_add_point(results);
	for (size_t i = 0; i < n; i++)
		*(struct trace_point *)column_add(&point->series[1].trace) =
			points[i];
	return results;
}

/* For odd and even numbers of launches, in any order. */
static void test_medians(void **state)
{
	static const struct trace_point points[] = { { 64, 9, 0 }, { 32, 1, 0 },
		{ 64, 5, 1 }, { 32, 3, 1 }, { 64, 7, 2 }, { 128, 4, 2 } };
	struct results *results = results_of(points, 6);
	struct load_curve curve;

	load_curve_pool(results, 1, &curve);
	assert_int_equal(curve.n, 3);
	assert_near(curve.x[0], 32);
	assert_near(curve.y[0], 2);
	assert_near(curve.x[1], 64);
	assert_near(curve.y[1], 7);
	assert_near(curve.y[2], 4);
	results_free(results);
}

/* A file may contain more points than any run. */
static void test_too_many(void **state)
{
	static struct trace_point points[LOAD_CURVE_MOST + 1];
	struct load_curve curve;

	for (unsigned i = 0; i <= LOAD_CURVE_MOST; i++)
		points[i] = (struct trace_point){ i, 1, 0 };
	struct results *results = results_of(points, LOAD_CURVE_MOST + 1);
	load_curve_pool(results, 1, &curve);
	assert_int_equal(curve.n, 0);
	results_free(results);
	results = results_of(points, LOAD_CURVE_MOST);
	load_curve_pool(results, 1, &curve);
	assert_int_equal(curve.n, LOAD_CURVE_MOST);
	results_free(results);
}

static void test_line(void **state)
{
	struct load_curve pairs = { { 8, 32, 56, 64, 72 },
		{ 2, 2.1, 2.4, 3.1, 3.2 }, 5 };

	assert_near(load_curve_line(&pairs), 64);
	pairs.y[3] = pairs.y[4] = 2.3;
	assert_near(load_curve_line(&pairs), 0);
	pairs.n = 0;
	assert_near(load_curve_line(&pairs), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medians),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
