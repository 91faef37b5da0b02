/* What does a procedure call cost, per argument? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "basis.h"
#include "callee.h"
#include "clones.h"
#include "digest.h"
#include "highlight.h"
#include "interval.h"
#include "memory.h"
#include "probe.h"
#include "quantile.h"
#include "results.h"
#include "slope.h"

enum through { DIRECT, POINTER, PLT, THROUGHS };
enum counter { IN_MEMORY, IN_REGISTER, COUNTERS };
enum { ARGUMENTS_MOST = 7, LENGTHS = 3 };

static const char *const throughs[] = { "direct", "pointer", "plt", NULL };
static const char *const counters[] = { "memory", "register", NULL };

struct args {
	int64_t count;
	int through, counter;
};

static const struct param params[] = {
	{ .name = "args",
		.label = "arguments",
		.help = "integers passed to the procedure",
		.preset = "0..7",
		WHOLE_FIELD(struct args, count),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = ARGUMENTS_MOST },
	{ .name = "through",
		.label = "called through",
		.help = "a constant address, a pointer, or one more jump as "
			"into a shared library",
		.preset = "direct",
		CHOICE_FIELD(struct args, through),
		.choices = throughs },
	{ .name = "counter",
		.label = "counter",
		.help = "place of the loop counter",
		.preset = "memory",
		CHOICE_FIELD(struct args, counter),
		.choices = counters },
	{ .name = NULL },
};

/* A pass of the loop contains 1, 2 or 4 calls. The slope over these is the cost
 * of one call, because the loop and the clock cancel out. */
enum { PASS, PASS_2, PASS_4, CALL };

/* Least squares over x = 1, 2, 4 calls. */
static bool slope_of_calls(const void *context, double *weight)
{
	(void)context;
	weight[PASS] = -4.0 / 14;
	weight[PASS_2] = -1.0 / 14;
	weight[PASS_4] = 5.0 / 14;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "pass", .label = "time per pass, 1 call", .unit = UNIT_NS },
	{ .name = "pass2", .label = "time per pass, 2 calls", .unit = UNIT_NS },
	{ .name = "pass4", .label = "time per pass, 4 calls", .unit = UNIT_NS },
	{ .name = "call",
		.label = "time per call",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = slope_of_calls },
	{ .name = NULL },
};

/* ---- the loops: every combination, in every layout -------------------- */

/* Arguments and the called function, read from memory at each call, like a
 * caller's variables. */
struct given {
	long value[ARGUMENTS_MOST];
	void (*pointer_0)(void);
	void (*pointer_1)(long);
	void (*pointer_2)(long, long);
	void (*pointer_3)(long, long, long);
	void (*pointer_4)(long, long, long, long);
	void (*pointer_5)(long, long, long, long, long);
	void (*pointer_6)(long, long, long, long, long, long);
	void (*pointer_7)(long, long, long, long, long, long, long);
};

static struct given given = {
	.value = { 11, 22, 33, 44, 55, 66, 77 },
	.pointer_0 = callee_0,
	.pointer_1 = callee_1,
	.pointer_2 = callee_2,
	.pointer_3 = callee_3,
	.pointer_4 = callee_4,
	.pointer_5 = callee_5,
	.pointer_6 = callee_6,
	.pointer_7 = callee_7,
};

#define GIVE_0(g)
#define GIVE_1(g) g->value[0]
#define GIVE_2(g) GIVE_1(g), g->value[1]
#define GIVE_3(g) GIVE_2(g), g->value[2]
#define GIVE_4(g) GIVE_3(g), g->value[3]
#define GIVE_5(g) GIVE_4(g), g->value[4]
#define GIVE_6(g) GIVE_5(g), g->value[5]
#define GIVE_7(g) GIVE_6(g), g->value[6]

#define TO_direct(g, k)  callee_##k
#define TO_pointer(g, k) g->pointer_##k
#define TO_plt(g, k)     linked_##k

#define TIMES_1(call) call
#define TIMES_2(call) \
	call;         \
	call
#define TIMES_4(call) \
	call;         \
	call;         \
	call;         \
	call

#define COUNTER_memory   volatile uint64_t
#define COUNTER_register uint64_t

typedef void pass(uint64_t passes, const struct given *);

#define LOOP(n, through, counter, k, calls)                                 \
	static CLONE void pass_##through##_##counter##_##k##_##calls##_##n( \
		uint64_t passes, const struct given *g)                     \
	{                                                                   \
		CLONE_PAD(n);                                               \
		for (COUNTER_##counter i = 0; i < passes; i++) {            \
			TIMES_##calls(TO_##through(g, k)(GIVE_##k(g)));     \
		}                                                           \
		probe_opaque(g);                                            \
	}

#define NAME(n, through, counter, k, calls) \
	pass_##through##_##counter##_##k##_##calls##_##n,

#define LENGTHS_OF(M, through, counter, k) \
	M(through, counter, k, 1)          \
	M(through, counter, k, 2) M(through, counter, k, 4)
#define ARGUMENTS_OF(M, N, through, counter)                        \
	N(M, through, counter, 0)                                   \
	N(M, through, counter, 1)                                   \
	N(M, through, counter, 2)                                   \
	N(M, through, counter, 3) \
	N(M, through, counter, 4) N(M, through, counter, 5) \
		N(M, through, counter, 6) N(M, through, counter, 7)

#define LOOPS(through, counter, k, calls) \
	CLONES_OF(LOOP, through, counter, k, calls)
ARGUMENTS_OF(LOOPS, LENGTHS_OF, direct, memory)
ARGUMENTS_OF(LOOPS, LENGTHS_OF, direct, register)
ARGUMENTS_OF(LOOPS, LENGTHS_OF, pointer, memory)
ARGUMENTS_OF(LOOPS, LENGTHS_OF, pointer, register)
ARGUMENTS_OF(LOOPS, LENGTHS_OF, plt, memory)
ARGUMENTS_OF(LOOPS, LENGTHS_OF, plt, register)

#define NAMES(through, counter, k, calls) \
	{ CLONES_OF(NAME, through, counter, k, calls) },
#define ROWS_OF(M, through, counter, k) { LENGTHS_OF(M, through, counter, k) },
#define TABLE(through, counter)                                \
	{                                                      \
		ARGUMENTS_OF(NAMES, ROWS_OF, through, counter) \
	}

static pass *const passes[THROUGHS][COUNTERS][ARGUMENTS_MOST +
	1][LENGTHS][CLONES_MAX] = {
	[DIRECT] = { TABLE(direct, memory), TABLE(direct, register) },
	[POINTER] = { TABLE(pointer, memory), TABLE(pointer, register) },
	[PLT] = { TABLE(plt, memory), TABLE(plt, register) },
};

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;

	for (unsigned length = 0; length < LENGTHS; length++) {
		pass *loop = passes[args->through][args->counter][args->count]
				   [length][probe->clone];

		probe_start(probe);
		loop(ops, &given);
		probe_stop(probe, PASS + length, ops);
	}
}

/* ---- findings --------------------------------------------------------- */

/* Time of a call by its number of arguments, in one launch's best layouts; NaN
 * if not measured. */
static void launch_calls(const struct results *results, unsigned launch,
	enum scale scale, double time[ARGUMENTS_MOST + 1])
{
	for (int k = 0; k <= ARGUMENTS_MOST; k++)
		time[k] = NAN;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const struct args *args = point->args;

		/* A sweep over several ways of calling uses the first. */
		if (args && !isfinite(time[args->count]))
			time[args->count] = results_launch_floor(results, point,
				CALL, launch, scale);
	}
}

static bool register_slope(const double *time, struct slope *line)
{
	double x[ARGUMENTS_MOST + 1], y[ARGUMENTS_MOST + 1];
	int most = ARGUMENTS_MOST;
	size_t n = 0;

	if (most > REGISTER_ARGUMENTS)
		most = REGISTER_ARGUMENTS;
	for (int k = 0; k <= most; k++)
		if (isfinite(time[k])) {
			x[n] = k;
			y[n++] = time[k];
		}
	return n >= 3 && slope_theil_sen(x, y, n, line);
}

/* Takes one figure per launch and adds a finding of their median. */
static void add_finding(struct findings *findings, const char *name,
	double *figures, size_t n, enum unit unit, const char *what)
{
	struct interval interval;
	struct text range = { 0 };

	if (!n)
		return;
	values_sort(figures, n);
	double median = median_sorted(figures, n);
	bool has = interval_of_median(figures, n, .95, &interval);
	if (has)
		text_add(&range, " [%.3g, %.3g]", interval.low, interval.high);
	bool nothing = has && interval.low <= 0 && interval.high >= 0;
	struct finding *finding = finding_value(findings, name, median, unit,
		"%s costs %.3g%s %s%s", what, median, text_chars(&range),
		unit == UNIT_CYCLES ? "cycles" : "ns",
		nothing ? ": not distinguishable from zero" : "");
	if (has)
		finding_interval(finding, interval.low, interval.high);
	text_free(&range);
}

static void find_costs(const struct results *results, struct findings *findings)
{
	bool cycles = results->clock.cycles_trusted;
	enum scale scale = cycles ? SCALE_CYCLES : SCALE_UNIT;
	enum unit unit = cycles ? UNIT_CYCLES : UNIT_NS;
	size_t launches = results->launch_count + 1;
	double *slopes = xcalloc(launches, sizeof *slopes);
	double *jumps = xcalloc(launches, sizeof *jumps);
	size_t slope_count = 0, jump_count = 0;
	int stacked = REGISTER_ARGUMENTS + 1;

	for (unsigned i = 0; i < results->launch_count; i++) {
		double time[ARGUMENTS_MOST + 1];
		struct slope line;

		launch_calls(results, i, scale, time);
		if (!register_slope(time, &line))
			continue;
		slopes[slope_count++] = line.slope;
		if (stacked <= ARGUMENTS_MOST && isfinite(time[stacked]))
			jumps[jump_count++] = time[stacked] -
				(line.intercept + line.slope * stacked);
	}
	add_finding(findings, "per-argument", slopes, slope_count, unit,
		"an argument in a register");
	add_finding(findings, "stack-argument", jumps, jump_count, unit,
		"the first argument on the stack instead of in a register");
	free(slopes);
	free(jumps);
}

static void find_layout(const struct results *results,
	struct findings *findings)
{
	double worst = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		if (digest_of(results, &results->points[i], PASS, &digest) &&
			digest.layout > worst)
			worst = digest.layout;
	}
	if (worst > 0)
		finding_value(findings, "layout", worst, UNIT_PERCENT,
			"the alignment of the loop changes the time of a pass "
			"by up to %.0f %%",
			worst * 100);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	find_costs(results, findings);
	find_layout(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	double k = (double)args->count;
	double stacked = fmax(k - REGISTER_ARGUMENTS, 0);
	double jump = args->through == PLT ? 1 : 0;
	struct basis basis = { .facts = facts };

	prediction->in_cycles = true;
	prediction->hardware.low = 2;
	prediction->hardware.high = 5 + 2 * jump + .5 * k + 2 * stacked;
	prediction->software.low = 0;
	/* The loop around the call: its counter may be in memory. */
	prediction->software.high = args->counter == IN_MEMORY ? 5 : 1;
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"call and return 2 to 5 cycles, argument up to 0.5 cycles "
		"each%s%s, loop 0 to 5 cycles",
		stacked > 0 ? ", a store and a load per stack argument" : "",
		jump > 0 ? ", up to 2 cycles for the extra jump" : "");
}

const struct experiment probe_cpu_call = {
	.name = "cpu.call",
	.title = "Procedure call",
	.question = "What does a procedure call cost, per argument?",
	.method =
		"Each pass of a loop holds one, two or four calls of an empty "
		"procedure from another compilation unit. The time per call is "
		"the slope over the number of calls: the loop and the clock "
		"cancel. The procedure takes its arguments and stores nothing. "
		"Each loop is measured in sixteen layouts, shifted by four "
		"bytes each, because alignment alone can nearly double its "
		"time. The cost of an argument is the slope over the register "
		"arguments, in the best layouts.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .clones = CLONES_MAX },
	.traits = TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_CODE,
	PROVIDES({ QUANTITY_PROCEDURE_CALL, "call", "args=0" }),
	HIGHLIGHTS({ "call in a loop", "pass", "args=0" }),
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
