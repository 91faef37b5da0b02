/* Waiting for an unshared core. */
#include "quiet.h"

#include <time.h>

#include "canary_watch.h"
#include "probe.h"

enum {
	LOOK_NS = 5 * 1000 * 1000,
	NAP_NS = 45 * 1000 * 1000,
	QUIET_LOOKS = 2, /* in a row */
};

static const double shared_most = .1;

struct quiet_context {
	const struct clock_facts *clock;
	double wait_s;
};

static int quiet_body(void *answer, void *context)
{
	const struct timespec nap = { 0, NAP_NS };
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
		nanosleep(&nap, NULL);
	}
}

int quiet_start(struct job *job, int cpu, const struct clock_facts *clock,
	double wait_s, struct error *error)
{
	struct quiet_context context = { clock, wait_s };

	return job_start(job, sizeof(struct quiet_facts), quiet_body, &context,
		cpu, error);
}

int quiet_finish(struct job *job, int status, struct quiet_facts *facts,
	struct error *error)
{
	return job_finish(job, status, facts, "waits for a quiet core", error);
}
