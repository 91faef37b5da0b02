/* What does an arithmetic operation cost? */
#include <math.h>

#include "arithmetic_text.h"
#include "basis.h"
#include "clones.h"
#include "cpuinfo.h"
#include "heading.h"
#include "probe.h"
#include "results.h"

/* Applies a macro to every operation: its name, the type in the union below,
 * and what the types of this kind share. */
#define INTEGERS(M, type, field, w) \
	M(type, xor, field, w)      \
	M(type, add, field, w)      \
	M(type, multiply, field, w) \
	M(type, divide, field, w) M(type, remainder, field, w)
#define REALS(M, type, field, w)    \
	M(type, add, field, w)      \
	M(type, multiply, field, w) \
	M(type, divide, field, w) M(type, fma, field, w)
#define OPERATIONS(I, R)             \
	INTEGERS(I, int32, u32, W32) \
	INTEGERS(I, int64, u64, W64) \
	REALS(R, float, single, "s") REALS(R, double, whole, "d")

#define INDEX(type, op, field, w) OP_##type##_##op,
#define WORD(type, op, field, w)  #type "-" #op,

enum op { OPERATIONS(INDEX, INDEX) OPS };
static const char *const ops_[] = { OPERATIONS(WORD, WORD) NULL };

struct args {
	int op;
};

static const struct param params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "type and operation; integers are unsigned; fma: a "
			"product and a sum, rounded once",
		.preset = "int32-add,int32-multiply,int32-divide,"
			  "int64-add,int64-multiply,int64-divide,"
			  "double-add,double-multiply,double-divide,double-fma",
		CHOICE_FIELD(struct args, op),
		.choices = ops_ },
	{ .name = NULL },
};

enum { LATENCY, LINK, APART, ADD };

/* A link of integer divisions ends with an addition. */
static bool has_addition(enum op op)
{
	return op == OP_int32_divide || op == OP_int32_remainder ||
		op == OP_int64_divide || op == OP_int64_remainder;
}

static bool link_without_addition(const void *context, double *weight)
{
	const struct args *args = context;

	weight[LINK] = 1;
	weight[ADD] = has_addition((enum op)args->op) ? -1 : 0;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "latency",
		.label = "time per dependent operation",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = link_without_addition },
	{ .name = "link", .label = "time per link, gross", .unit = UNIT_NS },
	{ .name = "independent",
		.label = "time per independent operation",
		.unit = UNIT_NS },
	{ .name = "add",
		.label = "time per link of additions",
		.unit = UNIT_NS },
	{ .name = NULL },
};

/* ---- the loops: every operation, in every layout ---------------------- */

union number {
	uint32_t u32;
	uint64_t u64;
	float single;
	double whole;
};
/* A link makes x from x, a and b. */
struct operands {
	union number x, a, b;
};

/* A chain stores its last x. */
typedef void loop(uint64_t rounds, struct operands *);

#define NUMBERS(field) \
	__typeof__(o->x.field) x = o->x.field, a = o->a.field
#define NUMBERS_B(field) NUMBERS(field), b = o->b.field

#define INTEGER_CHAIN(n, type, op, field, w)                            \
	static CLONE void type##_##op##_chain_##n(uint64_t rounds,      \
		struct operands *o)                                     \
	{                                                               \
		NUMBERS_B(field), t;                                    \
		CLONE_PAD(n);                                           \
		__asm__ volatile("1:\n\t" REPEAT("120", CHAIN_##op(w))  \
				 LOOP_END                               \
				 : [x] CHAIN_X(x), [left] "+r"(rounds), \
				 [t] "=&r"(t)                           \
				 : [a] "r"(a), [b] "r"(b)               \
				 : "cc", CHAIN_CLOBBERED);              \
		o->x.field = x;                                         \
	}

#define INTEGER_APART(n, type, op, field, w)                                  \
	static CLONE void type##_##op##_apart_##n(uint64_t rounds,            \
		struct operands *o)                                           \
	{                                                                     \
		NUMBERS(field), t;                                            \
		CLONE_PAD(n);                                                 \
		__asm__ volatile(EACH(INTEGER, w, SET_INTEGER(w))             \
				 "1:\n\t" REPEAT(TURNS_INTEGER, TURN_##op(w)) \
				 LOOP_END                                     \
				 : [t] APART_T(t), [left] "+r"(rounds)        \
				 : [x] APART_X(x), [a] "r"(a)                 \
				 : "cc", CLOBBERED_INTEGER);                  \
	}

#define REAL_CHAIN(n, type, op, field, w)                                    \
	static CLONE void type##_##op##_chain_##n(uint64_t rounds,           \
		struct operands *o)                                          \
	{                                                                    \
		NUMBERS_B(field);                                            \
		CLONE_PAD(n);                                                \
		__asm__ volatile("1:\n\t" REPEAT("60",                       \
			FIRST_##op(w, X(w)) "\n\t" SECOND_##op(w, X(w)))     \
				 LOOP_END                                    \
				 : [x] "+" KIND_REAL(x), [left] "+r"(rounds) \
				 : [a] KIND_REAL(a), [b] KIND_REAL(b)        \
				 : "cc");                                    \
		o->x.field = x;                                              \
	}

#define REAL_APART(n, type, op, field, w)                              \
	static CLONE void type##_##op##_apart_##n(uint64_t rounds,     \
		struct operands *o)                                    \
	{                                                              \
		NUMBERS_B(field);                                      \
		CLONE_PAD(n);                                          \
		__asm__ volatile(EACH(REAL, w, SET_REAL(w))            \
				 "1:\n\t" REPEAT(TURNS_REAL,           \
			EACH(REAL, w, FIRST_##op(w, REG_REAL(w)))      \
			EACH(REAL, w, SECOND_##op(w, REG_REAL(w))))    \
				 LOOP_END                              \
				 : [left] "+r"(rounds)                 \
				 : [x] KIND_REAL(x), [a] KIND_REAL(a), \
				 [b] KIND_REAL(b)                      \
				 : "cc", CLOBBERED_REAL);              \
	}

#define INTEGER_LOOPS(type, op, field, w)            \
	CLONES_OF(INTEGER_CHAIN, type, op, field, w) \
	CLONES_OF(INTEGER_APART, type, op, field, w)
#define REAL_LOOPS(type, op, field, w)            \
	CLONES_OF(REAL_CHAIN, type, op, field, w) \
	CLONES_OF(REAL_APART, type, op, field, w)
OPERATIONS(INTEGER_LOOPS, REAL_LOOPS)

#define CHAIN_NAME(n, type, op) type##_##op##_chain_##n,
#define APART_NAME(n, type, op) type##_##op##_apart_##n,
#define CHAIN_NAMES(type, op, field, w) { CLONES_OF(CHAIN_NAME, type, op) },
#define APART_NAMES(type, op, field, w) { CLONES_OF(APART_NAME, type, op) },

static loop *const chains[OPS][CLONES_MAX] = {
	OPERATIONS(CHAIN_NAMES, CHAIN_NAMES)
};
static loop *const aparts[OPS][CLONES_MAX] = {
	OPERATIONS(APART_NAMES, APART_NAMES)
};

/* ---- what a chain must compute ---------------------------------------- */

#define PLAIN(name, field, first, second)                        \
	static void name(struct operands *o)                     \
	{                                                        \
		NUMBERS_B(field);                                \
		for (int i = 0; i < ARITHMETIC_ROUND / 2; i++) { \
			x = first;                               \
			x = second;                              \
		}                                                \
		(void)b;                                         \
		o->x.field = x;                                  \
	}
#define PLAIN_TWICE(name, field, link) PLAIN(name, field, link, link)

#define PLAIN_INTEGERS(type, field)                  \
	PLAIN_TWICE(type##_xor, field, x ^ a)        \
	PLAIN_TWICE(type##_add, field, x + a)        \
	PLAIN_TWICE(type##_multiply, field, x *a)    \
	PLAIN_TWICE(type##_divide, field, x / a + b) \
	PLAIN_TWICE(type##_remainder, field, x % a + b)
#define PLAIN_REALS(type, field, fused)           \
	PLAIN(type##_add, field, x + a, x - a)    \
	PLAIN(type##_multiply, field, x *a, x *b) \
	PLAIN(type##_divide, field, x / a, x / b) \
	PLAIN_TWICE(type##_fma, field, fused(x, a, b))
PLAIN_INTEGERS(int32, u32)
PLAIN_INTEGERS(int64, u64)
PLAIN_REALS(float, single, fmaf)
PLAIN_REALS(double, whole, fma)

#define PLAIN_NAME(type, op, field, w) type##_##op,
static void (*const plains[OPS])(struct operands *) = {
	OPERATIONS(PLAIN_NAME, PLAIN_NAME)
};

/* Dividends of 31 and 62 bits by divisors of 16 and 31; what is added keeps the
 * dividend as it is. */
static struct operands whole_numbers(enum op op)
{
	bool small = op <= OP_int32_remainder;
	uint64_t x = small ? 0x7ed55d16 : 0x369dea0f31a53f85;
	uint64_t a = small ? 40503 : 0x51ed270b;
	bool left = op == OP_int32_remainder || op == OP_int64_remainder;

	return (struct operands){ .x.u64 = x,
		.a.u64 = a,
		.b.u64 = left ? x - x % a : x - x / a };
}

/* All digits of the operands are in use. b is 1 / a, rounded; a product and a
 * sum need a factor below 1. */
static struct operands reals(enum op op)
{
	bool is_float = op <= OP_float_fma;
	bool fused = op == OP_float_fma || op == OP_double_fma;
	double x = 1.6180339887498949, a = 1.2345678901234568, b = 1 / a;
	struct operands o = { .x.u64 = 0 };

	if (fused) {
		a = b;
		b = x;
	}
	if (is_float) {
		o.x.single = (float)x;
		o.a.single = (float)a;
		o.b.single = (float)b;
	} else {
		o.x.whole = x;
		o.a.whole = a;
		o.b.whole = b;
	}
	return o;
}

static struct operands operands_of(enum op op)
{
	return op <= OP_int64_remainder ? whole_numbers(op) : reals(op);
}

/* ---- one visit -------------------------------------------------------- */

static bool processor_has(enum op op)
{
#if defined(__x86_64__)
	return (op != OP_float_fma && op != OP_double_fma) ||
		cpuinfo_has("fma");
#else
	(void)op;
	return true;
#endif
}

static int setup(struct probe *probe)
{
	enum op op = (enum op)((const struct args *)probe->args)->op;
	struct operands got = operands_of(op), expected = got;

	if (!processor_has(op))
		return probe_unavailable(probe,
			"this processor has no fused multiply-add");
	chains[op][probe->clone](1, &got);
	plains[op](&expected);
	if (got.x.u64 != expected.x.u64) /* all bits of any type */
		return probe_invalid(probe,
			"a chain of %d operations has a wrong result",
			ARITHMETIC_ROUND);
	return 0;
}

static void time_loop(struct probe *probe, enum op op, unsigned metric,
	loop *const loops[OPS][CLONES_MAX], uint64_t rounds)
{
	struct operands o = operands_of(op);
	loop *timed = loops[op][probe->clone];

	probe_start(probe);
	timed(rounds, &o);
	probe_stop(probe, metric, rounds * ARITHMETIC_ROUND);
}

static void trial(struct probe *probe, uint64_t ops)
{
	enum op op = (enum op)((const struct args *)probe->args)->op;
	uint64_t rounds = (ops + ARITHMETIC_ROUND - 1) / ARITHMETIC_ROUND;

	time_loop(probe, op, LINK, chains, rounds);
	time_loop(probe, op, APART, aparts, rounds);
	time_loop(probe, OP_int64_add, ADD, chains, rounds);
}

/* ---- findings --------------------------------------------------------- */

static void find_at(const struct results *results, const struct point *point,
	struct findings *findings)
{
	const char *op = point_value(results, point, "op");
	double latency, apart, add;

	if (!results_median(results, point, LATENCY, &latency) ||
		!results_median(results, point, APART, &apart) ||
		!results_median(results, point, ADD, &add))
		return;
	finding_at(finding_value(findings, "over-add", latency / add,
			   UNIT_NONE,
			   "%s takes %.1f times as long as an addition of "
			   "integers",
			   op, latency / add),
		results, point);
	finding_at(finding_value(findings, "overlap", latency / apart,
			   UNIT_NONE,
			   "the core executes %.1f independent operations "
			   "%s in the time of one",
			   latency / apart, op),
		results, point);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++)
		find_at(results, &results->points[i], findings);
}

/* Of the processors of the last ten years (Fog, "Instruction tables"; Arm,
 * software optimization guides of Cortex-A57 to Neoverse V2). */
static const struct range cycles[OPS] = {
	[OP_int32_xor] = { 1, 1 },
	[OP_int32_add] = { 1, 1 },
	[OP_int32_multiply] = { 2, 5 },
	[OP_int32_divide] = { 5, 30 },
	[OP_int32_remainder] = { 7, 33 },
	[OP_int64_xor] = { 1, 1 },
	[OP_int64_add] = { 1, 1 },
	[OP_int64_multiply] = { 2, 5 },
	[OP_int64_divide] = { 7, 95 },
	[OP_int64_remainder] = { 9, 98 },
	[OP_float_add] = { 2, 5 },
	[OP_float_multiply] = { 3, 5 },
	[OP_float_divide] = { 7, 17 },
	[OP_float_fma] = { 4, 10 },
	[OP_double_add] = { 2, 5 },
	[OP_double_multiply] = { 3, 6 },
	[OP_double_divide] = { 7, 32 },
	[OP_double_fma] = { 4, 10 },
};

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct range latency = cycles[args->op];
	struct basis basis = { .facts = facts };

	prediction->in_cycles = true;
	/* The loop may add a cycle to each of its rounds. */
	prediction->hardware = (struct range){ latency.low * .98,
		latency.high * 1.02 };
	prediction->software = (struct range){ 0, 1. / ARITHMETIC_ROUND };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"latency of %g to %g cycles on processors of the last ten "
		"years",
		latency.low, latency.high);
}

const struct experiment probe_cpu_arithmetic = {
	.name = "cpu.arithmetic",
	.title = "Arithmetic operation",
	.question = "What does an arithmetic operation cost?",
	.method =
		"Each operation of a chain needs the result of the previous "
		"one, in registers: the time per link is the latency. The "
		"instructions are in assembly, 120 per round of the loop, and "
		"each visit verifies the result of a round. A link of an "
		"integer division also adds a number, which keeps the dividend "
		"at 31 or 62 bits, by a divisor of 16 or 31. The latency is "
		"net of this addition, whose time is that of a chain of "
		"additions in the same trial. Reals alternate between an "
		"operation and its inverse, so that their values neither grow "
		"nor shrink; fma passes through a factor. The independent "
		"operations are in many short chains at once. Each loop is "
		"measured in sixteen layouts.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	HEADINGS({ "over-add", "times an addition" },
		{ "overlap", "at once" }),
	.plan = { .clones = CLONES_MAX },
	.traits = TRAIT_PAIRS,
	.setup = setup,
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
