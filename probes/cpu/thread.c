/* What does a new kernel thread cost? */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "basis.h"
#include "digest.h"
#include "highlight.h"
#include "probe.h"
#include "results.h"

enum until { JOINED, RETURNED, RUNS, FIRST };
enum stack { CACHED, FRESH };

static const char *const untils[] = { "joined", "returned", "runs", "first",
	NULL };
static const char *const stacks[] = { "cached", "fresh", NULL };

struct args {
	int until, stack;
};

static const struct param params[] = {
	{ .name = "until",
		.label = "timed until",
		.help = "thread joined, creation returned, thread runs, or "
			"first of the last two",
		.preset = "joined",
		CHOICE_FIELD(struct args, until),
		.choices = untils },
	{ .name = "stack",
		.label = "stack",
		.help = "cached: a stack that the C library kept from an "
			"earlier thread; fresh: a new mapping",
		.preset = "cached",
		CHOICE_FIELD(struct args, stack),
		.choices = stacks },
	{ .name = NULL },
};

enum { TIME };
static const struct metric metrics[] = {
	{ .name = "time", .label = "time per thread", .unit = UNIT_NS },
	{ .name = NULL },
};

struct state {
	const struct probe *probe;
	uint64_t stamp; /* time when the thread ran */
};

/* Of the last thread. The C library keeps stacks as long as the process lives,
 * so every visit of a point continues here. */
static size_t stack_bytes = 8 << 20;

static int setup(struct probe *probe)
{
	struct state *state = calloc(1, sizeof *state);

	if (!state)
		return probe_fail(probe, "no memory");
	state->probe = probe;
	probe->state = state;
	return 0;
}

static void *thread(void *context)
{
	struct state *state = context;

	state->stamp = probe_now(state->probe);
	return NULL;
}

/* The C library reuses a stack that is large enough. A stack one page larger
 * than all earlier ones must be mapped. */
static void choose_stack(const struct args *args, pthread_attr_t *attributes)
{
	if (args->stack == FRESH)
		stack_bytes += (size_t)sysconf(_SC_PAGESIZE);
	pthread_attr_init(attributes);
	pthread_attr_setstacksize(attributes, stack_bytes);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	struct state *state = probe->state;
	pthread_attr_t attributes;
	pthread_t id;
	uint64_t returned;

	choose_stack(args, &attributes);
	probe_start(probe);
	int failed = pthread_create(&id, &attributes, thread, state);
	if (args->until == JOINED && !failed) {
		pthread_join(id, NULL);
		probe_stop_slept(probe, TIME, ops);
		return;
	}
	returned = probe_end(probe);
	if (failed) {
		probe_fail(probe, "cannot create a thread: %s",
			strerror(failed));
		return;
	}
	pthread_join(id, NULL);
	if (args->until == RETURNED)
		probe_stop_at(probe, TIME, ops, returned);
	else if (args->until == RUNS)
		probe_stop_at(probe, TIME, ops, state->stamp);
	else
		probe_stop_at(probe, TIME, ops,
			earlier(returned, state->stamp));
}

/* The interval of a point's headline. */
static bool range_of(const struct results *results, const struct point *point,
	struct range *range)
{
	struct digest digest;

	if (!point || point->state != POINT_OK ||
		!digest_of(results, point, TIME, &digest) ||
		!digest.summary.has_interval)
		return false;
	*range = (struct range){ digest.summary.interval.low,
		digest.summary.interval.high };
	return true;
}

/* The difference of two intervals, which may overlap; then only a bound is
 * known. */
static void find_stack(const char *until, const struct range *cached,
	const struct range *fresh, struct findings *findings)
{
	struct range added = { fresh->low - cached->high,
		fresh->high - cached->low };
	double middle = (added.low + added.high) / 2;
	struct text between = { 0 };

	double scale;
	unit_show_interval(&between, UNIT_NS, added.low, added.high,
		added.high);
	text_add(&between, " %s", unit_prefix(UNIT_NS, added.high, &scale));
	finding_interval(finding_value(findings, "fresh-stack", middle, UNIT_NS,
				 added.low > 0 ?
					 "mapping a fresh stack adds %s "
					 "(until=%s)" :
					 "mapping a fresh stack adds no "
					 "visible time, %s (until=%s)",
				 between.chars, until),
		added.low, added.high);
	text_free(&between);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const char *until = point_value(results, point, "until");
		struct range cached, fresh;
		char other[64];

		if (strcmp(point_value(results, point, "stack"), "cached") != 0)
			continue;
		snprintf(other, sizeof other, "until=%s stack=fresh", until);
		if (range_of(results, point, &cached) &&
			range_of(results, results_where(results, other),
				&fresh))
			find_stack(until, &cached, &fresh, findings);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double guest = facts->hypervisor ? 2 : 1;
	struct basis basis = { .facts = facts };
	struct range call = basis_call_ns(&basis);

	prediction->hardware = basis_switch_ns(&basis);
	prediction->software = (struct range){ 3500 + 2 * call.low,
		18000 * guest + 6 * call.high };
	if (args->until == RETURNED || args->until == FIRST)
		prediction->software.low = 1500 + 2 * call.low;
	if (args->stack == FRESH)
		prediction->software.high += 10000 * guest;
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"2 to 6 system calls, task allocation and scheduling: %.1f to "
		"%.0f us; a switch",
		prediction->software.low / 1000,
		prediction->software.high / 1000);
}

const struct experiment probe_cpu_thread = {
	.name = "cpu.thread",
	.title = "Kernel thread",
	.question = "What does a new kernel thread cost?",
	.method =
		"Each trial creates one thread on the measured processor. The "
		"thread reads the clock and ends. The time ends when the "
		"thread is joined, when the creating call returns, or when the "
		"thread has read the clock. To force a fresh stack, each "
		"thread requests a stack one page larger than the last, which "
		"the C library's cache cannot provide.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1 },
	.traits = TRAIT_BLOCKS | TRAIT_FAULTS | TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_SCHEDULER |
		SENSITIVE_IDLE,
	PROVIDES({ QUANTITY_THREAD_CREATION, "time", NULL }),
	.setup = setup,
	HIGHLIGHTS({ "new thread, joined", "time", "until=joined" }),
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
