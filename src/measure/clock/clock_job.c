/* The child that calibrates the clock, and its decisions. */
#include "clock.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "canary.h"
#include "cpuinfo.h"
#include "disturb.h"
#include "file.h"
#include "quantile.h"
#include "ruler.h"

enum {
	PAIR_TICKS_MOST = 500,
	RESIDUAL_MOST = 10,
	SKEW_NS_MOST = 1000,
	CALIBRATION_NS = 50 * 1000 * 1000,
	/* Equal reads of a clock that stands still, as libfaketime can make it.
	 * They take longer than the coarsest clock needs for a step. */
	EQUAL_READS_MOST = 1000000,
	BACK_NS_MOST = 1000 * 1000,
	CORE_LOOKS_MOST = 10000,
	CORE_TRIES = 5,
	CORE_LOOKS = 15,
};

static const double reads_off_most = .02; /* of a canary's cycles */

/* ---- is the counter usable? ------------------------------------------- */

#if defined(__x86_64__)

static void check_invariance(char *why, size_t size)
{
	if (!cpuinfo_has("constant_tsc") || !cpuinfo_has("nonstop_tsc"))
		snprintf(why, size,
			"the counter may stop or change its rate "
			"(constant_tsc, nonstop_tsc missing)");
}

#else

static void check_invariance(char *why, size_t size)
{
	(void)why;
	(void)size;
}

#endif

static void check_kernel(char *why, size_t size)
{
	static const char *const good[] = { "tsc", "kvm-clock",
		"hyperv_clocksource_tsc_page", "arch_sys_counter", NULL };
	char name[64];

	if (file_peek("/sys/devices/system/clocksource/clocksource0/"
		      "current_clocksource",
		    name, sizeof name))
		return;
	for (size_t i = 0; good[i]; i++)
		if (!strcmp(name, good[i]))
			return;
	snprintf(why, size, "the kernel keeps time by %.32s, not the counter",
		name);
}

static void check_cost(const struct overhead *overhead, char *why, size_t size)
{
	if (overhead->least > PAIR_TICKS_MOST)
		snprintf(why, size,
			"a reading costs %.0f ticks: the counter is trapped",
			overhead->least);
	else if (overhead->backwards)
		snprintf(why, size, "the counter stepped back %zu times in %d "
			"readings",
			overhead->backwards, OVERHEAD_PAIRS);
}

/* If the counter advances in longer steps, the step is the limit. */
static double residual_most(double quantum)
{
	return fmax(RESIDUAL_MOST, quantum);
}

static void check_linearity(double residual, double quantum, char *why,
	size_t size)
{
	if (!(fabs(residual) <= residual_most(quantum)))
		snprintf(why, size,
			"not linear: chains of additions are off by %.1f ticks",
			residual);
}

/* ---- skew between two processors -------------------------------------- */

/* A thread on the other processor answers with its clock. The offset lies
 * between the two halves of the fastest round trip (Cristian 1989). */
struct echo {
	_Atomic uint64_t ask;
	_Atomic uint64_t answer;
	_Atomic bool ready;
	int cpu;
};

/* Spins, but yields after a long time, because the thread that is awaited may
 * need this processor. */
static void rest(unsigned *spins)
{
	enum { PATIENCE = 4096 };

	if (++*spins % PATIENCE == 0)
		sched_yield();
}

static void *echo_body(void *context)
{
	struct echo *echo = context;

	child_pin(echo->cpu);
	atomic_store(&echo->ready, true);
	unsigned spins = 0;
	for (uint64_t seen = 0;;) {
		uint64_t ask = atomic_load(&echo->ask);

		if (ask == seen) {
			rest(&spins);
			continue;
		}
		if (ask == UINT64_MAX)
			return NULL;
		seen = ask;
		atomic_store(&echo->answer, tick_counter());
	}
}

/* The part of the offset that the round trip cannot explain, in ticks. A round
 * trip takes a fifth of a microsecond. If a processor is busy it takes
 * milliseconds, and the result is correspondingly less precise. */
static double skew_ticks(int second)
{
	enum { TRIPS = 2000, ENOUGH_NS = 20 * 1000 * 1000 };
	struct echo echo = { .cpu = second };
	pthread_t thread;
	double low = -INFINITY, high = INFINITY;
	unsigned spins = 0;

	if (pthread_create(&thread, NULL, echo_body, &echo))
		return 0;
	while (!atomic_load(&echo.ready))
		sched_yield();
	uint64_t begin_ns = tick_raw_ns();
	for (uint64_t i = 1; i <= TRIPS && tick_raw_ns() - begin_ns < ENOUGH_NS;
		i++) {
		uint64_t sent = tick_counter();

		atomic_store(&echo.answer, 0);
		atomic_store(&echo.ask, i);
		uint64_t theirs;
		while (!(theirs = atomic_load(&echo.answer)))
			rest(&spins);
		uint64_t back = tick_counter();
		high = fmin(high, (double)(int64_t)(theirs - sent));
		low = fmax(low, (double)(int64_t)(theirs - back));
	}
	atomic_store(&echo.ask, UINT64_MAX);
	pthread_join(thread, NULL);
	if (low > 0)
		return low;
	return high < 0 ? -high : 0;
}

static void check_skew(const struct clock_facts *facts, int second, char *why,
	size_t size)
{
	if (second < 0 || facts->hz <= 0)
		return;
	double skew_ns = skew_ticks(second) * 1e9 / facts->hz;
	if (skew_ns > SKEW_NS_MOST)
		snprintf(why, size,
			"the counters of two processors are %.1f us apart",
			skew_ns / 1000);
}

/* ---- calibration ------------------------------------------------------ */

static struct overhead measure_overhead(struct clock_facts *facts)
{
	struct probe probe = { .source = facts->source };

	facts->quantum = clock_quantum(facts->source);
	disturb_arm(&probe);
	struct overhead overhead =
		overhead_measure(&probe, OVERHEAD_PAIRS, facts->quantum);
	disturb_disarm(&probe);
	facts->overhead = overhead.median;
	facts->jitter = overhead.jitter;
	return overhead;
}

/* The cycles that a canary's latency half measures. They are fewer than it has,
 * because a fenced region measures some ticks too few (the residual of the
 * linearity test), and a canary is short. */
static double canary_reads(const struct clock_facts *facts, double add_ticks)
{
	struct probe probe = { .source = facts->source };
	struct canary canary =
		canary_run(&probe, CANARY_LOOP, facts->canary_multiplies);

	return (canary.latency - facts->overhead) / add_ticks;
}

/* The cycles that a canary of `cycles` measures. `read` was measured together
 * with the core's frequency; 0: not measured. A value that is two percent off
 * or too large was disturbed. Then the residual of the linearity test, here in
 * cycles and mostly below 0, is used instead. */
static double read_cycles(double cycles, double read, double residual)
{
	double most = reads_off_most * cycles;
	double expected = cycles + (fabs(residual) < most ? residual : 0);

	if (fabs(read - cycles) < most && read <= fmax(cycles, expected))
		return read;
	return expected;
}

/* Measures until enough rulers agree or the time is up. Ticks per cycle are
 * then their median. If none agrees, the fastest multiplications are used,
 * because a co-runner hardly slows them. */
static void measure_core(struct clock_facts *facts, uint64_t until_ns)
{
	double good[CORE_LOOKS], reads[CORE_LOOKS], add;
	struct ruler_look best = { INFINITY, INFINITY };
	size_t n = 0, looks = 0;

	do {
		struct ruler_look look = ruler_look(facts->source, CORE_TRIES);
		double cycles = ruler_agree(&look);

		best = look.multiply < best.multiply ? look : best;
		if (!(cycles > 0))
			continue;
		reads[n] = canary_reads(facts, look.add);
		good[n++] = look.add;
		facts->multiply_cycles = cycles;
	} while (n < CORE_LOOKS && ++looks < CORE_LOOKS_MOST &&
		tick_raw_ns() < until_ns);
	facts->cycles_assumed = !n;
	if (!n)
		facts->multiply_cycles = ruler_assume(&best);
	add = n ? median_of(good, n) : best.multiply / facts->multiply_cycles;
	/* Cycles per tick, until the rate of the counter is known. */
	facts->core_hz = 1 / add;
	facts->canary_cycles =
		facts->canary_multiplies * facts->multiply_cycles;
	facts->canary_cycles = read_cycles(facts->canary_cycles,
		n ? median_of(reads, n) : 0, facts->residual / add);
}

/* False if the clock does not get there: it stands still, or steps back. */
static bool await(uint64_t until_ns)
{
	uint64_t before_ns = 0, now_ns;

	for (int equal = 0; (now_ns = tick_raw_ns()) < until_ns;) {
		equal = now_ns == before_ns ? equal + 1 : 0;
		if (now_ns + BACK_NS_MOST < before_ns ||
			equal > EQUAL_READS_MOST)
			return false;
		before_ns = now_ns;
	}
	return true;
}

/* The time until the second moment of the calibration is used for the other
 * measurements. */
static void calibrate(struct clock_facts *facts)
{
	struct probe probe = { .source = facts->source };
	struct moment first = moment_now(facts->source);
	uint64_t until_ns = first.raw_ns + CALIBRATION_NS;

	facts->canary_multiplies = canary_length(&probe, facts->quantum);
	measure_core(facts, until_ns);
	canary_choose(&probe, facts);
	bool runs = await(until_ns);
	struct moment last = moment_now(facts->source);
	double ticks = last.ticks - first.ticks;
	double took_ns = (double)(last.raw_ns - first.raw_ns);
	facts->hz = runs && took_ns > 0 ? ticks * 1e9 / took_ns : 0;
	facts->hz_error_ppm =
		(first.half_width + last.half_width) / ticks * 1e6;
	facts->core_hz *= facts->hz;
	/* Faster than any core: the additions were optimised away. */
	facts->cycles_trusted = facts->core_hz < 8e9;
}

static void use_raw(struct clock_facts *facts)
{
	facts->source = TICK_MONOTONIC_RAW;
	measure_overhead(facts);
	facts->residual =
		clock_residual(facts->source, facts->quantum, INFINITY);
	calibrate(facts);
	if (facts->hz > 0)
		facts->hz = 1e9;
	facts->hz_error_ppm = 0;
}

static void use_counter(struct clock_facts *facts, int second)
{
	char *why = facts->why;
	size_t size = sizeof facts->why;

	facts->source = TICK_COUNTER;
	check_invariance(why, size);
	if (!*why)
		check_kernel(why, size);
	if (*why)
		return;
	struct overhead overhead = measure_overhead(facts);
	check_cost(&overhead, why, size);
	if (*why)
		return;
	facts->residual = clock_residual(facts->source, facts->quantum,
		residual_most(facts->quantum));
	check_linearity(facts->residual, facts->quantum, why, size);
	if (*why)
		return;
	calibrate(facts);
	check_skew(facts, second, why, size);
}

static int clock_body(void *answer, void *context)
{
	const int *second = context;
	struct clock_facts facts = { 0 };
	struct timespec coarse;

	use_counter(&facts, *second);
	if (*facts.why)
		use_raw(&facts);
	/* The coarse clock advances once per timer interrupt, so its resolution
	 * is the interrupt's period. */
	if (!clock_getres(CLOCK_MONOTONIC_COARSE, &coarse) && coarse.tv_nsec)
		facts.timer_hz = 1e9 / (double)coarse.tv_nsec;
	*(struct clock_facts *)answer = facts;
	return 0;
}

/* ---- the lab's side --------------------------------------------------- */

int clock_start(struct job *job, int cpu, int second, struct error *error)
{
	/* A processor has no skew to itself. */
	if (second == cpu)
		second = -1;
	return job_start(job, sizeof(struct clock_facts), clock_body, &second,
		cpu, error);
}

int clock_finish(struct job *job, int status, struct clock_facts *facts,
	struct error *error)
{
	if (job_finish(job, status, facts, "measures the clock", error))
		return -1;
	if (facts->hz > 0)
		return 0;
	return error_set(error, STATUS_WORKER,
		"the child that measures the clock found no rate: "
		"CLOCK_MONOTONIC_RAW stands still or steps back");
}

int clock_measure(int cpu, struct clock_facts *facts, struct error *error)
{
	struct job job;

	if (clock_start(&job, cpu, -1, error))
		return -1;
	int status = child_wait(&job.child, 10000);
	return clock_finish(&job, status, facts, error);
}
