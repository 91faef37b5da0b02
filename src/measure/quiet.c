/* Waiting for a core of its own. */
#include "quiet.h"

#include <sys/wait.h>
#include <time.h>

#include "canary.h"
#include "probe.h"
#include "sharing.h"

enum {
	LOOK_NS = 5 * 1000 * 1000,
	NAP_NS = 45 * 1000 * 1000,
	QUIET_LOOKS = 2, /* in a row */
};

static const double shared_most = .1;

struct quiet_context {
	struct quiet_facts *facts;
	const struct clock_facts *clock;
	double wait_s;
};

static double look(const struct probe *probe, const struct clock_facts *clock)
{
	uint64_t end_ns = tick_raw_ns() + LOOK_NS;
	size_t shared = 0, all = 0;

	do {
		struct canary canary = canary_run(probe, clock->canary_kind,
			clock->canary_multiplies);

		shared += canary_ratio(&canary, clock->overhead) >
			clock->canary_alone * SHARING_STEP;
		all++;
	} while (tick_raw_ns() < end_ns);
	return (double)shared / (double)all;
}

static int quiet_body(void *context)
{
	const struct timespec nap = { 0, NAP_NS };
	const struct quiet_context *job = context;
	struct probe probe = { .source = job->clock->source };
	struct quiet_facts *facts = job->facts;
	uint64_t began_ns = tick_raw_ns();
	int quiet = 0;

	for (;;) {
		facts->shared = look(&probe, job->clock);
		quiet = facts->shared <= shared_most ? quiet + 1 : 0;
		facts->waited_s = (double)(tick_raw_ns() - began_ns) * 1e-9;
		facts->quiet = quiet == QUIET_LOOKS;
		if (facts->quiet || facts->waited_s >= job->wait_s)
			return 0;
		nanosleep(&nap, NULL);
	}
}

int quiet_start(struct quiet_job *job, int cpu, const struct clock_facts *clock,
	double wait_s, struct error *error)
{
	job->shared = shared_map(sizeof *job->shared);
	struct quiet_context context = { job->shared, clock, wait_s };
	if (!child_start(&job->child, quiet_body, &context, cpu, error))
		return 0;
	shared_unmap(job->shared, sizeof *job->shared);
	job->shared = NULL;
	return -1;
}

int quiet_finish(struct quiet_job *job, int status, struct quiet_facts *facts,
	struct error *error)
{
	*facts = *job->shared;
	shared_unmap(job->shared, sizeof *job->shared);
	job->shared = NULL;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return error_set(error, STATUS_WORKER,
		"the child that waits for a quiet core ended with status %d",
		status);
}

void quiet_abandon(struct quiet_job *job)
{
	child_kill(&job->child);
	if (job->child.pid)
		child_wait(&job->child, -1);
	if (job->shared)
		shared_unmap(job->shared, sizeof *job->shared);
	job->shared = NULL;
}
