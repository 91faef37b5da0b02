/* What does reading the clock cost? */
#include <math.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "basis.h"
#include "cpuinfo.h"
#include "digest.h"
#include "probe.h"
#include "quantum.h"
#include "results.h"

enum clock {
	FENCED,
	RDTSCP,
	RDTSC,
	CPUID,
	SERIALIZE,
	MONOTONIC,
	MONOTONIC_RAW,
	REALTIME,
	GETTIMEOFDAY,
	TIME,
	THREAD_CPUTIME,
	CLOCKS,
};

static const char *const clocks[] = { "fenced", "rdtscp", "rdtsc", "cpuid",
	"serialize", "monotonic", "monotonic-raw", "realtime", "gettimeofday",
	"time", "thread-cputime", NULL };

struct args {
	int clock;
	int64_t reads;
};

static const struct param params[] = {
	{ .name = "clock",
		.label = "clock",
		.help = "clock source; benchtop times with fenced, the course "
			"reports used cpuid",
		.preset = "fenced",
		CHOICE_FIELD(struct args, clock),
		.choices = clocks },
	{ .name = "reads",
		.label = "readings",
		.help = "consecutive, timed together",
		.preset = "2",
		WHOLE_FIELD(struct args, reads),
		.unit = UNIT_COUNT,
		.min = 2,
		.max = 1000 },
	{ .name = NULL },
};

/* The smallest step is the time of the fastest reading, which a co-runner and
 * the frequency change; the quantum belongs to the clock. */
enum { COST, RESOLUTION, QUANTUM };
static const struct metric metrics[] = {
	{ .name = "cost", .label = "time per reading", .unit = UNIT_NS },
	{ .name = "resolution",
		.label = "smallest step",
		.unit = UNIT_NS,
		.better = NEITHER_IS_BETTER,
		.kind = METRIC_VALUE },
	{ .name = "quantum",
		.label = "quantum of the readings",
		.unit = UNIT_NS,
		.kind = METRIC_VALUE,
		.steady = true },
	{ .name = NULL },
};

/* ---- readings --------------------------------------------------------- */

#if defined(__x86_64__)

static inline uint64_t join(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

static inline uint64_t read_rdtscp(void)
{
	uint32_t low, high, aux;

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
	return join(low, high);
}

static inline uint64_t read_rdtsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return join(low, high);
}

/* The only use of cpuid between or within trials. */
static inline uint64_t read_cpuid(void)
{
	uint32_t low, high;

	__asm__ volatile("xor %%eax, %%eax\n\tcpuid\n\trdtsc"
			 : "=a"(low), "=d"(high)
			 :
			 : "rbx", "rcx", "memory");
	return join(low, high);
}

static inline uint64_t read_serialize(void)
{
	uint32_t low, high;

	/* serialize as bytes, for assemblers that do not know it. */
	__asm__ volatile(".byte 0x0f, 0x01, 0xe8\n\trdtsc"
			 : "=a"(low), "=d"(high)
			 :
			 : "memory");
	return join(low, high);
}

#endif

static inline uint64_t read_fenced(void)
{
	return tick_counter();
}

static inline uint64_t read_posix(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t read_gettimeofday(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return ((uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_usec) * 1000;
}

/* A row of readings: returns the last one, so that none can be omitted. */
#define ROW(name, reading)                         \
	static uint64_t row_##name(uint64_t reads) \
	{                                          \
		uint64_t last = 0;                 \
		for (; reads; reads--) {           \
			last = (reading);          \
			probe_opaque(last);        \
		}                                  \
		return last;                       \
	}

ROW(fenced, read_fenced())
#if defined(__x86_64__)
ROW(rdtscp, read_rdtscp())
ROW(rdtsc, read_rdtsc())
ROW(cpuid, read_cpuid())
ROW(serialize, read_serialize())
#endif
ROW(monotonic, read_posix(CLOCK_MONOTONIC))
ROW(monotonic_raw, read_posix(CLOCK_MONOTONIC_RAW))
ROW(realtime, read_posix(CLOCK_REALTIME))
ROW(gettimeofday, read_gettimeofday())
ROW(time, (uint64_t)time(NULL) * 1000000000u)
ROW(thread_cputime, read_posix(CLOCK_THREAD_CPUTIME_ID))

/* A clock without a row does not exist on this architecture. */
static const struct {
	uint64_t (*row)(uint64_t reads);
	bool ticks; /* reads the counter, not nanoseconds */
} table[CLOCKS] = {
	[FENCED] = { row_fenced, true },
#if defined(__x86_64__)
	[RDTSCP] = { row_rdtscp, true },
	[RDTSC] = { row_rdtsc, true },
	[CPUID] = { row_cpuid, true },
	[SERIALIZE] = { row_serialize, true },
#endif
	[MONOTONIC] = { row_monotonic, false },
	[MONOTONIC_RAW] = { row_monotonic_raw, false },
	[REALTIME] = { row_realtime, false },
	[GETTIMEOFDAY] = { row_gettimeofday, false },
	[TIME] = { row_time, false },
	[THREAD_CPUTIME] = { row_thread_cputime, false },
};

/* ---- steps ------------------------------------------------------------ */

enum { STEPS = 2000, STEPS_NS_MOST = 2000000, READS = 8 };

/* Properties of a clock from its readings: the smallest step, the quantum of
 * all steps, and whether it ever goes back. */
static void measure_steps(struct probe *probe, int clock)
{
	uint64_t least = UINT64_MAX, backwards = 0, steps = 0;
	struct quantum quantum = { 0 };
	uint64_t (*row)(uint64_t) = table[clock].row;
	uint64_t begin_ns = tick_raw_ns();
	double ns = table[clock].ticks ? 1e9 / probe->tick_hz : 1;

	for (; steps < STEPS && tick_raw_ns() - begin_ns < STEPS_NS_MOST;
		steps++) {
		uint64_t last = row(1), now = row(1 + steps % READS);

		backwards += now < last;
		if (now > last) {
			least = now - last < least ? now - last : least;
			quantum_add(&quantum, now - last);
		}
	}
	if (least < UINT64_MAX) {
		probe_value(probe, RESOLUTION, (double)least * ns);
		probe_value(probe, QUANTUM, quantum_of(&quantum) * ns);
	} else {
		probe_note(probe, "steps", "no step within 2 ms");
	}
	if (backwards)
		probe_note(probe, "backwards", "%llu steps of %llu",
			(unsigned long long)backwards,
			(unsigned long long)steps);
}

static int setup(struct probe *probe)
{
	const struct args *args = probe->args;

	if (!table[args->clock].row)
		return probe_unavailable(probe,
			"the clock '%s' does not exist on this architecture",
			clocks[args->clock]);
	if (args->clock == SERIALIZE && !cpuinfo_has("serialize"))
		return probe_unavailable(probe,
			"this processor has no serialize instruction");
	measure_steps(probe, args->clock);
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	uint64_t (*row)(uint64_t) = table[args->clock].row;
	uint64_t reads = (uint64_t)args->reads;

	(void)ops;
	probe_start(probe);
	row(reads);
	probe_stop(probe, COST, reads);
}

/* ---- findings --------------------------------------------------------- */

static void find_pair(const struct results *results, struct findings *findings)
{
	if (results->clock.source != TICK_COUNTER)
		return;
	finding_value(findings, "pair", results->clock.overhead, UNIT_TICKS,
		"an empty pair of readings takes %.0f ticks on this machine",
		results->clock.overhead);
}

/* Published figures for an empty pair, in ticks of other machines' counters. */
static void find_published(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	struct text pairs = { 0 };

	if (results->clock.source != TICK_COUNTER)
		return;
	struct published_runs runs = facts_published(facts);
	for (size_t i = 0; i < runs.count; i++) {
		const struct published_run *published = &runs.list[i];
		const struct results *run = published->run;

		if (strcmp(run->experiment, results->experiment) ||
			!(run->clock.overhead > 0))
			continue;
		text_add(&pairs, "%s%.3g (%s)", pairs.length ? ", " : "",
			run->clock.overhead, published->of);
	}
	if (pairs.length)
		finding_add(findings, "published",
			"the published course reports state %s ticks for an "
			"empty pair",
			pairs.chars);
	text_free(&pairs);
}

static void find_trap(const struct results *results, struct findings *findings)
{
	const struct point *point = results_where(results, "clock=cpuid");
	struct digest digest;

	if (!point || !digest_of(results, point, COST, &digest) ||
		!(digest.summary.median > 1000))
		return;
	struct text cost = { 0 };
	unit_show(&cost, UNIT_NS, digest.summary.median);
	finding_value(findings, "trap", digest.summary.median, UNIT_NS,
		"a cpuid reading costs %s: the hypervisor traps cpuid, which "
		"disturbs the code timed after it",
		text_chars(&cost));
	text_free(&cost);
}

static void find_linearity(const struct results *results,
	struct findings *findings)
{
	/* With another clock the counter was neither refused nor verified. */
	if (results->clock.source != TICK_COUNTER)
		return;
	finding_value(findings, "linearity", results->clock.residual,
		UNIT_TICKS,
		"chains of 64 to 4096 additions lie on a line within %.1f "
		"ticks: the fences order the readings",
		fabs(results->clock.residual));
}

static void findings_of(const struct results *results,
	const struct facts *facts, struct findings *findings)
{
	find_pair(results, findings);
	find_published(results, facts, findings);
	find_linearity(results, findings);
	find_trap(results, findings);
}

/* Cycles of the instruction or of the library's code, and nanoseconds of a
 * system call if it needs one. */
static const struct {
	struct range hardware, software;
	const char *why;
} models[CLOCKS] = {
	[FENCED] = { { 30, 80 }, { 0, 0 }, "two fences, rdtsc 18 to 40" },
	[RDTSCP] = { { 20, 70 }, { 0, 0 }, "rdtscp waits for earlier code" },
	[RDTSC] = { { 15, 45 }, { 0, 0 }, "rdtsc alone" },
	[CPUID] = { { 100, 250 }, { 0, 0 }, "cpuid serialises, then rdtsc" },
	[SERIALIZE] = { { 60, 200 }, { 0, 0 }, "serialize, then rdtsc" },
	[MONOTONIC] = { { 30, 80 }, { 15, 60 }, "fenced rdtsc, vDSO code" },
	[MONOTONIC_RAW] = { { 30, 80 }, { 15, 60 }, "fenced rdtsc, vDSO code" },
	[REALTIME] = { { 30, 80 }, { 15, 60 }, "fenced rdtsc, vDSO code" },
	[GETTIMEOFDAY] = { { 30, 80 }, { 15, 80 }, "fenced rdtsc, vDSO code" },
	[TIME] = { { 2, 10 }, { 2, 15 }, "one load from the vDSO" },
	[THREAD_CPUTIME] = { { 100, 400 }, { 200, 1200 },
		"a system call that sums the thread's run time" },
};

static void predict(const struct facts *facts, const void *context,
	struct prediction *prediction)
{
	const struct args *args = context;
	bool traps = args->clock == CPUID && facts->hypervisor;
	struct range call;
	struct basis basis = { .facts = facts, .cycles = true };

	prediction->hardware.low =
		facts_cycles_ns(facts, models[args->clock].hardware.low);
	prediction->hardware.high =
		facts_cycles_ns(facts, models[args->clock].hardware.high);
	prediction->software.low =
		facts_cycles_ns(facts, models[args->clock].software.low);
	prediction->software.high =
		facts_cycles_ns(facts, models[args->clock].software.high);
	/* The hypervisor emulates the instruction. */
	if (traps)
		prediction->software = (struct range){ 500, 20000 };
	if (args->clock == THREAD_CPUTIME &&
		basis_take(&basis, QUANTITY_SYSTEM_CALL, NULL, &call))
		prediction->software =
			(struct range){ call.low / 2, 3 * call.high };
	prediction_sum(prediction);
	basis_say(&basis, prediction, "%s%s", models[args->clock].why,
		traps ? "; in a guest the hypervisor emulates cpuid" : "");
}

const struct experiment probe_cpu_clock = {
	.name = "cpu.clock",
	.title = "Reading the clock",
	.question = "What does reading the clock cost?",
	.method = "A row of readings of one clock is timed by the fenced pair "
		"that times every experiment, and divided by its length. Two "
		"readings are the pair of the course reports; a thousand give "
		"the amortised cost. Two properties are measured separately: "
		"the smallest step of the clock, and the quantum that divides "
		"all its steps. The ruler is checked before the run: chains of "
		"additions must lie on a line through the empty chain.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .trials = 1000 },
	.setup = setup,
	.traits = TRAIT_PAIRS,
	.sensitive_to = SENSITIVE_CLOCKSOURCE,
	.trial = trial,
	.findings = findings_of,
	.predict = predict,
};
