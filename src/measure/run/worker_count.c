/* Counted trials: after all timed trials of a launch. */
#include "worker_internal.h"

static int first_timed(const struct metric *rows)
{
	for (int i = 0; rows[i].name; i++)
		if (rows[i].kind == METRIC_TIMED)
			return i;
	return -1;
}

static bool goes_on(const struct worker *worker,
	const struct counters *counters)
{
	return !worker->probe.outcome && !worker_ends(worker) &&
		!counters_in_vain(counters);
}

static void count_trials(struct worker *worker, struct counters *counters,
	const struct sizing *sizing)
{
	const struct experiment *experiment = worker->job->experiment;
	struct probe *probe = &worker->probe;

	worker_phase(worker, PHASE_TRIALS);
	for (unsigned i = plan_counted_trials(sizing);
		i && goes_on(worker, counters); i--) {
		counters_begin(counters, probe);
		experiment->trial(probe, sizing->ops);
		counters_end(counters, probe);
		probe_alive(probe);
	}
}

static void count_point(struct worker *worker, struct counters *counters,
	size_t point)
{
	const struct launch_job *job = worker->job;
	const struct sizing *sizing = &job->schedule->points[point];
	struct probe *probe = &worker->probe;

	worker_put(worker,
		(struct sample){ .kind = SAMPLE_COUNT, .n = (uint32_t)point });
	/* Notes and traces are those of the timed trials. */
	probe->quiet = true;
	if (worker_set_up(worker, point,
		    (job->number - 1) % job->schedule->clones)) {
		if (!(job->experiment->traits & TRAIT_COLD))
			worker_warm_up(worker, sizing->ops);
		probe->quiet = true;
		if (!probe->outcome)
			count_trials(worker, counters, sizing);
		worker_clean_up(worker);
	}
	probe->quiet = false;
}

void worker_count(struct worker *worker)
{
	const struct launch_job *job = worker->job;
	const struct metric *rows = job->experiment->metrics;
	int timed = first_timed(rows);
	struct counters counters;
	unsigned first = 0;

	if (!job->counted.mask || timed < 0 || worker_ends(worker))
		return;
	while (rows[first].name)
		first++;
	counters_open(&counters, &counter_calls, &job->counted, &worker->probe,
		(unsigned)timed, first);
	for (size_t i = 0; counters.count && i < job->schedule->count; i++)
		if (plan_visits(job->schedule, i, job->number) &&
			!worker_failed(worker) && !worker_ends(worker))
			count_point(worker, &counters, i);
	counters_close(&counters, &worker->probe);
}
