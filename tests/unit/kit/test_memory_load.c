/* Which point of an earlier run is a load from memory. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "facts.h"
#include "memory.h"
#include "memory_load.h"

/* Adds a point with one trial of `ns`; a tick is a nanosecond. */
static void add_strided(struct results *results, const char *order,
	const char *stride, const char *level, uint64_t ns)
{
	struct point *point = results_add_point(results);

	point->values[0] = xstrdup(order);
	point->values[1] = xstrdup(stride);
	point_add_note(point, "level", level);
	point_add_visit(results, point)->trials = 1;
	*(uint64_t *)column_add(&point->series[0].raw) = ns;
	column_add(&point->series[0].flags);
	point->series[0].slices[0].count = 1;
	point->series[0].ops = 1;
}

static void add_point(struct results *results, const char *order,
	const char *level, uint64_t ns)
{
	add_strided(results, order, "64", level, ns);
}

static const struct experiment provider = {
	PROVIDES({ QUANTITY_LOCAL_LOAD, "load", "order=local" },
		{ QUANTITY_RANDOM_LOAD, "load", "order=random" })
};

static struct results *latency(const struct experiment *experiment)
{
	struct results *results = results_new("mem.load");

	results->descriptor = experiment;
	results->clock.hz = 1e9;
	results->param_names = xcalloc(2, sizeof *results->param_names);
	results->param_names[0] = xstrdup("order");
	results->param_names[1] = xstrdup("stride");
	results->param_count = 2;
	results_add_metric(results, "load", "load", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results_add_launch(results);
	return results;
}

static bool found(const struct results *results, struct range *load_ns)
{
	const struct results *earlier[] = { results };
	struct facts facts = { .earlier = earlier, .earlier_count = 1 };

	return memory_load(&facts, load_ns);
}

static void test_memory_not_cache(void **state)
{
	struct results *results = latency(&provider);
	struct range load_ns = { 0, 0 };

	add_point(results, "local", "L1d", 2);
	add_point(results, "random", "L1d", 2);
	assert_false(found(results, &load_ns));
	add_point(results, "random", "memory", 200);
	assert_true(found(results, &load_ns));
	assert_near(load_ns.low, 200);
	/* If a point without page walks exists, the last of these is used. */
	add_point(results, "local", "memory", 110);
	add_point(results, "local", "memory", 120);
	add_point(results, "random", "memory", 210);
	add_point(results, "local", "L3 and memory", 60);
	assert_true(found(results, &load_ns));
	assert_near(load_ns.low, 120);
	assert_near(load_ns.high, 120);
	results_free(results);
}

/* In these orders a prefetcher or the previous load has brought the line before
 * the load needs it. */
static void test_loads_that_hardly_wait(void **state)
{
	static const char *const guessed[] = { "forward", "backward",
		"page-local", "jitter" };
	struct results *results = latency(&provider);
	struct range load_ns;

	for (size_t i = 0; i < sizeof guessed / sizeof *guessed; i++)
		add_point(results, guessed[i], "memory", 11);
	add_strided(results, "local", "16", "memory", 30);
	add_strided(results, "random", "32", "memory", 60);
	assert_false(found(results, &load_ns));
	add_strided(results, "random", "4K", "memory", 150);
	add_point(results, "forward", "memory", 11);
	assert_true(found(results, &load_ns));
	assert_near(load_ns.low, 150);
	results_free(results);
}

static void test_other_experiments(void **state)
{
	struct results *results = latency(NULL);
	struct range load_ns;
	struct facts none = { .earlier_count = 0 };

	add_point(results, "local", "memory", 120);
	assert_false(found(results, &load_ns));
	assert_false(memory_load(&none, &load_ns));
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_not_cache),
		cmocka_unit_test(test_loads_that_hardly_wait),
		cmocka_unit_test(test_other_experiments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
