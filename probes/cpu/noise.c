/* What takes the processor away? */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "basis.h"
#include "gap_cause.h"
#include "gap_tell.h"
#include "party.h"
#include "probe.h"
#include "results.h"

struct args {
	int64_t duration_ns, threshold_ns;
};

static const struct param params[] = {
	{ .name = "duration",
		.label = "duration",
		.help = "time that each launch watches",
		.preset = "1s",
		WHOLE_FIELD(struct args, duration_ns),
		.unit = UNIT_NS,
		.min = 1e9,
		.max = 60e9 },
	{ .name = "threshold",
		.label = "threshold",
		.help = "shortest gap between two readings of the clock that "
			"counts; shorter ones only help to find the causes",
		.preset = "500ns",
		WHOLE_FIELD(struct args, threshold_ns),
		.unit = UNIT_NS,
		.min = 100,
		.max = 1e6 },
	{ .name = NULL },
};

/* The shares and the traces are in the order of enum gap_cause. */
enum { LOST, LONGEST, WATCHED, STOLEN, SHARE, GAPS = SHARE + GAP_CAUSES };

#define SHARE_ROW(text, words) \
	{ .name = text, .label = "lost to " words, .unit = UNIT_PERCENT, \
		.kind = METRIC_VALUE, .part = true }
#define GAPS_ROW(text, words) \
	{ .name = text "-gaps", .label = "gaps by " words, .unit = UNIT_NS, \
		.kind = METRIC_TRACE, .across = "time", \
		.across_unit = UNIT_NS, .events = true }

static const struct metric metrics[] = {
	{ .name = "lost",
		.label = "time lost",
		.unit = UNIT_PERCENT,
		.kind = METRIC_VALUE },
	{ .name = "longest",
		.label = "longest gap of a launch",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE },
	{ .name = "watched",
		.label = "time watched",
		.unit = UNIT_NS,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = "stolen",
		.label = "steal time by the kernel's count",
		.unit = UNIT_PERCENT,
		.steady = true,
		.kind = METRIC_VALUE },
	SHARE_ROW("task", "other tasks"),
	SHARE_ROW("timer", "the timer interrupt"),
	SHARE_ROW("interrupt", "other interrupts"),
	SHARE_ROW("host", "the host or firmware"),
	GAPS_ROW("task", "other tasks"),
	GAPS_ROW("timer", "the timer interrupt"),
	GAPS_ROW("interrupt", "other interrupts"),
	GAPS_ROW("host", "the host or firmware"),
	{ .name = NULL },
};

enum {
	BATCH_NS = 50000000, /* between two counts of the interrupts; short
			      * enough for the engine's rests at a real-time
			      * priority */
	FINEST_NS = 500, /* every interrupt takes longer */
	SHORT_NS = 10000,
	COUNTING_NS = 20000, /* what the kernel has counted is read in 2 us */
	COUNTING_TRIES = 10,
	GAPS_PER_S = 50000, /* some hosts interrupt 17 000 times per second */
	GAPS_MOST = 250000, /* 8 MiB; a session of six launches: 64 MB */
};

/* Gaps of a visit that are kept. With more, it ends early. */
static size_t gaps_most(const struct args *args)
{
	return (size_t)fmin(GAPS_MOST,
		GAPS_PER_S * 1e-9 * (double)args->duration_ns);
}

static void plan_for(const void *context, struct plan *plan)
{
	const struct args *args = context;

	plan->traces = (unsigned)gaps_most(args);
	plan->trial_ns = args->duration_ns;
}

struct state {
	double per_tick_ns, period;
	int delay_fd;         /* schedstat of this thread */
	struct gap *gaps;     /* of this batch */
	size_t count, so_far; /* of this batch, of those before */
	size_t most;          /* of the visit */
	uint64_t begin;       /* of the trial */
	double unwatched; /* interrupts; see gaps_exclude_unwatched() */
	struct {
		double watched, longest, lost[GAP_CAUSES]; /* ticks */
		double delay_ns; /* by the kernel: on the run queue */
		double switched; /* ticks of gaps with a switch */
		size_t tasks;
	} sum; /* of the trial */
};

/* ---- watching --------------------------------------------------------- */

/* Time that this thread has waited for the processor; NaN: not reported. */
static double run_delay_ns(const struct state *s)
{
	unsigned long long ran, waited;
	char line[100];
	ssize_t length = pread(s->delay_fd, line, sizeof line - 1, 0);

	if (length <= 0)
		return NAN;
	line[length] = '\0';
	return sscanf(line, "%llu %llu", &ran, &waited) == 2 ? (double)waited :
							       NAN;
}

/* Time that the host gave to others, as the guest's kernel counts it, in steps
 * of 10 ms: too coarse for a single gap. NaN: not reported. */
static double stolen_s(int cpu)
{
	FILE *file = fopen("/proc/stat", "re");
	double ticks = NAN;
	char line[400];
	int number;

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "cpu%d", &number) == 1 && number == cpu)
			sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %lf",
				&ticks);
	if (file)
		fclose(file);
	return ticks / (double)sysconf(_SC_CLK_TCK);
}

/* What the kernel has counted for this thread. */
struct counted {
	uint64_t switches;
	double delay_ns;
};

static struct counted counted_now(const struct state *s)
{
	return (struct counted){ party_preemptions(), run_delay_ns(s) };
}

/* True if counting since then took so long that the thread may have
 * waited. That wait is in no gap. */
static bool has_waited(const struct probe *probe, const struct state *s,
	uint64_t since)
{
	return (double)(tick_now(probe->source) - since) * s->per_tick_ns >
		COUNTING_NS;
}

/* What has been counted when watching begins. */
static struct counted count_before(const struct probe *probe,
	const struct state *s)
{
	for (int tries = 0;; tries++) {
		uint64_t begin = tick_now(probe->source);
		struct counted counted = counted_now(s);

		if (tries == COUNTING_TRIES || !has_waited(probe, s, begin))
			return counted;
	}
}

/* Adds the time on the run queue while the clock was read, until `end`. A gap
 * took `ticks` of it. Returns true if the thread was switched. */
static bool count_after(const struct probe *probe, struct state *s,
	const struct counted *before, uint64_t end, uint64_t ticks,
	double *delay_ns)
{
	struct counted now = counted_now(s);

	*delay_ns = now.delay_ns - before->delay_ns;
	if (has_waited(probe, s, end))
		*delay_ns = fmin(*delay_ns, (double)ticks * s->per_tick_ns);
	s->sum.delay_ns += *delay_ns;
	return now.switches != before->switches;
}

/* Gaps with a switch must contain all waiting, whatever the threshold. */
static struct gap gap_of(struct state *s, uint64_t at, uint64_t ticks,
	bool switched, double delay_ns)
{
	if (!switched)
		return (struct gap){ at, ticks, GAP_HOST, 0 };
	s->sum.tasks++;
	s->sum.switched += (double)ticks;
	return (struct gap){ at, ticks, GAP_TASK,
		fmin(delay_ns / s->per_tick_ns, (double)ticks) };
}

static uint64_t ticks_of(const struct state *s, int64_t ns)
{
	return (uint64_t)((double)ns / s->per_tick_ns);
}

/* Reads the clock in a loop. What happens between the end of a gap and the next
 * reading is not watched. */
static void watch(struct probe *probe, struct state *s, uint64_t least)
{
	uint64_t left = (uint64_t)(BATCH_NS / s->per_tick_ns), passed = 0;
	double delay_ns;

	while (passed < left && s->so_far + s->count < s->most) {
		struct counted before = count_before(probe, s);
		uint64_t begin = tick_now(probe->source), last = begin, now;

		left -= passed;
		for (;; last = now) {
			now = tick_now(probe->source);
			if (now - last > least || now - begin > left)
				break;
		}
		passed = now - begin;
		s->sum.watched += (double)passed;
		uint64_t gap = now - last > least ? now - last : 0;
		bool switched =
			count_after(probe, s, &before, now, gap, &delay_ns);
		if (gap)
			s->gaps[s->count++] =
				gap_of(s, last, gap, switched, delay_ns);
	}
}

static void keep(struct probe *probe, struct state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct gap *gap = &s->gaps[i];
		double ticks = (double)gap->ticks, cause = ticks;

		s->sum.longest = fmax(s->sum.longest, ticks);
		if (gap->cause == GAP_TASK) {
			cause = gap->task;
			s->sum.lost[GAP_INTERRUPT] += ticks - cause;
		}
		s->sum.lost[gap->cause] += cause;
		probe_trace(probe, GAPS + gap->cause,
			(double)(gap->at - s->begin) * s->per_tick_ns,
			cause * s->per_tick_ns);
	}
	s->so_far += s->count;
	s->count = 0;
}

/* Returns when they were counted: in the middle of the reading. Ticks of the
 * trial. */
static double count_interrupts(struct probe *probe, const struct state *s,
	struct interrupts *counts)
{
	uint64_t begin = probe_now(probe) - s->begin;

	interrupts_read(counts, "", &probe->cpu, 1);
	return (double)(begin + probe_now(probe) - s->begin) / 2;
}

static void watch_batch(struct probe *probe, struct state *s)
{
	const struct args *args = probe->args;
	uint64_t least = ticks_of(s, args->threshold_ns);
	uint64_t finest = ticks_of(s, FINEST_NS);
	struct interrupts before, counts;
	double begin = count_interrupts(probe, s, &before);
	double watched = s->sum.watched;

	watch(probe, s, least < finest ? least : finest);
	double all = count_interrupts(probe, s, &counts) - begin;
	counts.all -= before.all;
	counts.timer -= before.timer;
	gaps_exclude_unwatched(&counts, (s->sum.watched - watched) / all,
		&s->unwatched);
	gaps_find_causes(s->gaps, s->count, &counts, s->period);
	s->count = gaps_longer(s->gaps, s->count, least);
	keep(probe, s);
	probe_alive(probe);
}

/* A thread that waits cannot read the clock: all waiting must be in gaps. The
 * gaps may be longer, by interrupts and the host. */
static void verify(struct probe *probe, const struct state *s)
{
	double gaps_ns = s->sum.switched * s->per_tick_ns;
	double slack_ns = .1 * s->sum.delay_ns +
		SHORT_NS * (double)(s->sum.tasks + 1);

	if (s->sum.delay_ns - gaps_ns > slack_ns)
		probe_invalid(probe,
			"gaps with other tasks took %.3f ms, but the kernel "
			"counted more waiting for the processor, %.3f ms",
			gaps_ns / 1e6, s->sum.delay_ns / 1e6);
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	struct state *s = probe->state;
	double all = 0, ticks = (double)args->duration_ns / s->per_tick_ns;

	(void)ops;
	memset(&s->sum, 0, sizeof s->sum);
	double stolen = stolen_s(probe->cpu);
	s->begin = probe_now(probe);
	while (s->sum.watched < ticks && s->so_far < s->most)
		watch_batch(probe, s);
	if (!(s->sum.watched > 0))
		return;
	if (s->sum.watched < ticks)
		probe_warn(probe,
			"a launch ended before its %g s, after %zu gaps, which "
			"are as many as it keeps: 'time watched' is shorter. "
			"Raise threshold= or lower duration=.",
			(double)args->duration_ns / 1e9, s->most);
	verify(probe, s);
	for (int cause = 0; cause < GAP_CAUSES; cause++) {
		all += s->sum.lost[cause];
		probe_value(probe, SHARE + (unsigned)cause,
			s->sum.lost[cause] / s->sum.watched);
	}
	probe_value(probe, LOST, all / s->sum.watched);
	probe_value(probe, LONGEST, s->sum.longest * s->per_tick_ns);
	probe_value(probe, WATCHED, s->sum.watched * s->per_tick_ns);
	stolen = (stolen_s(probe->cpu) - stolen) * probe->tick_hz /
		(double)(probe_now(probe) - s->begin);
	if (!isnan(stolen))
		probe_value(probe, STOLEN, stolen);
}

/* ---- one visit -------------------------------------------------------- */

static int setup(struct probe *probe)
{
	size_t most = gaps_most(probe->args);
	struct interrupts counts;
	struct timespec tick;

	if (!interrupts_read(&counts, "", &probe->cpu, 1))
		return probe_unavailable(probe,
			"/proc/interrupts does not report processor %d: mount "
			"/proc of the host",
			probe->cpu);
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	struct state *s = calloc(1, sizeof *s);
	if (s)
		s->gaps = calloc(most, sizeof *s->gaps);
	if (!s || !s->gaps) {
		free(s);
		return probe_fail(probe, "no memory for %zu gaps", most);
	}
	s->most = most;
	s->per_tick_ns = 1e9 / probe->tick_hz;
	s->period = (double)tick.tv_nsec / s->per_tick_ns;
	s->delay_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	probe->state = s;
	if (!isnan(run_delay_ns(s)))
		return 0;
	return probe_unavailable(probe,
		"/proc/thread-self/schedstat does not report the time of "
		"waiting for the processor: boot a kernel with "
		"CONFIG_SCHED_INFO");
}

static void cleanup(struct probe *probe)
{
	struct state *s = probe->state;

	if (s->delay_fd >= 0)
		close(s->delay_fd);
	free(s->gaps);
	free(s);
}

/* ---- findings --------------------------------------------------------- */

/* Several points would need a name in every sentence. Their figures are in the
 * table of metrics. */
static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	const struct gap_metrics which = { LOST, LONGEST, WATCHED, SHARE,
		GAPS };

	(void)facts;
	if (results->point_count != 1 || !results->points->visit_count)
		return;
	gaps_tell(results, results->points, &which, findings);
}

enum { TICK_LEAST_NS = 1000 };

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	struct basis basis = { .facts = facts };
	const struct args *args = context;
	double host = facts->hypervisor ? .02 : .0005;

	/* A tick of 1 to 10 us, 100 to 1000 times per second. A threshold may
	 * hide all ticks. */
	prediction->hardware = (struct range){ 0, host };
	prediction->software = (struct range){
		args->threshold_ns > TICK_LEAST_NS ? 0 : 1e-5, .01 };
	prediction_sum(prediction);
	basis_say(&basis, prediction,
		"firmware%s up to %.2g %%; a tick of 1 to 10 us, 100 to 1000 "
		"times per second, and few other tasks",
		facts->hypervisor ? " and the host" : "", host * 100);
}

const struct experiment probe_cpu_noise = {
	.name = "cpu.noise",
	.title = "Noise",
	.question = "What takes the processor away from a program?",
	.method =
		"A loop reads the clock. A time between two readings above the "
		"threshold is a gap: the program lost it. If the kernel counts "
		"an involuntary switch in a gap, another task took the time "
		"that this one waited for the processor by the kernel's count, "
		"which begins when an interrupt wakes the other. The rest of "
		"that gap counts as lost to other interrupts. "
		"Gaps at the same phase of the kernel's tick are the timer "
		"interrupt's, but for those of less than half its typical "
		"duration. As many of the others as the kernel counted "
		"other interrupts are theirs, shortest first. What remains is "
		"the host's or the firmware's. Beside it is the time that the "
		"host stole by the kernel's count, which has steps of 10 ms. "
		"To find the causes, gaps are recorded from 500 ns on, also "
		"below the threshold. "
		"Interrupts are counted twenty times per second. The time that "
		"this takes is not watched, and its share of the interrupts is "
		"subtracted. Metrics are medians of the launches, which do not "
		"add up. The table of causes is of all launches together: its "
		"shares add up, and its rate is that of gaps of about the "
		"typical duration. The gaps with other tasks "
		"must contain the time of waiting, but for 10 %, or the figure "
		"is invalid. rtla osnoise finds gaps in the same way, "
		"from 5 us on.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .trials = 1, .launches = 6 },
	.plan_for = plan_for,
	.traits = TRAIT_COLD | TRAIT_BLOCKS | TRAIT_FAULTS,
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_SCHEDULER,
	.waits = waits_always,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
	.findings = findings_of,
	.predict = predict,
};
