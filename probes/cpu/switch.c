/* What does a context switch cost? */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis.h"
#include "channel.h"
#include "digest.h"
#include "highlight.h"
#include "party.h"
#include "probe.h"
#include "results.h"

enum between { PROCESSES, THREADS };
enum through { /* the first four are kinds of channels */
	PIPE = CHANNEL_PIPE,
	EVENTFD = CHANNEL_EVENTFD,
	FUTEX = CHANNEL_FUTEX,
	SOCKETPAIR = CHANNEL_SOCKETPAIR,
	WAIT,
};
enum { PARTIES_MOST = 96, LINE_BYTES = 64 };

static const char *const betweens[] = { "processes", "threads", NULL };
static const char *const throughs[] = { "pipe", "eventfd", "futex",
	"socketpair", "wait", NULL };

struct args {
	int between, through;
	int64_t parties, footprint_bytes;
	int placement;
};

static const struct param params[] = {
	{ .name = "between",
		.label = "between",
		.help = "kind of tasks; each process has its own address space",
		.preset = "processes",
		CHOICE_FIELD(struct args, between),
		.choices = betweens },
	{ .name = "through",
		.label = "through",
		.help = "carrier of the token; wait: one blocked child per "
			"trial, as in the course reports",
		.preset = "pipe",
		CHOICE_FIELD(struct args, through),
		.choices = throughs },
	{ .name = "parties",
		.label = "parties",
		.help = "number of tasks in the ring; each wakes the next",
		.preset = "2",
		WHOLE_FIELD(struct args, parties),
		.unit = UNIT_COUNT,
		.min = 2,
		.max = PARTIES_MOST },
	{ .name = "footprint",
		.label = "footprint",
		.help = "memory that each task writes in its turn",
		.preset = "0",
		WHOLE_FIELD(struct args, footprint_bytes),
		.unit = UNIT_BYTES,
		.min = 0,
		.max = 1 << 20 },
	{ .name = "placement",
		.label = "placement",
		.help = "processor of every second task; other than same-cpu "
			"measures waking another processor",
		.preset = "same-cpu",
		CHOICE_FIELD(struct args, placement),
		.choices = placement_choices },
	{ .name = NULL },
};

enum { SWITCH, GROSS, OWN };

static bool gross_without_own(const void *context, double *weight)
{
	(void)context;
	weight[GROSS] = 1;
	weight[OWN] = -1;
	return true;
}

static const struct metric metrics[] = {
	{ .name = "switch",
		.label = "time per switch",
		.unit = UNIT_NS,
		.kind = METRIC_DERIVED,
		.derive = gross_without_own },
	{ .name = "gross",
		.label = "with the channel's cost",
		.unit = UNIT_NS },
	{ .name = "own", .label = "the channel's cost", .unit = UNIT_NS },
	{ .name = NULL },
};

/* ---- the ring --------------------------------------------------------- */

/* Shared by all parties. */
struct shared {
	uint32_t quit;
	uint64_t switches[PARTIES_MOST]; /* of each party, stored at its end */
	uint64_t stamp;                  /* of a child of `wait` */
};

struct member {
	struct state *state;
	size_t index;
};

struct state {
	struct channel channel[PARTIES_MOST]; /* party i waits on channel i */
	struct channel own;
	struct party party[PARTIES_MOST];
	struct member member[PARTIES_MOST];
	struct shared *shared;
	char *memory; /* of the measured party */
	size_t parties, started;
	size_t footprint_bytes;
	uint64_t rounds;   /* of the token, in this visit */
	uint64_t entries;  /* trials that follow those of another ring */
	uint64_t switches; /* by the measured party, in them */
	const struct probe *probe;
};

/* Changes a byte in each line. */
static void touch(char *memory, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i += LINE_BYTES) {
		memory[i]++;
		probe_opaque(memory);
	}
}

static void *member_body(void *context)
{
	const struct member *member = context;
	struct state *s = member->state;
	struct channel *mine = &s->channel[member->index];
	struct channel *next = &s->channel[(member->index + 1) % s->parties];
	char *memory = malloc(s->footprint_bytes + 1);
	uint64_t before = party_switches();

	memset(memory, 1, s->footprint_bytes + 1);
	while (channel_receive(mine)) {
		bool quit = __atomic_load_n(&s->shared->quit, __ATOMIC_RELAXED);

		if (quit)
			s->shared->switches[member->index] =
				party_switches() - before;
		else
			touch(memory, s->footprint_bytes);
		if (!channel_send(next) || quit)
			break;
	}
	free(memory);
	return NULL;
}

static int open_ring(struct probe *probe, const struct args *args)
{
	struct state *s = probe->state;
	int failed = channel_open(&s->own, (enum channel_kind)args->through, 1);

	for (size_t i = 0; i < s->parties && !failed; i++)
		failed = channel_open(&s->channel[i],
			(enum channel_kind)args->through, 1);
	int other = probe->place[args->placement];
	for (size_t i = 1; i < s->parties && !failed; i++) {
		s->member[i] = (struct member){ s, i };
		failed = party_start(&s->party[i], args->between == THREADS,
			i % 2 ? other : probe->cpu, member_body,
			&s->member[i]);
		s->started += !failed;
	}
	if (failed)
		return probe_fail(probe, "cannot start a ring of %zu: %s",
			s->parties, strerror(-failed));
	return 0;
}

/* A task that is woken usually preempts its waker. With two parties that is the
 * whole passing. In a larger ring the waker then needs another switch to reach
 * its own wait. Tasks of SCHED_BATCH do not preempt: each passing is one switch
 * again. */
static void choose_policy(bool large)
{
	const struct sched_param none = { 0 };
	int policy = sched_getscheduler(0);

	if (large && policy == SCHED_OTHER)
		sched_setscheduler(0, SCHED_BATCH, &none);
	else if (!large && policy == SCHED_BATCH)
		sched_setscheduler(0, SCHED_OTHER, &none);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	if (probe_placed(probe, args->placement) < 0)
		return -1;
	if (args->through == WAIT && args->parties != 2)
		return probe_unavailable(probe,
			"through=wait needs parties=2");
	choose_policy(args->parties > 2);
	if (sched_getscheduler(0) == SCHED_BATCH)
		probe_note(probe, "policy",
			"SCHED_BATCH, so that no task preempts another");
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return probe_fail(probe, "no memory for the tasks");
	*s = (struct state){
		.parties = (size_t)args->parties,
		.footprint_bytes = (size_t)args->footprint_bytes,
		.shared = party_memory(sizeof *s->shared),
		.memory = malloc((size_t)args->footprint_bytes + 1),
		.probe = probe,
	};
	probe->state = s;
	if (!s->shared || !s->memory)
		return probe_fail(probe, "no memory for the tasks");
	memset(s->memory, 1, s->footprint_bytes + 1);
	if (args->through == WAIT)
		return channel_open(&s->own, CHANNEL_PIPE, 1) ?
			probe_fail(probe, "cannot open a pipe") :
			0;
	return open_ring(probe, args);
}

static void pass_token(struct state *s, uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++) {
		channel_send(&s->channel[1]);
		channel_receive(&s->channel[0]);
		touch(s->memory, s->footprint_bytes);
	}
}

static void keep_token(struct state *s, uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++) {
		channel_own(&s->own);
		touch(s->memory, s->footprint_bytes);
	}
}

/* ---- one blocked child per trial -------------------------------------- */

static void *waiter_body(void *context)
{
	struct state *s = context;

	channel_receive(&s->own);
	s->shared->stamp = probe_now(s->probe);
	touch(s->memory, s->footprint_bytes);
	return NULL;
}

/* From the parent's write to the return of the child's read. */
static uint64_t switch_to_child(struct probe *probe, const struct args *args)
{
	struct state *s = probe->state;
	struct party child;

	if (party_start(&child, args->between == THREADS,
		    probe->place[args->placement], waiter_body, s)) {
		probe_fail(probe, "cannot start a child: %s", strerror(errno));
		return 0;
	}
	uint64_t begin = probe_now(probe);
	channel_send(&s->own);
	if (party_join(&child))
		probe_fail(probe, "a child exited with an error");
	return s->shared->stamp - begin;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	struct state *s = probe->state;

	/* Two rings that alternate may differ in this. */
	choose_policy(args->parties > 2);
	if (args->through == WAIT) {
		uint64_t ticks = 0;

		probe_start(probe);
		for (uint64_t i = 0; i < ops && !probe->outcome; i++)
			ticks += switch_to_child(probe, args);
		probe_took(probe, GROSS, ops, ticks);
	} else {
		uint64_t before = party_switches();

		/* Untimed: the first round after other work takes longer. */
		pass_token(s, 1);
		probe_start(probe);
		pass_token(s, ops);
		probe_stop_slept(probe, GROSS, ops * s->parties);
		s->switches += party_switches() - before;
		s->rounds += ops + 1;
		s->entries += probe->turn > 0;
	}
	probe_start(probe);
	keep_token(s, ops);
	probe_stop(probe, OWN, ops);
}

/* ---- verification ----------------------------------------------------- */

/* The token's last round: all parties end and store their switches. */
static void dismiss(struct probe *probe)
{
	struct state *s = probe->state;

	__atomic_store_n(&s->shared->quit, 1, __ATOMIC_RELAXED);
	if (s->started) {
		channel_send(&s->channel[1]);
		channel_receive(&s->channel[0]);
	}
	for (size_t i = 1; i <= s->started; i++)
		if (party_join(&s->party[i]))
			probe_invalid(probe, "task %zu exited with an error",
				i);
}

static void verify(struct probe *probe)
{
	const struct state *s = probe->state;
	double expected = (double)s->rounds * (double)s->parties;
	double counted = (double)s->switches;

	for (size_t i = 1; i < s->parties; i++)
		counted += (double)s->shared->switches[i];
	/* Each party sleeps once more for set-up and end of the ring, and one
	 * of them when the ring resumes after another ring. */
	if (counted < .98 * expected - 4.0 * (double)s->parties -
			(double)s->entries)
		probe_invalid(probe,
			"the kernel counted %.0f switches, expected %.0f: some "
			"passes of the token caused no switch",
			counted, expected);
}

static void cleanup(struct probe *probe)
{
	const struct args *args = probe->args;
	struct state *s = probe->state;

	if (args->through != WAIT) {
		dismiss(probe);
		verify(probe);
		for (size_t i = 0; i < s->parties; i++)
			channel_close(&s->channel[i]);
	}
	channel_close(&s->own);
	party_memory_free(s->shared, sizeof *s->shared);
	free(s->memory);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

static bool median_where(const struct results *results, const char *where,
	double *median)
{
	return results_median(results, results_where(results, where), SWITCH,
		median);
}

static void find_ratio(const struct results *results, const struct facts *facts,
	struct findings *findings)
{
	double processes, threads;
	struct range earlier;

	if (!median_where(results, "between=processes", &processes))
		return;
	if (!median_where(results, "between=threads", &threads)) {
		if (!facts_measured(facts, QUANTITY_THREAD_SWITCH, NULL,
			    &earlier))
			return;
		threads = (earlier.low + earlier.high) / 2;
	}
	if (threads > 0)
		finding_value(findings, "process-over-thread",
			processes / threads, UNIT_NONE,
			"a process switch takes %.2f times as long as a thread "
			"switch",
			processes / threads);
}

/* A sweep over several ways of switching uses the first. */
static double footprint_kib(const void *context, const void *of_first)
{
	const struct args *args = context, *first = of_first;
	bool alike = args->between == first->between &&
		args->through == first->through &&
		args->parties == first->parties &&
		args->placement == first->placement;

	return alike ? (double)args->footprint_bytes / 1024 : NAN;
}

static void find_footprint(const struct results *results,
	struct findings *findings)
{
	struct slope line;

	if (!results_slope(results, SWITCH, footprint_kib, &line))
		return;
	struct finding *finding = finding_value(findings, "footprint",
		line.slope, UNIT_NS,
		"each KiB of footprint adds %.3g ns to a switch [%.3g, %.3g]",
		line.slope, line.low, line.high);
	finding_interval(finding, line.low, line.high);
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_ratio(results, facts, findings);
	find_footprint(results, findings);
}

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	bool same = args->placement == PLACEMENT_SAME_CPU;
	struct basis basis = { .facts = facts };
	struct range child = { 80000, 100000 };

	/* Registers and, between processes, lost TLB entries. */
	prediction->hardware = (struct range){ 100, 400 };
	prediction->software = (struct range){ 400, 1500 };
	if (args->between == THREADS)
		prediction->hardware.low = 50;
	if (!same) {
		/* An interrupt to the other side, and its exit from idle. */
		prediction->hardware.low += 1000;
		prediction->hardware.high += facts_wake_ns(facts);
	}
	/* Evicted lines are fetched again, one by one. */
	prediction->hardware.high += (double)args->footprint_bytes /
		LINE_BYTES * facts_cycles_ns(facts, 20);
	if (args->through == WAIT) {
		basis_take(&basis, QUANTITY_PROCESS_CREATION, NULL, &child);
		prediction->software.low += child.low / 4;
		prediction->software.high += child.high * 1.5;
	}
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"registers and translations 0.1 to 0.4 us%s, scheduler 0.4 to "
		"1.5 us%s",
		same ? "" : ", an interrupt and a wake-up from idle",
		args->through == WAIT ? ", the first run of a child" :
					"");
}

#define TWO_PROCESSES \
	"between=processes parties=2 footprint=0 placement=same-cpu"

const struct experiment probe_cpu_switch = {
	.name = "cpu.switch",
	.title = "Context switch",
	.question = "What does a context switch cost?",
	.method =
		"A token circulates in a ring of tasks. A task sleeps from "
		"passing the token on until it returns, so each pass is one "
		"switch. The time of a round is divided by its switches "
		"(gross). The first round of a trial is slower and is not "
		"timed. One task that sends to itself measures the cost of the "
		"channel, which is subtracted. With a footprint, each task "
		"writes that much memory in its turn. The kernel's counts of "
		"voluntary and involuntary switches must match the passes "
		"within 2 %, or the figure is invalid. With through=wait, the "
		"parent writes, then waits; the time ends when its new child "
		"has read.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	/* With `wait` every trial forks, and a fork causes page faults. */
	.traits = TRAIT_BLOCKS | TRAIT_PARTIES | TRAIT_FAULTS | TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS |
		SENSITIVE_SCHEDULER | SENSITIVE_IDLE | SENSITIVE_TIMER_SLACK,
	PROVIDES({ QUANTITY_SWITCH, "switch", TWO_PROCESSES },
		{ QUANTITY_PIPE_SWITCH, "switch",
			TWO_PROCESSES " through=pipe" },
		{ QUANTITY_THREAD_SWITCH, "switch", "between=threads" }),
	.setup = setup,
	HIGHLIGHTS({ "switch through pipe", "gross", "through=pipe" }),
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
