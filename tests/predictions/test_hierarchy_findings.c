/* Findings of mem.hierarchy from curves made here: complete curves, and curves
 * that end on the slope of the last cache. */
#include <string.h>

#include "check.h"
#include "facts.h"
#include "misses.h"
#include "results.h"
#include "unit/probe/named.h"

extern const struct experiment probe_mem_hierarchy;

enum { KIB = 1 << 10, MIB = 1 << 20, CAPACITY = 4, WAYS = 16 };

struct level {
	double bytes, beyond_ns; /* more than within */
};
static const struct level three[] = { { 48 * KIB, 3 }, { 2 * MIB, 12 },
	{ 24. * MIB, 53 } };

static double time_of(const struct level *levels, size_t n, double bytes)
{
	struct misses misses = misses_of(MISSES_LRU, WAYS);
	double sum = 1.4;

	for (size_t i = 0; i < n; i++)
		sum += levels[i].beyond_ns *
			misses_share(&misses, bytes / levels[i].bytes);
	return sum;
}

/* The curve of one launch up to `most` bytes, and its findings. */
static struct results *found(const struct level *levels, size_t n, double most,
	const struct facts *facts)
{
	struct results *results = results_new(probe_mem_hierarchy.name);

	results_describe(results, &probe_mem_hierarchy);
	struct point *point = results_add_point(results);
	for (double octave = 4 * KIB; octave <= most; octave *= 2)
		for (int eighth = 8; eighth < 16; eighth++) {
			double bytes = octave / 8 * eighth;

			if (bytes <= most)
				*(struct trace_point *)column_add(
					&point->series[CAPACITY].trace) =
					(struct trace_point){ bytes,
						time_of(levels, n, bytes), 0 };
		}
	probe_mem_hierarchy.findings(results, facts, &results->findings);
	return results;
}

static void expect(const struct results *results, const char *name,
	const char *words)
{
	const struct finding *finding = finding_named(&results->findings, name);

	assert_non_null(finding);
	print_message("%s\n", finding->sentence);
	assert_non_null(strstr(finding->sentence, words));
}

static const struct facts lent = { .l1d_bytes = 48 * KIB,
	.l2_bytes = 2 * MIB,
	.llc_bytes = 480. * MIB };

static void a_whole_curve_is_effective(void **state)
{
	struct results *results = found(three, 3, 128. * MIB, &lent);

	expect(results, "L1d", "agrees with the kernel's 48.00 KiB");
	expect(results, "L2", "agrees with the kernel's 2.000 MiB");
	expect(results, "L3", "of nominal 480.0 MiB");
	assert_within(finding_named(&results->findings, "L3")->value, 24. * MIB, .1);
	assert_true(finding_named(&results->findings, "L3")->has_interval);
	results_free(results);
}

static void a_curve_cut_on_the_slope_is_a_bound(void **state)
{
	struct results *results = found(three, 3, 26. * MIB, &lent);
	const struct finding *l3 = finding_named(&results->findings, "L3");

	expect(results, "L1d", "agrees with the kernel's 48.00 KiB");
	expect(results, "L2", "agrees with the kernel's 2.000 MiB");
	expect(results, "L3", "L3 holds at least ");
	expect(results, "L3",
		"uncertain: the curve ends on the slope at 26.00 MiB");
	assert_null(strstr(l3->sentence, "effective"));
	assert_null(strstr(l3->sentence, "agrees"));
	assert_null(strstr(l3->sentence, "beyond"));
	assert_true(l3->uncertain);
	assert_true(l3->value > 2 * MIB && l3->value <= 24. * MIB);
	/* No later level gives an upper bound. */
	assert_false(l3->has_interval);
	results_free(results);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_curve_is_effective),
		cmocka_unit_test(a_curve_cut_on_the_slope_is_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
