/* Findings of mem.map from results made here: what a page and a sharer add. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "facts.h"
#include "memory.h"
#include "param.h"
#include "results.h"
#include "unit/probe/named.h"

extern const struct experiment probe_mem_map;

enum { OPS = 100, LAUNCHES = 6, TRIALS = 4 };

static const struct facts facts = { .cpus = 4 };

static struct results *made(void)
{
	struct results *results = results_new(probe_mem_map.name);

	results_describe(results, &probe_mem_map);
	results->clock.hz = 1e9;
	results->clock.canary_alone = 1;
	for (int i = 0; i < LAUNCHES; i++)
		results_add_launch(results)->complete = true;
	return results;
}

static void set_values(struct param_set *set, const char *const *typed)
{
	static const char *const names[] = { "op", "touched", "pages",
		"sharers" };
	struct error error;

	param_set_init(set, probe_mem_map.params);
	for (int i = 0; i < 4; i++)
		assert_int_equal(param_set_values(set, names[i], typed[i],
					 &error),
			0);
	param_set_expand(set, probe_mem_map.args_size);
}

/* Adds a point whose operations take `ns` each, and `more` in each launch than
 * in the one before. */
static void measure_drift(struct results *results, const char *op,
	const char *touched, const char *pages, const char *sharers,
	uint64_t ns, uint64_t more)
{
	const char *typed[] = { op, touched, pages, sharers };
	struct point *point = results_add_point(results);
	struct series *time = &point->series[0];
	struct param_set set;

	set_values(&set, typed);
	point->args = xmalloc(probe_mem_map.args_size);
	param_set_args(&set, 0, point->args);
	param_set_free(&set);
	for (size_t i = 0; i < results->param_count; i++) {
		free(point->values[i]);
		point->values[i] = xstrdup(typed[i]);
	}
	time->ops = OPS;
	for (unsigned launch = 0; launch < LAUNCHES; launch++) {
		struct visit *visit = point_add_visit(results, point);

		visit->launch = launch;
		visit->trials = TRIALS;
		time->slices[launch] =
			(struct slice){ launch * TRIALS, TRIALS };
		for (int i = 0; i < TRIALS; i++) {
			*(uint64_t *)column_add(&time->raw) =
				OPS * (ns + launch * more);
			*(uint16_t *)column_add(&time->flags) = 0;
		}
	}
}

static void measure(struct results *results, const char *op,
	const char *touched, const char *pages, const char *sharers,
	uint64_t ns)
{
	measure_drift(results, op, touched, pages, sharers, ns, 0);
}

static const struct finding *find(struct results *results, const char *name)
{
	findings_free(&results->findings);
	results->findings = (struct findings){ 0 };
	probe_mem_map.findings(results, &facts, &results->findings);
	return finding_named(&results->findings, name);
}

/* Three sharers make the line; other pages do not belong to it. */
static void each_sharer_adds(void **state)
{
	struct results *results = made();
	const struct finding *found;

	measure(results, "munmap", "all", "16", "0", 1000);
	measure(results, "munmap", "all", "16", "1", 1800);
	assert_null(find(results, "per-sharer-munmap"));
	measure(results, "munmap", "all", "16", "2", 2600);
	measure(results, "munmap", "all", "256", "3", 90000);
	measure(results, "munmap", "none", "16", "3", 90000);
	found = find(results, "per-sharer-munmap");
	assert_non_null(found);
	assert_near(found->value, 800);
	assert_string_equal(found->sentence,
		"each sharer adds 800 ns to munmap; between pairs of "
		"points 800 to 800 ns");
	assert_null(find(results, "per-sharer-mprotect"));
	found = find(results, "by-sharers");
	assert_non_null(found);
	assert_near(found->value, 800);
	assert_string_equal(found->sentence,
		"with sharers=1, munmap with touched=all pages=16 takes 1.80 "
		"times as long as without sharers");
	results_free(results);
}

/* Launches of 10000 to 15000 ns are not enough data. */
static void sharers_are_compared_with_enough_data(void **state)
{
	struct results *results = made();

	measure(results, "mmap", "all", "1", "0", 11000);
	measure_drift(results, "mmap", "all", "1", "1", 10000, 1000);
	assert_null(find(results, "by-sharers"));
	measure(results, "mmap", "all", "1", "2", 12100);
	assert_near(find(results, "by-sharers")->value, 1100);
	results_free(results);
}

static void each_page_adds(void **state)
{
	struct results *results = made();
	const struct finding *found;

	measure(results, "mmap", "all", "1", "0", 1100);
	measure(results, "mmap", "all", "10", "0", 2000);
	measure(results, "mmap", "all", "100", "0", 11000);
	measure(results, "mmap", "all", "1000", "1", 1);
	found = find(results, "per-page-mmap");
	assert_non_null(found);
	assert_near(found->value, 100);
	assert_null(find(results, "per-sharer-mmap"));
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sharer_adds),
		cmocka_unit_test(sharers_are_compared_with_enough_data),
		cmocka_unit_test(each_page_adds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
