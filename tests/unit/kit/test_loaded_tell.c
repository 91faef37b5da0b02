/* The findings of a curve of latency against bandwidth. */
#include <string.h>

#include "check.h"
#include "loaded_tell.h"
#include "unit/probe/named.h"

static struct findings findings;

static struct summary known(double median, double half)
{
	return (struct summary){ .trials = 100,
		.launches = 6,
		.median = median,
		.has_interval = true,
		.interval = { median - half, median + half, .97, 1 } };
}

static struct loaded_point at(const struct results *results, double pause_ns,
	double load_ns, double per_s)
{
	return (struct loaded_point){ .point = results->points,
		.pause_ns = pause_ns,
		.idle = per_s <= 0,
		.load = known(load_ns, 1),
		.bandwidth = known(per_s, per_s / 100) };
}

static double value_of(const char *name)
{
	const struct finding *finding = finding_named(&findings, name);

	assert_non_null(finding);
	return finding->value;
}

static void tell(const struct results *results, struct loaded_point *points,
	size_t count)
{
	findings_free(&findings);
	loaded_tell(results, points, count, "read", &findings);
}

/* 100 ns up to 8 GB/s, then steeply up to 300 ns at 10 GB/s. */
static void test_curve(void **state)
{
	struct results *results = results_new("x");

	results_add_point(results);
	struct loaded_point points[] = { at(results, 0, 300, 10e9),
		at(results, 100, 110, 8e9), at(results, -1, 100, 0),
		at(results, 800, 105, 4e9) };

	tell(results, points, 4);
	assert_near(value_of("idle"), 100);
	assert_near(value_of("peak"), 10e9);
	assert_near(value_of("at-50"), 106.25);
	assert_near(value_of("at-80"), 110);
	assert_near(value_of("at-95"), 252.5);
	assert_non_null(strstr(finding_named(&findings, "at-95")->sentence,
		"252.5 ns, 2.52 times the idle time (interpolated between the "
		"points at 80 and 100 %)"));
	assert_near(value_of("knee"), 8e9);
	assert_null(finding_named(&findings, "ratio"));
	assert_null(finding_named(&findings, "disorder"));
	results_free(results);
}

static void test_flat_curve_has_no_knee(void **state)
{
	struct results *results = results_new("x");

	results_add_point(results);
	struct loaded_point points[] = { at(results, -1, 100, 0),
		at(results, 100, 101, 8e9), at(results, 0, 109, 10e9) };

	tell(results, points, 3);
	assert_null(finding_named(&findings, "knee"));
	assert_near(value_of("ratio"), 1.09);
	/* A rise within the intervals is none either. */
	points[2].load = known(130, 31);
	tell(results, points, 3);
	assert_null(finding_named(&findings, "knee"));
	assert_near(value_of("ratio"), 1.3);
	results_free(results);
}

static void test_disorder(void **state)
{
	struct results *results = results_new("x");

	results_add_point(results);
	struct loaded_point points[] = { at(results, -1, 100, 0),
		at(results, 0, 150, 9e9), at(results, 200, 160, 10e9) };

	tell(results, points, 3);
	assert_near(value_of("disorder"), 200);
	assert_true(finding_named(&findings, "disorder")->uncertain);
	/* Not beyond the intervals. */
	points[2].bandwidth = known(9.1e9, 1e8);
	tell(results, points, 3);
	assert_null(finding_named(&findings, "disorder"));
	results_free(results);
}

/* The curve rises, within its intervals, from the idle point on. */
static void test_a_fall_is_disorder(void **state)
{
	struct results *results = results_new("x");

	results_add_point(results);
	struct loaded_point points[] = { at(results, -1, 100, 0),
		at(results, 200, 101, 5e9), at(results, 100, 105, 8e9),
		at(results, 0, 102.5, 10e9) };

	tell(results, points, 4);
	assert_near(value_of("disorder"), 102.5);
	assert_non_null(strstr(finding_named(&findings, "disorder")->sentence,
		"a load takes 102.5 ns at 10.00 GB/s, less than 105 ns"));
	points[3].load = known(104, 1);
	tell(results, points, 4);
	assert_null(finding_named(&findings, "disorder"));
	points[0].load = known(120, 1);
	tell(results, points, 4);
	assert_near(value_of("disorder"), 101);
	results_free(results);
}

static void test_too_few_points(void **state)
{
	struct results *results = results_new("x");

	results_add_point(results);
	struct loaded_point points[] = { at(results, 100, 120, 8e9),
		at(results, 0, 150, 9e9) };

	tell(results, points, 2);
	assert_int_equal(findings.count, 0);
	points[0] = at(results, -1, 100, 0);
	tell(results, points, 1);
	assert_int_equal(findings.count, 0);
	tell(results, points, 0);
	assert_int_equal(findings.count, 0);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_flat_curve_has_no_knee),
		cmocka_unit_test(test_disorder),
		cmocka_unit_test(test_a_fall_is_disorder),
		cmocka_unit_test(test_too_few_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
