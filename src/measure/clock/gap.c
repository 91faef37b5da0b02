/* The gap probe. */
#include "gap.h"

#include "tick.h"

enum { GAP_NS = 500 };

struct gap_context {
	const struct clock_facts *clock;
	double watch_s;
};

static void count_gap(struct gap_facts *facts, double gap_ns)
{
	size_t decade = 0;

	for (double limit = 1000; gap_ns >= limit && decade < 5; limit *= 10)
		decade++;
	facts->decade[decade]++;
	facts->lost += gap_ns;
	if (gap_ns > facts->longest_ns)
		facts->longest_ns = gap_ns;
}

static int gap_body(void *answer, void *context)
{
	const struct gap_context *job = context;
	double per_tick = 1e9 / job->clock->hz;
	enum tick_source source = job->clock->source;
	uint64_t begin = tick_now(source);
	uint64_t end = begin + (uint64_t)(job->watch_s * job->clock->hz);
	struct gap_facts facts = { 0 };
	uint64_t last = begin;

	for (uint64_t now; last < end; last = now) {
		now = tick_now(source);
		/* It might take hours to get here again: no answer. */
		if (now < last)
			return 0;
		double gap_ns = (double)(now - last) * per_tick;

		if (gap_ns > GAP_NS)
			count_gap(&facts, gap_ns);
	}
	/* The last gap may have lasted beyond the end of the watch. */
	facts.watched_s = (double)(last - begin) / job->clock->hz;
	facts.lost /= facts.watched_s * 1e9;
	*(struct gap_facts *)answer = facts;
	return 0;
}

int gap_start(struct job *job, int cpu, const struct clock_facts *clock,
	double watch_s, struct error *error)
{
	struct gap_context context = { clock, watch_s };

	return job_start(job, sizeof(struct gap_facts), gap_body, &context, cpu,
		error);
}

int gap_finish(struct job *job, int status, struct gap_facts *facts,
	struct error *error)
{
	if (job_finish(job, status, facts, "looks for gaps", error))
		return -1;
	if (facts->watched_s > 0)
		return 0;
	return error_set(error, STATUS_WORKER,
		"the child that looks for gaps saw its clock step back: "
		"expected a clock that neither jumps nor stands still (as with "
		"libfaketime)");
}
