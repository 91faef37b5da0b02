/* Findings of mem.bandwidth from results made here: the best, the gain of
 * streaming stores, threads, and the share of the peak in the firmware's table
 * of memory modules (test_smbios.c of the sessions has the table). */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "facts.h"
#include "memory.h"
#include "param.h"
#include "results.h"
#include "unit/probe/named.h"

extern const struct experiment probe_mem_bandwidth;

enum { LINE = 1, LINES = 1000, LAUNCHES = 6, TRIALS = 12 };

/* Two channels of DDR4-2667. */
static const struct facts known = { .memory_peak = 2667e6 * 8 * 2, .cpus = 2 };

static struct results *made(void)
{
	struct results *results = results_new(probe_mem_bandwidth.name);

	results_describe(results, &probe_mem_bandwidth);
	results->clock.hz = 1e9;
	results->clock.canary_alone = 1;
	for (int i = 0; i < LAUNCHES; i++)
		results_add_launch(results)->complete = true;
	return results;
}

static void set_values(struct param_set *set, const char *op,
	const char *kernel, const char *threads)
{
	struct error error;

	param_set_init(set, probe_mem_bandwidth.params);
	assert_int_equal(param_set_values(set, "op", op, &error), 0);
	assert_int_equal(param_set_values(set, "kernel", kernel, &error), 0);
	assert_int_equal(param_set_values(set, "threads", threads, &error), 0);
	param_set_expand(set, probe_mem_bandwidth.args_size);
}

/* Adds a point whose trials take `line_ns` per line. */
static void measure(struct results *results, const char *op, const char *kernel,
	const char *threads, const char *level, uint64_t line_ns)
{
	const char *typed[] = { op, kernel, threads, "auto", "4K" };
	struct point *point = results_add_point(results);
	struct series *bandwidth = &point->series[0];
	struct series *line = &point->series[LINE];
	struct param_set set;

	set_values(&set, op, kernel, threads);
	point->args = xmalloc(probe_mem_bandwidth.args_size);
	param_set_args(&set, 0, point->args);
	param_set_free(&set);
	for (size_t i = 0; i < results->param_count; i++) {
		free(point->values[i]);
		point->values[i] = xstrdup(typed[i]);
	}
	point_add_note(point, "level", level);
	bandwidth->derived = probe_mem_bandwidth.metrics[0].derive(point->args,
		bandwidth->weight);
	assert_true(bandwidth->derived);
	line->ops = LINES;
	for (unsigned launch = 0; launch < LAUNCHES; launch++) {
		struct visit *visit = point_add_visit(results, point);

		visit->launch = launch;
		visit->trials = TRIALS;
		line->slices[launch] =
			(struct slice){ launch * TRIALS, TRIALS };
		for (int i = 0; i < TRIALS; i++) {
			*(uint64_t *)column_add(&line->raw) = LINES * line_ns;
			*(uint16_t *)column_add(&line->flags) = 0;
		}
	}
}

static const struct finding *find(struct results *results,
	const struct facts *facts, const char *name)
{
	findings_free(&results->findings);
	results->findings = (struct findings){ 0 };
	probe_mem_bandwidth.findings(results, facts, &results->findings);
	return finding_named(&results->findings, name);
}

static void the_share_of_the_peak(void **state)
{
	struct results *results = made();
	const struct finding *share;

	/* 64 bytes in 4 ns are 16 GB/s; in a cache four times as much. */
	measure(results, "read", "loop", "1", "memory", 4);
	measure(results, "read", "unrolled", "1", "fits the last-level cache",
		1);
	share = find(results, &known, "peak-share-read");
	assert_non_null(share);
	assert_near(share->value, 16e9 / (2667e6 * 8 * 2));
	assert_non_null(strstr(share->sentence,
		"reaches 37 % of the modules' peak, 42.67 GB/s"));
	assert_null(find(results, &known, "peak-share-write"));
	results_free(results);
}

static void no_share_without_a_peak_or_memory(void **state)
{
	const struct facts unknown = { .cpus = 2 };
	struct results *results = made();

	measure(results, "read", "loop", "1", "fits the last-level cache", 4);
	assert_null(find(results, &known, "peak-share-read"));
	measure(results, "read", "loop", "2", "memory", 2);
	assert_null(find(results, &unknown, "peak-share-read"));
	assert_non_null(find(results, &known, "peak-share-read"));
	results_free(results);
}

static void the_best_and_the_threads(void **state)
{
	struct results *results = made();
	const struct finding *found;

	measure(results, "read", "loop", "1", "memory", 8);
	measure(results, "read", "loop", "2", "memory", 5);
	measure(results, "read", "unrolled", "1", "memory", 6);
	found = find(results, &known, "best-read");
	assert_non_null(found);
	assert_near(found->value, 64e9 / 5);
	assert_non_null(strstr(found->sentence, "by loop, threads=2, memory"));
	found = find(results, &known, "scaling-read");
	assert_non_null(found);
	assert_near(found->value, 1.6);
	results_free(results);
}

/* The shares of several threads may fit a cache that is too small for the
 * whole. */
static void threads_of_one_level(void **state)
{
	struct results *results = made();
	const struct finding *found;

	measure(results, "read", "loop", "1", "fits L2 of each core", 7);
	measure(results, "read", "loop", "2", "fits L1d of each core", 1);
	assert_null(find(results, &known, "scaling-read"));
	measure(results, "read", "unrolled", "1", "memory", 8);
	measure(results, "read", "unrolled", "2", "memory", 5);
	found = find(results, &known, "scaling-read");
	assert_non_null(found);
	assert_near(found->value, 1.6);
	assert_string_equal(found->sentence,
		"2 threads read 1.60 times as fast as one");
	measure(results, "write", "loop", "1", "fits L1d of each core", 4);
	measure(results, "write", "loop", "2", "fits L1d of each core", 2);
	found = find(results, &known, "scaling-write");
	assert_non_null(found);
	assert_string_equal(found->sentence,
		"2 threads write 2.00 times as fast as one "
		"(level: fits L1d of each core)");
	results_free(results);
}

#if defined(__x86_64__)
static void what_streaming_stores_gain(void **state)
{
	struct results *results = made();
	const struct finding *found;

	/* A copy's bytes count twice. */
	measure(results, "copy", "sse", "1", "memory", 16);
	measure(results, "copy", "nt-sse", "1", "memory", 10);
	found = find(results, &known, "streaming-copy");
	assert_non_null(found);
	assert_near(found->value, 1.6);
	found = find(results, &known, "best-copy");
	assert_near(found->value, 128e9 / 10);
	results_free(results);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_share_of_the_peak),
		cmocka_unit_test(no_share_without_a_peak_or_memory),
		cmocka_unit_test(the_best_and_the_threads),
		cmocka_unit_test(threads_of_one_level),
#if defined(__x86_64__)
		cmocka_unit_test(what_streaming_stores_gain),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
