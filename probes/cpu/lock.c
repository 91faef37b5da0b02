/* What does a lock cost? */
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "basis.h"
#include "clones.h"
#include "contest.h"
#include "digest.h"
#include "heading.h"
#include "party.h"
#include "probe.h"
#include "results.h"

enum kind { MUTEX, SPIN, FUTEX, RWLOCK };

static const char *const kinds[] = { "mutex", "spin", "futex", "rwlock", NULL };

struct args {
	int kind;
	int64_t inside_ns, outside_ns, threads;
};

static const struct param params[] = {
	{ .name = "lock",
		.label = "lock",
		.help = "the C library's mutex, a spin lock that yields no "
			"processor, a futex with three states, or the C "
			"library's rwlock, locked for writing",
		.preset = "mutex,spin,futex,rwlock",
		CHOICE_FIELD(struct args, kind),
		.choices = kinds },
	{ .name = "inside",
		.label = "work inside",
		.help = "duration of the work while the lock is held",
		.preset = "0",
		WHOLE_FIELD(struct args, inside_ns),
		.unit = UNIT_NS,
		.min = 0,
		.max = 100000 },
	{ .name = "outside",
		.label = "work outside",
		.help = "duration of the work between two acquisitions",
		.preset = "0",
		WHOLE_FIELD(struct args, outside_ns),
		.unit = UNIT_NS,
		.min = 0,
		.max = 100000 },
	{ .name = "threads",
		.label = "threads",
		.help = "number of threads, pinned, first one per core; auto: "
			"all processors",
		.preset = "1,auto",
		WHOLE_FIELD(struct args, threads),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 1024,
		.automatic = true,
		.range_end = team_most },
	{ .name = NULL },
};

enum { LOCK, GROSS, WORK, HANDED, FAIRNESS };

static bool gross_without_work(const void *context, double *weight)
{
	(void)context;
	weight[GROSS] = 1;
	weight[WORK] = -1;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "lock",
		.label = "lock, wait and unlock",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = gross_without_work },
	{ .name = "gross", .label = "with the work", .unit = UNIT_NS },
	{ .name = "work",
		.label = "the work of a thread, without the lock",
		.unit = UNIT_NS },
	{ .name = "handed",
		.label = "acquisitions after another thread",
		.unit = UNIT_PERCENT,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = "fairness",
		.label = "slowest / fastest thread",
		.unit = UNIT_PERCENT,
		.better = MORE_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = NULL },
};

enum { OPS_LEAST = 1000, OPS_OF_LONG_WORK = 8, TRIAL_NS = 500000 };
enum { STEPS_TIMED = 100000, TIMINGS = 5 };

struct state {
	struct contest contest;
	enum kind kind;
	uint64_t inside, outside; /* steps */
	uint64_t expected;        /* value of the counter */
	_Alignas(256) pthread_mutex_t mutex;
	_Alignas(256) pthread_rwlock_t rwlock;
	_Alignas(256) uint32_t word; /* of a spin lock or a futex */
	/* What the lock protects, on a line of its own. */
	_Alignas(256) uint64_t counter;
	unsigned last; /* member that held the lock */
	_Alignas(256) char end;
};

/* ---- the locks -------------------------------------------------------- */

/* Reads until the lock looks free: a waiting store would take the line away
 * from its holder. */
static void spin_lock(uint32_t *word)
{
	while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
		while (__atomic_load_n(word, __ATOMIC_RELAXED))
			spin_pause();
}

static void futex(uint32_t *word, int operation, uint32_t value)
{
	syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

/* The second mutex of Drepper, "Futexes are tricky", 2011: 0 free, 1 locked, 2
 * locked and perhaps awaited. */
static void futex_lock(uint32_t *word)
{
	uint32_t seen = 0;

	if (__atomic_compare_exchange_n(word, &seen, 1, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	if (seen != 2)
		seen = __atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE);
	while (seen) {
		futex(word, FUTEX_WAIT_PRIVATE, 2);
		seen = __atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE);
	}
}

static void futex_unlock(uint32_t *word)
{
	if (__atomic_fetch_sub(word, 1, __ATOMIC_RELEASE) == 1)
		return;
	__atomic_store_n(word, 0, __ATOMIC_RELEASE);
	futex(word, FUTEX_WAKE_PRIVATE, 1);
}

static inline void acquire(struct state *s)
{
	switch (s->kind) {
	case MUTEX:
		pthread_mutex_lock(&s->mutex);
		break;
	case SPIN:
		spin_lock(&s->word);
		break;
	case FUTEX:
		futex_lock(&s->word);
		break;
	case RWLOCK:
		pthread_rwlock_wrlock(&s->rwlock);
		break;
	}
}

static inline void release(struct state *s)
{
	switch (s->kind) {
	case MUTEX:
		pthread_mutex_unlock(&s->mutex);
		break;
	case SPIN:
		__atomic_store_n(&s->word, 0, __ATOMIC_RELEASE);
		break;
	case FUTEX:
		futex_unlock(&s->word);
		break;
	case RWLOCK:
		pthread_rwlock_unlock(&s->rwlock);
		break;
	}
}

/* ---- the work --------------------------------------------------------- */

/* Dependent multiplications that begin with x, without memory. For a small
 * factor the compiler would add and shift. */
#define FACTOR 6364136223846793005u

static inline void spend(uint64_t steps, uint64_t x)
{
	for (; steps; steps--) {
		x *= FACTOR;
		probe_opaque(x);
	}
}

static double step_ns(const struct probe *probe)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TIMINGS; i++) {
		uint64_t begin = probe_now(probe);

		spend(STEPS_TIMED, begin);
		uint64_t took = probe_now(probe) - begin;
		least = took < least ? took : least;
	}
	return (double)least * 1e9 / probe->tick_hz / STEPS_TIMED;
}

/* The increment is not atomic: without mutual exclusion some are lost. The work
 * begins with what the lock protects, so that the processor cannot begin it
 * before it has the lock. */
static inline void visit(struct state *s, struct contender *me,
	uint64_t *handed)
{
	*handed += s->last != me->number;
	s->last = me->number;
	s->counter++;
	probe_opaque(s);
	spend(s->inside, s->counter);
}

static inline __attribute__((always_inline)) void compete(struct state *s,
	struct contender *me)
{
	uint64_t done = 0, handed = 0;

	for (; contest_continues(me, done); done++) {
		acquire(s);
		visit(s, me, &handed);
		release(s);
		spend(s->outside, done);
	}
	me->count = done;
	me->extra = handed;
}

/* The first thread works without the lock. Meanwhile the others repeat their
 * work outside, as in the contest: an SMT sibling slows the work down, and that
 * is not the lock's time. Only one thread at a time works inside. */
static inline __attribute__((always_inline)) void work(struct state *s,
	struct contender *me)
{
	uint64_t done = 0, handed = 0;

	while (me->number && s->outside && contest_continues(me, 0))
		spend(s->outside, 1);
	for (; !me->number && contest_continues(me, done); done++) {
		visit(s, me, &handed);
		spend(s->outside, done);
	}
	if (!me->number)
		atomic_store(&s->contest.over, true);
}

#define LOOPS(n)                                                             \
	static CLONE void compete_##n(void *context, struct contender *me)   \
	{                                                                    \
		CLONE_PAD(n);                                                \
		compete(context, me);                                        \
	}                                                                    \
	static CLONE void work_##n(void *context, unsigned member)           \
	{                                                                    \
		struct state *s = context;                                   \
									     \
		CLONE_PAD(n);                                                \
		work(s, &s->contest.contenders[member]);                     \
	}
#define LOOPS_NAME(n) { compete_##n, work_##n },

CLONES(LOOPS)

static const struct {
	contest_work *compete;
	team_work *work;
} loops[CLONES_MAX] = { CLONES(LOOPS_NAME) };

/* ---- one visit -------------------------------------------------------- */

static void *return_at_once(void *context)
{
	return context;
}

/* glibc takes a free lock without an atomic instruction until the process has
 * started its first thread. Without this, the cost of one thread would depend
 * on the other points of the run. */
static int become_threaded(struct probe *probe)
{
	struct party party;
	int failed = party_start(&party, true, probe->cpu, return_at_once,
		NULL);

	if (failed)
		return probe_unavailable(probe, "cannot start a thread: %s",
			strerror(-failed));
	party_join(&party);
	return 0;
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct state *s;

	if (become_threaded(probe))
		return -1;
	s = aligned_alloc(_Alignof(struct state), sizeof *s);
	if (!s)
		return probe_fail(probe, "no memory");
	memset(s, 0, sizeof *s);
	if (contest_start(&s->contest, args->threads, true, probe)) {
		free(s);
		return -1;
	}
	double per_step_ns = step_ns(probe);
	s->kind = (enum kind)args->kind;
	s->inside = (uint64_t)llround((double)args->inside_ns / per_step_ns);
	s->outside = (uint64_t)llround((double)args->outside_ns / per_step_ns);
	pthread_mutex_init(&s->mutex, NULL);
	pthread_rwlock_init(&s->rwlock, NULL);
	probe->state = s;
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	struct state *s = probe->state;
	struct contest *contest = &s->contest;
	bool interrupted;

	contest_trial(contest, loops[probe->clone].compete, s, GROSS, ops);
	s->expected += contest->total;
	if (s->counter != s->expected)
		probe_invalid(probe,
			"the counter is %llu after %llu increments: two "
			"threads held the lock at once",
			(unsigned long long)s->counter,
			(unsigned long long)s->expected);
	if (contest->team.count > 1) {
		probe_value(probe, HANDED,
			(double)contest->extra / (double)contest->total);
		probe_value(probe, FAIRNESS, contest->fairness);
	}
	atomic_store(&contest->over, false);
	team_run(&contest->team, loops[probe->clone].work, s, &interrupted);
	probe_stop_judged(probe, WORK, ops, contest->team.members[0].end,
		interrupted);
	s->expected += ops;
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	contest_stop(&s->contest);
	pthread_mutex_destroy(&s->mutex);
	pthread_rwlock_destroy(&s->rwlock);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

/* The cost with several threads, beside that of one. */
static void find_contention(const struct results *results,
	const struct point *point, struct findings *findings)
{
	struct text texts[2] = { { 0 }, { 0 } };
	char one[160];
	double alone, contended;

	snprintf(one, sizeof one, "lock=%s inside=%s outside=%s threads=1",
		point_value(results, point, "lock"),
		point_value(results, point, "inside"),
		point_value(results, point, "outside"));
	if (!results_comparable(results, point, LOCK, &contended) ||
		!results_comparable(results, results_where(results, one), LOCK,
			&alone))
		return;
	finding_at(finding_value(findings, "over-one-thread",
			   contended / alone, UNIT_NONE,
			   "%s: %s with threads=%s, %s with one thread",
			   point_value(results, point, "lock"),
			   unit_show(&texts[0], UNIT_NS, contended),
			   point_value(results, point, "threads"),
			   unit_show(&texts[1], UNIT_NS, alone)),
		results, point);
	text_free(&texts[0]);
	text_free(&texts[1]);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	(void)facts;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];

		if (strcmp(point_value(results, point, "threads"), "1") != 0)
			find_contention(results, point, findings);
	}
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	struct basis basis = { .facts = facts };
	double threads = args->threads == PARAM_AUTO ? facts->cpus :
						       (double)args->threads;
	double inside_ns = (double)args->inside_ns;
	struct range call = basis_call_ns(&basis);
	bool sleeps = args->kind != SPIN;

	/* Two locked operations, or one and a store. */
	prediction->hardware = (struct range){ facts_cycles_ns(facts, 5),
		facts_cycles_ns(facts, 80) };
	prediction->software = (struct range){ 0, facts_cycles_ns(facts, 40) };
	if (threads > 1) {
		/* The others' turns, if all compete all the time. */
		prediction->hardware.high = threads *
			(facts_cycles_ns(facts, 800) + inside_ns);
		if (sleeps)
			prediction->software.high += threads * 4 * call.high;
	}
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		threads > 1 ? "locked operations, the lock's line moved, the "
			      "others' turns%s" :
			      "two locked operations on a line of the first "
			      "cache: 5 to 80 cycles%s",
		threads > 1 && sleeps ? ", system calls to sleep and wake" :
					"");
}

/* Threads that only lock need many operations to compete for most of a trial.
 * With long work as many would outlast the interval of the timer's tick, and
 * every trial would be excluded. */
static void plan_for(const void *context, struct plan *plan)
{
	const struct args *args = context;
	int64_t work_ns = args->inside_ns + args->outside_ns;

	if (work_ns * OPS_LEAST > TRIAL_NS)
		plan->ops_least = (uint64_t)(TRIAL_NS / work_ns);
	if (plan->ops_least < OPS_OF_LONG_WORK)
		plan->ops_least = OPS_OF_LONG_WORK;
}

const struct experiment probe_cpu_lock = {
	.name = "cpu.lock",
	.title = "Lock",
	.question = "What does a lock cost, alone and contended?",
	.method =
		"Threads on different processors start together. Each locks, "
		"increments a counter, works, unlocks and works again, until "
		"the first thread has done so its number of times. The others "
		"then complete what they have begun, and the time of each ends "
		"there: by a common end, a part of a turn would count as a "
		"whole one. The gross time is the number of threads divided by "
		"the sum of their rates. The first thread repeats the same work "
		"without the lock, while the others repeat their work outside, "
		"and that time is subtracted. The increment is not atomic. "
		"After each trial the counter must equal the acquisitions, or "
		"the figure is invalid. A low share of acquisitions after "
		"another thread means that one thread repeatedly wins before "
		"the others notice. The work is a chain of dependent "
		"multiplications, calibrated for each visit. The process has "
		"already started a second thread, also with threads=1: until "
		"then glibc needs no atomic instruction.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	HEADINGS({ "over-one-thread", "times one thread" }),
	.plan = { .ops_least = OPS_LEAST, .clones = CLONES_MAX },
	.plan_for = plan_for,
	/* A contended mutex sleeps. */
	.traits = TRAIT_THREADS | TRAIT_BLOCKS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_SCHEDULER,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
