/* What does an atomic operation cost? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis.h"
#include "clones.h"
#include "contest.h"
#include "digest.h"
#include "heading.h"
#include "probe.h"
#include "results.h"

enum op { LOAD, ADD, CAS, XCHG };
enum lines { OWN, SHARED, FALSE_SHARING };

static const char *const ops_[] = { "load", "add", "cas", "xchg", NULL };
static const char *const lines_[] = { "own", "shared", "false", NULL };

struct args {
	int op, lines;
	int64_t threads;
};

static const struct param params[] = {
	{ .name = "op",
		.label = "operation",
		.help = "atomic, sequentially consistent; cas: an increment by "
			"compare and exchange, repeated until it succeeds",
		.preset = "load,add,cas,xchg",
		CHOICE_FIELD(struct args, op),
		.choices = ops_ },
	{ .name = "lines",
		.label = "lines",
		.help = "a cache line for each thread, one word for all, or "
			"(false) a word for each thread in one line; eight "
			"words fill a line",
		.preset = "own,shared,false",
		CHOICE_FIELD(struct args, lines),
		.choices = lines_ },
	{ .name = "threads",
		.label = "threads",
		.help = "number of threads, pinned, first one per core; auto: "
			"all processors",
		.preset = "auto",
		WHOLE_FIELD(struct args, threads),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 1024,
		.automatic = true,
		.range_end = team_most },
	{ .name = NULL },
};

enum { TIME, ALL, FAIRNESS, FAILED };

static const struct metric metrics[] = {
	{ .name = "time",
		.label = "time per operation of a thread",
		.unit = UNIT_NS },
	{ .name = "all",
		.label = "per operation of all threads",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	{ .name = "fairness",
		.label = "slowest / fastest thread",
		.unit = UNIT_PERCENT,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = "failed",
		.label = "failed attempts of cas",
		.unit = UNIT_PERCENT,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

enum {
	WORD_BYTES = sizeof(uint64_t),
	OWN_BYTES = 256, /* processors fetch adjacent lines together */
	BATCH = 16,      /* operations between two looks at the end */
	OPS_LEAST = 10000,
	CONTENT = 1, /* of every word at first */
};

struct state {
	struct contest contest;
	uint64_t *words;   /* of all threads, `words_bytes` */
	size_t words_bytes;
	size_t apart;      /* words from one thread's to the next one's */
	uint64_t expected; /* sum of all words */
	uint64_t launched; /* operations of earlier trials, for tokens */
};

static uint64_t *word_of(const struct state *s, unsigned member)
{
	return s->words + s->apart * member;
}

/* ---- the operations --------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline)) void

/* Each load must return the content. */
INLINE load(const struct state *s, struct contender *me)
{
	const uint64_t *word = word_of(s, me->number);
	uint64_t sum = 0, done = 0;

	for (; contest_continues(me, done); done += BATCH)
		for (int i = 0; i < BATCH; i++)
			sum += __atomic_load_n(word, __ATOMIC_SEQ_CST);
	me->count = done;
	me->change = sum - done * CONTENT;
}

INLINE add(const struct state *s, struct contender *me)
{
	uint64_t *word = word_of(s, me->number);
	uint64_t done = 0;

	for (; contest_continues(me, done); done += BATCH)
		for (int i = 0; i < BATCH; i++)
			__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
	me->count = done;
	me->change = done;
}

INLINE cas(const struct state *s, struct contender *me)
{
	uint64_t *word = word_of(s, me->number);
	uint64_t done = 0, failed = 0, seen = *word;

	while (contest_continues(me, done)) {
		for (int i = 0; i < BATCH; i++, seen++)
			while (!__atomic_compare_exchange_n(word, &seen,
				seen + 1, false, __ATOMIC_SEQ_CST,
				__ATOMIC_SEQ_CST))
				failed++;
		done += BATCH;
	}
	me->count = done;
	me->change = done;
	me->extra = failed;
}

/* Puts in values of its own. What was put in and not taken out must remain. */
INLINE exchange(const struct state *s, struct contender *me)
{
	uint64_t *word = word_of(s, me->number);
	uint64_t token = s->launched + ((uint64_t)me->number << 48);
	uint64_t done = 0, change = 0;

	for (; contest_continues(me, done); done += BATCH)
		for (int i = 0; i < BATCH; i++, token++)
			change += token -
				__atomic_exchange_n(word, token,
					__ATOMIC_SEQ_CST);
	me->count = done;
	me->change = change;
}

#define WORK(n, operation)                                                    \
	static CLONE void operation##_##n(void *context, struct contender *me) \
	{                                                                     \
		CLONE_PAD(n);                                                 \
		operation(context, me);                                       \
	}
#define NAME(n, operation) operation##_##n,

CLONES_OF(WORK, load)
CLONES_OF(WORK, add)
CLONES_OF(WORK, cas)
CLONES_OF(WORK, exchange)

static contest_work *const works[][CLONES_MAX] = {
	[LOAD] = { CLONES_OF(NAME, load) },
	[ADD] = { CLONES_OF(NAME, add) },
	[CAS] = { CLONES_OF(NAME, cas) },
	[XCHG] = { CLONES_OF(NAME, exchange) },
};

/* ---- one visit -------------------------------------------------------- */

static int setup(struct probe *probe)
{
	static const size_t apart_bytes[] = { OWN_BYTES, 0, WORD_BYTES };
	const struct args *args = probe->args;
	struct state *s = aligned_alloc(_Alignof(struct state), sizeof *s);

	if (!s)
		return probe_fail(probe, "no memory");
	*s = (struct state){ .apart = apart_bytes[args->lines] / WORD_BYTES };
	if (contest_start(&s->contest, args->threads, false, probe)) {
		free(s);
		return -1;
	}
	s->words_bytes = s->contest.team.count * (size_t)OWN_BYTES;
	s->words = aligned_alloc(OWN_BYTES, s->words_bytes);
	if (!s->words)
		return probe_fail(probe, "no memory for the words");
	for (size_t i = 0; i < s->words_bytes / WORD_BYTES; i++) {
		s->words[i] = CONTENT;
		s->expected += CONTENT;
	}
	probe->state = s;
	return 0;
}

static void verify(struct probe *probe)
{
	struct state *s = probe->state;
	uint64_t sum = 0;

	s->expected += s->contest.change;
	for (size_t i = 0; i < s->words_bytes / WORD_BYTES; i++)
		sum += s->words[i];
	if (sum != s->expected)
		probe_invalid(probe,
			"the words sum to %llu, expected %llu: operations were "
			"lost",
			(unsigned long long)sum,
			(unsigned long long)s->expected);
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	struct state *s = probe->state;
	struct contest *contest = &s->contest;

	contest_trial(contest, works[args->op][probe->clone], s, TIME, ops);
	s->launched += contest->total;
	verify(probe);
	probe_value(probe, ALL, contest->interval_ns);
	if (contest->team.count > 1)
		probe_value(probe, FAIRNESS, contest->fairness);
	if (args->op == CAS)
		probe_value(probe, FAILED,
			(double)contest->extra /
				(double)(contest->extra + contest->total));
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	contest_stop(&s->contest);
	free(s->words);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

/* How many times as long the operation takes as on own lines. */
static void find_ratio(const struct results *results, const struct point *point,
	struct findings *findings)
{
	const char *op = point_value(results, point, "op");
	const char *lines = point_value(results, point, "lines");
	const char *threads = point_value(results, point, "threads");
	char own[96];
	double time, alone;

	snprintf(own, sizeof own, "op=%s lines=own threads=%s", op, threads);
	if (!results_median(results, point, TIME, &time) ||
		!results_median(results, results_where(results, own), TIME,
			&alone))
		return;
	finding_at(finding_value(findings, "over-own", time / alone, UNIT_NONE,
			   "%s on %s takes %.2f times as long as on own lines",
			   op,
			   !strcmp(lines, "shared") ? "a shared word" :
						      "words of one line",
			   time / alone),
		results, point);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		if (strcmp(point_value(results, point, "lines"), "own") != 0)
			find_ratio(results, point, findings);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts, .cycles = true };
	double threads = args->threads == PARAM_AUTO ? facts->cpus :
						       (double)args->threads;
	bool contended =
		args->op != LOAD && args->lines != OWN && threads > 1;

	if (args->op == LOAD)
		prediction->hardware = (struct range){ .3, 1.5 };
	else
		prediction->hardware = (struct range){ 4, 40 };
	/* The line moves from thread to thread, but a thread can use it several
	 * times before it loses it. */
	if (contended) {
		prediction->hardware.low = 20 * threads;
		prediction->hardware.high = 400 * threads;
	}
	prediction->hardware.low =
		facts_cycles_ns(facts, prediction->hardware.low);
	prediction->hardware.high =
		facts_cycles_ns(facts, prediction->hardware.high);
	prediction->software =
		(struct range){ 0, facts_cycles_ns(facts, 1) };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		contended ? "20 to 400 cycles to move the line, for each "
			    "thread" :
			args->op == LOAD ?
			    "1 or 2 loads per cycle from the first cache, and "
			    "the loop" :
			    "a locked operation on a line of the first cache: "
			    "4 to 40 cycles");
}

const struct experiment probe_cpu_atomic = {
	.name = "cpu.atomic",
	.title = "Atomic operation",
	.question = "What does an atomic operation cost, alone and contended?",
	.method =
		"Threads on different processors start together and repeat one "
		"operation until the first thread has performed its number. "
		"The rate of each is its operations divided by the time until "
		"its own end. The time per operation is the number of threads "
		"divided by the sum of their rates. After each trial the memory "
		"must hold what the operations imply, or the figure is "
		"invalid: the sum of the increments, the exchanged values that "
		"were not taken out, or the value that every load returned. "
		"Own lines are 256 bytes apart, because processors fetch "
		"adjacent lines together. If the threads do not disturb each "
		"other, the time is that of one thread.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	HEADINGS({ "over-own", "times own lines" }),
	.plan = { .ops_least = OPS_LEAST, .clones = CLONES_MAX },
	.traits = TRAIT_THREADS,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
