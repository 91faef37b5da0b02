/* Findings of cpu.cores from results made here: groups of pairs, their medians
 * and intervals, and what the groups are. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "facts.h"
#include "memory.h"
#include "param.h"
#include "results.h"

extern const struct experiment probe_cpu_cores;

enum { TRIPS = 1000, LAUNCHES = 8, TRIALS = 4 };

static const struct facts facts = { .cpus = 4 };

static struct results *made(void)
{
	struct results *results = results_new(probe_cpu_cores.name);

	results_describe(results, &probe_cpu_cores);
	results->clock.hz = 1e9;
	results->clock.canary_alone = 1;
	for (int i = 0; i < LAUNCHES; i++)
		results_add_launch(results)->complete = true;
	return results;
}

static void set_values(struct param_set *set, const char *const *typed)
{
	static const char *const names[] = { "op", "from", "to" };
	struct error error;

	param_set_init(set, probe_cpu_cores.params);
	for (int i = 0; i < 3; i++)
		assert_int_equal(param_set_values(set, names[i], typed[i],
					 &error),
			0);
	param_set_expand(set, probe_cpu_cores.args_size);
}

/* Adds a point. A round trip takes `ns`, and a nanosecond more in each launch
 * than in the one before, so that the median is ns + 3.5. */
static void measure(struct results *results, const char *from, const char *to,
	uint64_t ns, const char *relation)
{
	const char *typed[] = { "cas", from, to };
	struct point *point = results_add_point(results);
	struct series *trip = &point->series[0];
	struct param_set set;

	set_values(&set, typed);
	point->args = xmalloc(probe_cpu_cores.args_size);
	param_set_args(&set, 0, point->args);
	param_set_free(&set);
	for (size_t i = 0; i < results->param_count; i++) {
		free(point->values[i]);
		point->values[i] = xstrdup(typed[i]);
	}
	if (relation)
		point_add_note(point, "relation", relation);
	trip->ops = TRIPS;
	for (unsigned launch = 0; launch < LAUNCHES; launch++) {
		struct visit *visit = point_add_visit(results, point);

		visit->launch = launch;
		visit->trials = TRIALS;
		trip->slices[launch] =
			(struct slice){ launch * TRIALS, TRIALS };
		for (int i = 0; i < TRIALS; i++) {
			*(uint64_t *)column_add(&trip->raw) =
				TRIPS * (ns + launch);
			*(uint16_t *)column_add(&trip->flags) = 0;
		}
	}
}

/* The group of that number; NULL: there are fewer. */
static const struct finding *group(struct results *results, size_t number)
{
	findings_free(&results->findings);
	results->findings = (struct findings){ 0 };
	probe_cpu_cores.findings(results, &facts, &results->findings);
	return number < results->findings.count ?
		&results->findings.list[number] :
		NULL;
}

static void says(const struct finding *finding, const char *wanted)
{
	assert_non_null(finding);
	assert_string_equal(finding->name, "group");
	if (!strstr(finding->sentence, wanted))
		fail_msg("'%s' does not say '%s'", finding->sentence, wanted);
}

/* The launches of the middle are 40 .. 47: ranks 1 and 8 of eight. */
static void a_group_has_an_interval_over_launches(void **state)
{
	struct results *results = made();
	const struct finding *found;

	measure(results, "0", "1", 40, NULL);
	found = group(results, 0);
	says(found, "cas: 1 pair of processors (0-1) at 43.5 ns [40.0, 47.0]");
	assert_near(found->value, 43.5);
	assert_true(found->has_interval);
	assert_near(found->interval.low, 40);
	assert_near(found->interval.high, 47);
	assert_null(group(results, 1));
	results_free(results);
}

/* Of an even number of pairs the median lies between the middle two. */
static void the_median_of_pairs(void **state)
{
	struct results *results = made();

	measure(results, "0", "1", 100, NULL);
	measure(results, "0", "2", 110, NULL);
	measure(results, "0", "3", 104, NULL);
	measure(results, "1", "2", 108, NULL);
	says(group(results, 0), "4 pairs of processors (0-1, 0-3, 1-2, 0-2) at "
				"109.5 ns [106.0, 113.0]");
	results_free(results);
}

/* Both directions are one pair, whose time is their mean. */
static void directions_are_one_pair(void **state)
{
	struct results *results = made();

	measure(results, "0", "1", 100, NULL);
	measure(results, "1", "0", 120, NULL);
	measure(results, "0", "0", 10, NULL);
	says(group(results, 0), "1 pair of processors (0-1) at 113.5 ns");
	assert_null(group(results, 1));
	results_free(results);
}

static void groups_have_the_names_of_their_relations(void **state)
{
	struct results *results = made();

	measure(results, "0", "1", 40, "same core, by an experiment");
	measure(results, "2", "3", 42, "same core, by the kernel");
	measure(results, "0", "2", 90, "same last-level cache, by the kernel");
	measure(results, "1", "2", 95, "same last-level cache, by the kernel");
	measure(results, "0", "3", 300, "different packages, by the kernel");
	says(group(results, 0), "2 pairs of processors (0-1, 2-3) at 44.5 ns "
				"[41.0, 48.0]: same core, by an experiment or "
				"same core, by the kernel");
	says(group(results, 1), ": same last-level cache, by the kernel");
	assert_null(strstr(group(results, 1)->sentence, " or "));
	says(group(results, 2), ": different packages, by the kernel");
	assert_null(group(results, 3));
	results_free(results);
}

/* A guest's kernel may report one package although pairs are siblings. */
static void disjoint_pairs_may_be_siblings(void **state)
{
	struct results *results = made();

	measure(results, "0", "1", 40, "same package, by the kernel");
	measure(results, "2", "3", 41, "same package, by the kernel");
	measure(results, "0", "2", 90, "same package, by the kernel");
	says(group(results, 0), "disjoint like SMT siblings");
	assert_null(strstr(group(results, 1)->sentence, "disjoint"));
	/* Pairs with a common processor are not siblings. */
	measure(results, "0", "3", 42, "same package, by the kernel");
	assert_null(strstr(group(results, 0)->sentence, "disjoint"));
	results_free(results);
}

/* One group alone shows no structure. */
static void one_group_is_not_named_by_its_shape(void **state)
{
	struct results *results = made();

	measure(results, "0", "1", 40, NULL);
	measure(results, "2", "3", 41, NULL);
	assert_null(strstr(group(results, 0)->sentence, "disjoint"));
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_has_an_interval_over_launches),
		cmocka_unit_test(the_median_of_pairs),
		cmocka_unit_test(directions_are_one_pair),
		cmocka_unit_test(groups_have_the_names_of_their_relations),
		cmocka_unit_test(disjoint_pairs_may_be_siblings),
		cmocka_unit_test(one_group_is_not_named_by_its_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
