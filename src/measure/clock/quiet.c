/* Waiting for an unshared core. */
#include "quiet.h"

#include <time.h>

#include "canary_watch.h"
#include "cpu_times.h"
#include "probe.h"

enum {
	LOOK_NS = 5 * 1000 * 1000,
	NAP_NS = 45 * 1000 * 1000,
	QUIET_LOOKS = 2, /* in a row */
};

static const double shared_most = .1;
/* Of a nap, which has four or five of the kernel's ticks of 10 ms. */
static const double idle_least = .6;

struct quiet_context {
	const struct clock_facts *clock;
	double wait_s;
	int cpu;
};

/* Sleeps; true if another task used the processor meanwhile, which canaries do
 * not show. */
static bool nap_is_busy(int cpu)
{
	const struct timespec nap = { 0, NAP_NS };
	struct cpu_times before, after;

	cpu_times_read("/proc/stat", &before);
	nanosleep(&nap, NULL);
	cpu_times_read("/proc/stat", &after);
	return cpu_times_have(&before, (size_t)cpu) &&
		cpu_times_have(&after, (size_t)cpu) &&
		after.idle_s[cpu] - before.idle_s[cpu] <
			idle_least * NAP_NS * 1e-9;
}

static int quiet_body(void *answer, void *context)
{
	const struct quiet_context *job = context;
	struct probe probe = { .source = job->clock->source };
	struct quiet_facts *facts = answer;
	uint64_t began_ns = tick_raw_ns();
	int quiet = 0;

	for (;;) {
		struct canary_tally tally = { 0, 0 };

		canary_watch(&probe, job->clock, tick_raw_ns() + LOOK_NS,
			&tally);
		facts->shared = canary_tally_share(&tally);
		quiet = facts->shared <= shared_most ? quiet + 1 : 0;
		facts->waited_s = (double)(tick_raw_ns() - began_ns) * 1e-9;
		facts->quiet = quiet == QUIET_LOOKS;
		if (facts->quiet || facts->waited_s >= job->wait_s)
			return 0;
		if (nap_is_busy(job->cpu))
			quiet = 0;
	}
}

int quiet_start(struct job *job, int cpu, const struct clock_facts *clock,
	double wait_s, struct error *error)
{
	struct quiet_context context = { clock, wait_s, cpu };

	return job_start(job, sizeof(struct quiet_facts), quiet_body, &context,
		cpu, error);
}

int quiet_finish(struct job *job, int status, struct quiet_facts *facts,
	struct error *error)
{
	return job_finish(job, status, facts, "waits for a quiet core", error);
}
