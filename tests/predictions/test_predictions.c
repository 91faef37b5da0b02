/* Every experiment of the program predicts something at every point of its
 * presets: finite, with a text, without any earlier run and with all other
 * experiments measured before. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "facts.h"
#include "finding_table.h"
#include "param.h"
#include "probe_list.h"
#include "results.h"
#include "run_internal.h"

enum { EXPERIMENTS_MOST = 64, POINTS_MOST = 4096, TRIALS = 5 };

/* One machine with many known facts, one with almost none. */
static const struct facts machines[] = {
	{ .cpus = 1 },
	{ .core_hz = 3.1e9,
		.tick_hz = 2.7e9,
		.hypervisor = true,
		.page_table_isolation = true,
		.mitigations = "meltdown: PTI",
		.cpus = 8,
		.memory_bytes = 16e9,
		.l1d_bytes = 32768,
		.l2_bytes = 1 << 20,
		.llc_bytes = 32 << 20,
		.memory_peak = 38.4e9,
		.kernel_hz = 2.7e9,
		.cpuid_hz = 2.7e9 },
};

static void read_presets(const struct experiment *experiment,
	struct param_set *set)
{
	struct error error;

	param_set_init(set, experiment->params);
	/* The only parameter without a preset. */
	if (param_row(experiment->params, "path"))
		assert_int_equal(param_set_values(set, "path",
					 "nfs://localhost/export/", &error),
			0);
	param_set_expand(set, experiment->args_size);
}

static size_t points_of(const struct param_set *set)
{
	size_t points = param_set_points(set);

	return points < POINTS_MOST ? points : POINTS_MOST;
}

static void assert_range(const struct experiment *experiment,
	const struct range *range)
{
	if (!isfinite(range->low) || !isfinite(range->high) || range->low < 0 ||
		range->low > range->high)
		fail_msg("%s: %g .. %g", experiment->name, range->low,
			range->high);
}

static void assert_predicts(const struct experiment *experiment,
	const struct facts *facts, const void *args)
{
	struct prediction got = { 0 };

	experiment->predict(facts, args, &got);
	assert_range(experiment, &got.hardware);
	assert_range(experiment, &got.software);
	assert_range(experiment, &got.total);
	if (!got.set || !(got.total.high > 0))
		fail_msg("%s: nothing is predicted", experiment->name);
	assert_near(got.total.low, got.hardware.low + got.software.low);
	assert_near(got.total.high, got.hardware.high + got.software.high);
	/* A text must contain whole words, not be truncated at the end of its
	 * buffer. */
	size_t length = strlen(got.why);
	if (length < 10 || length >= sizeof got.why - 1)
		fail_msg("%s: '%s'", experiment->name, got.why);
}

static void assert_all_predict(const struct facts *facts)
{
	for (size_t i = 0; probe_list[i]; i++) {
		const struct experiment *experiment = probe_list[i];
		struct param_set set;
		void *args = calloc(1, experiment->args_size + 1);

		if (!experiment->predict)
			fail_msg("%s: no model", experiment->name);
		read_presets(experiment, &set);
		for (size_t p = 0; p < points_of(&set); p++) {
			param_set_args(&set, p, args);
			assert_predicts(experiment, facts, args);
		}
		param_set_free(&set);
		free(args);
	}
}

/* A prediction in cycles is the same before and after the frequency of the core
 * has been measured. */
static void cycles_need_no_clock(void **state)
{
	struct facts unmeasured = machines[1];
	size_t in_cycles = 0;

	unmeasured.core_hz = 0;
	for (size_t i = 0; probe_list[i]; i++) {
		const struct experiment *experiment = probe_list[i];
		struct prediction before = { 0 }, after = { 0 };
		struct param_set set;
		void *args = calloc(1, experiment->args_size + 1);

		read_presets(experiment, &set);
		param_set_args(&set, 0, args);
		experiment->predict(&unmeasured, args, &before);
		experiment->predict(&machines[1], args, &after);
		if (before.in_cycles) {
			in_cycles++;
			assert_memory_equal(&before, &after, sizeof before);
		}
		if (!strcmp(experiment->name, "cpu.syscall"))
			assert_true(before.in_cycles);
		param_set_free(&set);
		free(args);
	}
	assert_true(in_cycles >= 3);
}

/* ---- earlier results, by hand ----------------------------------------- */

static void put_trials(struct results *results, struct point *point)
{
	struct visit *visit = point_add_visit(results, point);

	visit->trials = TRIALS;
	for (size_t m = 0; m < results->metric_count; m++) {
		struct series *series = &point->series[m];
		enum metric_kind kind = results->metrics[m].kind;

		if (kind != METRIC_TIMED && kind != METRIC_VALUE)
			continue;
		series->ops = 1;
		for (uint64_t i = 0; i < TRIALS; i++) {
			void *raw = column_add(&series->raw);

			/* Some microseconds, different for each metric, because
			 * some metrics are differences; or a value in the range
			 * of a rate. */
			if (kind == METRIC_TIMED)
				*(uint64_t *)raw = 2000 * (METRICS_MAX - m) + i;
			else
				*(double *)raw = 9e9 + (double)i;
			*(uint16_t *)column_add(&series->flags) = 0;
		}
		series->slices[point->visit_count - 1].count = TRIALS;
	}
}

static struct results *measured(const struct experiment *experiment)
{
	struct results *results = results_new(experiment->name);
	struct param_set set;

	results_describe(results, experiment);
	results->state = RUN_DONE;
	results->clock = (struct clock_facts){ .hz = 1e9,
		.core_hz = 3e9,
		.cycles_trusted = true };
	read_presets(experiment, &set);
	run_describe_points(results, experiment, &set);
	results_add_launch(results)->complete = true;
	for (size_t p = 0; p < results->point_count; p++)
		put_trials(results, &results->points[p]);
	param_set_free(&set);
	return results;
}

static size_t measure_all(const struct results *earlier[EXPERIMENTS_MOST])
{
	size_t count = 0;

	for (; probe_list[count]; count++) {
		assert_true(count < EXPERIMENTS_MOST);
		earlier[count] = measured(probe_list[count]);
	}
	return count;
}

static void nothing_known(void **state)
{
	assert_all_predict(&machines[0]);
}

static void a_machine_known(void **state)
{
	assert_all_predict(&machines[1]);
}

static const struct experiment *named(const char *name)
{
	for (size_t i = 0; probe_list[i]; i++)
		if (!strcmp(probe_list[i]->name, name))
			return probe_list[i];
	fail_msg("there is no %s", name);
	return NULL;
}

/* A prediction names the measured quantity on which it is based, and changes
 * with it. */
static void assert_rests_on(const char *name, const char *on,
	const struct facts *facts)
{
	const struct experiment *experiment = named(name);
	struct prediction bare = { 0 }, got = { 0 };
	struct param_set set;
	void *args = calloc(1, experiment->args_size + 1);

	read_presets(experiment, &set);
	param_set_args(&set, param_set_points(&set) - 1, args);
	experiment->predict(&machines[1], args, &bare);
	experiment->predict(facts, args, &got);
	if (!strstr(got.why, on) || !strstr(got.why, "this session"))
		fail_msg("%s: '%s' is not in '%s'", name, on, got.why);
	assert_null(strstr(bare.why, "this session"));
	if (bare.total.low == got.total.low &&
		bare.total.high == got.total.high)
		fail_msg("%s: the same with and without %s", name, on);
	param_set_free(&set);
	free(args);
}

static void all_others_measured(void **state)
{
	static const char *const rests[][2] = {
		{ "cpu.process", "cpu.thread" },
		{ "cpu.thread", "cpu.syscall" },
		{ "cpu.thread", "cpu.switch" },
		{ "mem.fault", "mem.bandwidth" },
		{ "net.rtt", "cpu.syscall" },
		{ "net.rtt", "cpu.switch" },
		{ "net.connect", "cpu.syscall" },
		{ "net.bandwidth", "mem.bandwidth" },
		{ "fs.read", "mem.bandwidth" },
		{ "fs.read", "cpu.syscall" },
		{ "fs.cache", "fs.read" },
		{ "fs.contention", "fs.read" },
		{ "fs.remote", "net.rtt" },
	};
	const struct results *earlier[EXPERIMENTS_MOST];
	struct facts facts = machines[1];

	facts.earlier_count = measure_all(earlier);
	facts.earlier = earlier;
	assert_all_predict(&facts);
	for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
		assert_rests_on(rests[i][0], rests[i][1], &facts);
	for (size_t i = 0; i < facts.earlier_count; i++)
		results_free((struct results *)(uintptr_t)earlier[i]);
}

static void give(struct results *results, const char *host)
{
	int at = results_param(results, "host");

	for (size_t p = 0; p < results->point_count; p++) {
		free(results->points[p].values[at]);
		results->points[p].values[at] = strdup(host);
	}
}

/* A round trip to another host is not used for this one. */
static void a_round_trip_is_to_the_same_host(void **state)
{
	static const struct {
		const char *host, *path;
		bool same;
	} rows[] = {
		{ "nas", "nfs://nas/export/", true },
		{ "nas:7000", "nfs://nas:2049/export/?version=4", true },
		{ "NAS", "nfs://user@nas/export/", true },
		{ "loopback", "nfs://127.0.0.1/export/", true },
		{ "[fe80::7]:7000", "nfs://[fe80::7]/export/", true },
		{ "loopback", "nfs://nas/export/", false },
		{ "link", "nfs://link/export/", false },
		{ "other", "nfs://nas/export/", false },
		{ "nas", "nfs://localhost/export/", false },
		{ "nas", "/no/mount/is/here", false },
	};
	struct results *trips = measured(named("net.rtt"));
	const struct results *earlier[] = { trips };
	struct facts facts = machines[1];

	facts.earlier = earlier;
	facts.earlier_count = 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct experiment *remote = named("fs.remote");
		struct prediction got = { 0 };
		struct param_set set;
		struct error error;
		void *args = calloc(1, remote->args_size + 1);

		give(trips, rows[i].host);
		read_presets(remote, &set);
		assert_int_equal(param_set_values(&set, "path", rows[i].path,
					 &error),
			0);
		param_set_args(&set, 0, args);
		remote->predict(&facts, args, &got);
		bool taken = strstr(got.why, "from net.rtt, this session");
		bool assumed = strstr(got.why, "(assumed: ");
		if (taken != rows[i].same || assumed == rows[i].same)
			fail_msg("%s by %s: '%s'", rows[i].path, rows[i].host,
				got.why);
		assert_true(strlen(got.why) < sizeof got.why - 1);
		param_set_free(&set);
		free(args);
	}
	results_free(trips);
}

/* The range of the whole time at the first point with two values set. */
static struct range range_with(const char *name, const char *const values[4])
{
	const struct experiment *experiment = named(name);
	void *args = calloc(1, experiment->args_size + 1);
	struct prediction got = { 0 };
	struct param_set set;
	struct error error;

	read_presets(experiment, &set);
	for (size_t i = 0; i < 4; i += 2)
		if (param_set_values(&set, values[i], values[i + 1], &error))
			fail_msg("%s", error.message);
	param_set_args(&set, 0, args);
	experiment->predict(&machines[1], args, &got);
	param_set_free(&set);
	free(args);
	return got.total;
}

/* What a file contains is written by its creation and freed by its removal. */
static void content_takes_time(void **state)
{
	static const struct {
		const char *op;
		bool longer;
	} rows[] = { { "create", true }, { "unlink", true }, { "stat", false },
		{ "rename", false } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct range empty = range_with("fs.meta",
			(const char *const[]){ "op", rows[i].op, "size", "0" });
		struct range full = range_with("fs.meta",
			(const char *const[]){ "op", rows[i].op, "size",
				"1M" });

		assert_int_equal(full.low > empty.low, rows[i].longer);
		assert_int_equal(full.high > empty.high, rows[i].longer);
	}
}

/* The idle load of mem.loaded is a load of mem.latency, from whichever level
 * serves it. */
static void an_idle_load_is_predicted_alike(void **state)
{
	static const char *const sizes[] = { "4M", "32M", "256M" };
	struct range automatic = range_with("mem.loaded",
		(const char *const[]){ "pause", "idle", "size", "auto" });
	struct range loaded, alone;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		loaded = range_with("mem.loaded",
			(const char *const[]){ "pause", "idle", "size",
				sizes[i] });
		alone = range_with("mem.latency",
			(const char *const[]){ "order", "local", "size",
				sizes[i] });
		assert_near(loaded.low, alone.low);
		assert_near(loaded.high, alone.high);
		assert_int_equal(loaded.low < automatic.low, i < 2);
	}
	assert_near(automatic.high, loaded.high);
}

/* A curve without a knee has the last load over the idle one. */
static void the_ratio_of_loads_has_a_heading(void **state)
{
	struct results *results = measured(named("mem.loaded"));
	struct finding_table table;

	results->descriptor = named("mem.loaded");
	finding_cell(&results->findings, results, results->points, "ratio",
		1.5, UNIT_NONE);
	assert_true(finding_table_make(results, &table));
	assert_string_equal(finding_table_cell(&table, 0, 1), "times idle");
	finding_table_free(&table);
	results_free(results);
}

/* No time may be lost in gaps that are longer than the ticks. */
static void a_threshold_hides_ticks(void **state)
{
	struct range all = range_with("cpu.noise",
		(const char *const[]){ "threshold", "500ns", "duration",
			"1s" });
	struct range longer = range_with("cpu.noise",
		(const char *const[]){ "threshold", "1ms", "duration", "1s" });

	assert_true(all.low > 0);
	assert_near(longer.low, 0);
	assert_near(longer.high, all.high);
}

/* Failed runs are not used for predictions. */
static void failed_ones_do_not_count(void **state)
{
	const struct results *earlier[EXPERIMENTS_MOST];
	struct facts facts = machines[1];

	facts.earlier_count = measure_all(earlier);
	facts.earlier = earlier;
	for (size_t i = 0; i < facts.earlier_count; i++)
		((struct results *)(uintptr_t)earlier[i])->state = RUN_FAILED;
	for (size_t i = 0; probe_list[i]; i++) {
		struct prediction got = { 0 };
		struct param_set set;
		void *args = calloc(1, probe_list[i]->args_size + 1);

		read_presets(probe_list[i], &set);
		param_set_args(&set, 0, args);
		probe_list[i]->predict(&facts, args, &got);
		if (strstr(got.why, "this session"))
			fail_msg("%s: '%s'", probe_list[i]->name, got.why);
		param_set_free(&set);
		free(args);
	}
	for (size_t i = 0; i < facts.earlier_count; i++)
		results_free((struct results *)(uintptr_t)earlier[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_known),
		cmocka_unit_test(a_machine_known),
		cmocka_unit_test(cycles_need_no_clock),
		cmocka_unit_test(all_others_measured),
		cmocka_unit_test(a_round_trip_is_to_the_same_host),
		cmocka_unit_test(content_takes_time),
		cmocka_unit_test(an_idle_load_is_predicted_alike),
		cmocka_unit_test(the_ratio_of_loads_has_a_heading),
		cmocka_unit_test(a_threshold_hides_ticks),
		cmocka_unit_test(failed_ones_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
