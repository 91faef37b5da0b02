/* What does a loop iteration cost? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "basis.h"
#include "clones.h"
#include "digest.h"
#include "interval.h"
#include "memory.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"
#include "slope.h"

enum counter { IN_MEMORY, IN_REGISTER };
static const char *const counters[] = { "memory", "register", NULL };

struct args {
	int64_t count;
	int counter;
};

static const struct param params[] = {
	{ .name = "count",
		.label = "iterations",
		.help = "in one pass of the loop",
		.preset = "0..8192*2",
		WHOLE_FIELD(struct args, count),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 1 << 20 },
	{ .name = "counter",
		.label = "counter",
		.help = "place of the loop counter; code compiled without "
			"optimisation keeps it in memory",
		.preset = "memory",
		CHOICE_FIELD(struct args, counter),
		.choices = counters },
	{ .name = NULL },
};

enum { PASS, ITERATION };

static bool per_iteration(const void *context, double *weight)
{
	const struct args *args = context;

	if (!args->count)
		return false;
	weight[PASS] = 1 / (double)args->count;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "pass", .label = "time per pass", .unit = UNIT_NS },
	{ .name = "iteration",
		.label = "time per iteration",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = per_iteration },
	{ .name = NULL },
};

/* ---- the loops -------------------------------------------------------- */

#define MEMORY_LOOP(n)                                                \
	static CLONE void memory_##n(uint64_t passes, uint64_t count) \
	{                                                             \
		CLONE_PAD(n);                                         \
		for (; passes; passes--)                              \
			for (volatile uint64_t i = 0; i < count; i++) \
				;                                     \
	}
CLONES(MEMORY_LOOP)

#define REGISTER_LOOP(n)                                                \
	static CLONE void register_##n(uint64_t passes, uint64_t count) \
	{                                                               \
		CLONE_PAD(n);                                           \
		for (; passes; passes--)                                \
			for (uint64_t i = 0; i < count; i++)            \
				__asm__ volatile("" : "+r"(i));         \
	}
CLONES(REGISTER_LOOP)

#define MEMORY_NAME(n)   memory_##n,
#define REGISTER_NAME(n) register_##n,

typedef void loop(uint64_t passes, uint64_t count);
static loop *const loops[][CLONES_MAX] = {
	[IN_MEMORY] = { CLONES(MEMORY_NAME) },
	[IN_REGISTER] = { CLONES(REGISTER_NAME) },
};

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	loop *passes = loops[args->counter][probe->clone];
	uint64_t count = (uint64_t)args->count;

	probe_start(probe);
	passes(ops, count);
	probe_stop(probe, PASS, ops);
}

/* ---- findings --------------------------------------------------------- */

/* The slope over the counts in one launch, from the best layout of each
 * count. */
static bool launch_slope(const struct results *results, unsigned launch,
	int counter, enum scale scale, double *slope)
{
	double *x = xcalloc(results->point_count, sizeof *x);
	double *y = xcalloc(results->point_count, sizeof *y);
	struct slope line;
	size_t n = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;

		/* Shorter loops are predicted completely; longer ones end in a
		 * misprediction and follow another law. */
		if (!args || args->counter != counter || args->count < 64)
			continue;
		x[n] = (double)args->count;
		y[n] = results_launch_floor(results, point, PASS, launch,
			scale);
		n += isfinite(y[n]);
	}
	bool good = n >= 3 && slope_theil_sen(x, y, n, &line);
	*slope = good ? line.slope : NAN;
	free(x);
	free(y);
	return good;
}

static void find_slope(const struct results *results, int counter,
	struct findings *findings)
{
	bool cycles = results->clock.cycles_trusted;
	enum scale scale = cycles ? SCALE_CYCLES : SCALE_UNIT;
	double *slopes = xcalloc(results->launch_count + 1, sizeof *slopes);
	struct interval interval = { 0 };
	size_t n = 0;

	for (unsigned i = 0; i < results->launch_count; i++)
		n += launch_slope(results, i, counter, scale, &slopes[n]);
	if (n) {
		values_sort(slopes, n);
		double median = median_sorted(slopes, n);
		bool has = interval_of_median(slopes, n, .95, &interval);
		struct text range = { 0 };

		if (has)
			text_add(&range, " [%.4g, %.4g]", interval.low,
				interval.high);
		struct finding *finding = finding_value(findings,
			"per-iteration", median, cycles ? UNIT_CYCLES : UNIT_NS,
			"an iteration costs %.4g%s %s with the counter in %s "
			"(slope over the counts, best layout)",
			median, text_chars(&range), cycles ? "cycles" : "ns",
			counter == IN_MEMORY ? "memory" : "a register");
		if (has)
			finding_interval(finding, interval.low, interval.high);
		text_free(&range);
	}
	free(slopes);
}

static void find_layout(const struct results *results,
	struct findings *findings)
{
	double worst = 0;
	const struct point *at = NULL;

	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		if (!digest_of(results, &results->points[i], PASS, &digest) ||
			!(digest.layout > worst))
			continue;
		worst = digest.layout;
		at = &results->points[i];
	}
	if (at)
		finding_value(findings, "layout", worst, UNIT_PERCENT,
			"the alignment of the loop changes its time by up to "
			"%.0f %% (%s iterations)",
			worst * 100, at->values[0]);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	find_slope(results, IN_MEMORY, findings);
	find_slope(results, IN_REGISTER, findings);
	find_layout(results, findings);
}

/* One taken branch per cycle. With the counter in memory, each iteration waits
 * for store-to-load forwarding. */
static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double count = (double)args->count;
	bool memory = args->counter == IN_MEMORY;
	struct basis basis = { .facts = facts };

	prediction->in_cycles = true;
	prediction->hardware.low = count * 1;
	prediction->hardware.high = count * (memory ? 7 : 2) + 2;
	prediction->software.low = 0;
	/* The exit of a long loop is one mispredicted branch. */
	prediction->software.high = 20;
	prediction_sum(prediction);
	basis_say(&basis, prediction, "%s",
		memory ? "1 to 7 cycles an iteration: a taken branch a cycle, "
			"or store-to-load forwarding; 20 to leave" :
			 "1 to 2 cycles an iteration: a taken branch a cycle; "
			 "20 to leave");
}

const struct experiment probe_cpu_loop = {
	.name = "cpu.loop",
	.title = "Loop iteration",
	.question = "What does a loop iteration cost?",
	.method = "One pass is an empty loop of `count` iterations. A trial "
		"times as many passes together as it needs for its length. "
		"Each pass is measured in sixteen layouts, the loop shifted by "
		"four bytes each, because its alignment can double its time. "
		"The cost of an iteration is the slope of the time over the "
		"count, in the best layout of each launch. Everything around "
		"the loop cancels in this difference.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .clones = CLONES_MAX },
	.traits = TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_CODE,
	.noise = "count=1024",
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
