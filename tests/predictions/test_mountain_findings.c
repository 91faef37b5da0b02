/* Findings of mem.mountain from results made here: the highest and lowest point
 * if there are two, and the gain of a cache if one serves the smaller array. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "facts.h"
#include "memory.h"
#include "param.h"
#include "results.h"
#include "unit/probe/named.h"

extern const struct experiment probe_mem_mountain;

enum { READ = 1, READS = 1000, LAUNCHES = 6, TRIALS = 12 };

static struct results *made(void)
{
	struct results *results = results_new(probe_mem_mountain.name);

	results_describe(results, &probe_mem_mountain);
	results->clock.hz = 1e9;
	results->clock.canary_alone = 1;
	for (int i = 0; i < LAUNCHES; i++)
		results_add_launch(results)->complete = true;
	return results;
}

/* Adds a requested point without measurements. */
static struct point *wish(struct results *results, const char *size,
	const char *stride)
{
	struct point *point = results_add_point(results);
	struct param_set set;
	struct error error;

	param_set_init(&set, probe_mem_mountain.params);
	assert_int_equal(param_set_values(&set, "size", size, &error), 0);
	assert_int_equal(param_set_values(&set, "stride", stride, &error), 0);
	param_set_expand(&set, probe_mem_mountain.args_size);
	point->args = xmalloc(probe_mem_mountain.args_size);
	param_set_args(&set, 0, point->args);
	param_set_free(&set);
	for (size_t i = 0; i < results->param_count; i++)
		free(point->values[i]);
	point->values[0] = xstrdup(size);
	point->values[1] = xstrdup(stride);
	return point;
}

/* Adds a point whose trials take `read_ns` per read. */
static void measure(struct results *results, const char *size,
	const char *stride, const char *level, uint64_t read_ns)
{
	struct point *point = wish(results, size, stride);
	struct series *throughput = &point->series[0];
	struct series *read = &point->series[READ];

	point_add_note(point, "level", level);
	throughput->derived = probe_mem_mountain.metrics[0].derive(point->args,
		throughput->weight);
	assert_true(throughput->derived);
	read->ops = READS;
	for (unsigned launch = 0; launch < LAUNCHES; launch++) {
		struct visit *visit = point_add_visit(results, point);

		visit->launch = launch;
		visit->trials = TRIALS;
		read->slices[launch] =
			(struct slice){ launch * TRIALS, TRIALS };
		for (int i = 0; i < TRIALS; i++) {
			*(uint64_t *)column_add(&read->raw) = READS * read_ns;
			*(uint16_t *)column_add(&read->flags) = 0;
		}
	}
}

static const struct finding *find(struct results *results, const char *name)
{
	const struct facts facts = { .cpus = 2 };

	findings_free(&results->findings);
	results->findings = (struct findings){ 0 };
	probe_mem_mountain.findings(results, &facts, &results->findings);
	return finding_named(&results->findings, name);
}

static void one_point_is_no_mountain(void **state)
{
	struct results *results = made();

	measure(results, "1K", "64", "L1d", 1);
	wish(results, "64M", "64");
	assert_null(find(results, "peak"));
	assert_null(find(results, "foot"));
	assert_null(find(results, "temporal"));
	measure(results, "32M", "64", "memory", 8);
	assert_near(find(results, "peak")->value, 8e9);
	assert_near(find(results, "foot")->value, 1e9);
	results_free(results);
}

static void what_a_nearer_level_buys(void **state)
{
	/* Levels of the smaller and the larger array; says = NULL: no
	 * finding. */
	static const struct {
		const char *small, *large, *says;
	} cases[] = {
		{ "L1d", "memory",
			"data in L1d is read 4.0 times as fast as in the "
			"largest array, at stride 64" },
		{ "L1d", "L1d and L2",
			"data in L1d is read 4.0 times as fast as in the "
			"largest array, at stride 64" },
		{ "L2 and L3", "L3 and memory",
			"data in L2 and L3 is read 4.0 times as fast as in the "
			"largest array, at stride 64" },
		{ "memory", "memory", NULL },
		{ "L2", "L2", NULL },
		{ "memory", "L3", NULL },
		{ "?", "?", NULL },
		{ "?", "memory", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct results *results = made();
		const struct finding *found;

		measure(results, "64M", "64", cases[i].small, 2);
		measure(results, "256M", "64", cases[i].large, 8);
		found = find(results, "temporal");
		if (cases[i].says) {
			assert_non_null(found);
			assert_string_equal(found->sentence, cases[i].says);
			assert_near(found->value, 4);
		} else {
			assert_null(found);
		}
		results_free(results);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_point_is_no_mountain),
		cmocka_unit_test(what_a_nearer_level_buys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
