/* The pilot: operations per trial, and their duration. */
#include <math.h>

#include "probe.h"
#include "quantile.h"
#include "worker_internal.h"

enum {
	TRIES = 50,
	PROPORTION_TRIALS = 11,
	DURATION_TRIALS = 20,
	DURATION_NS_MOST = 20 * 1000 * 1000,
};

/* Ticks per timed region in one trial, without overhead. */
static double trial_ticks(struct worker *worker, uint64_t ops)
{
	struct probe *probe = &worker->probe;

	probe->spent = 0;
	probe->regions = 0;
	worker->job->experiment->trial(probe, ops);
	worker_alive(worker);
	if (!probe->regions)
		return NAN;
	return (double)probe->spent / (double)probe->regions - worker->overhead;
}

/* A trial may take seconds: the run can end after each. */
static bool goes_on(const struct worker *worker)
{
	return !worker->probe.outcome && !worker_ends(worker);
}

static double least_ticks(struct worker *worker, uint64_t ops, unsigned trials)
{
	double least = INFINITY;

	for (unsigned i = 0; i < trials && goes_on(worker); i++)
		least = fmin(least, trial_ticks(worker, ops));
	return least;
}

/* Increases the operations until a trial is as long as the window requires. */
static uint64_t grow(struct worker *worker, const struct window *window,
	uint64_t least)
{
	uint64_t ops = least;

	while (ops < OPS_MOST && goes_on(worker)) {
		double ticks = least_ticks(worker, ops, 3);

		/* Untimed regions cannot be sized. */
		if (!isfinite(ticks))
			return least;
		if (ticks >= window->target * .9)
			break;
		if (ticks < window->target / 10) {
			ops *= 10;
			continue;
		}
		ops = (uint64_t)ceil((double)ops * window->target / ticks);
		break;
	}
	return ops < OPS_MOST ? ops : OPS_MOST;
}

/* Twice the operations must take twice as long; otherwise they were not
 * executed. The minima of increasingly many trials are compared, because noise
 * only adds time. If noise persists, the median ratio of the tries is judged,
 * because a co-runner that comes or goes is in one of the minima only. Below
 * 1.1 it is refused, and otherwise noted: work that was optimised away never
 * takes longer, but the first operation of a trial may, as one that interrupts
 * another processor. */
static void check_proportion(struct worker *worker, uint64_t ops)
{
	double least_once = INFINITY, least_twice = INFINITY, ratios[TRIES];

	for (int i = 0; i < TRIES && goes_on(worker); i++) {
		double once = least_ticks(worker, ops, PROPORTION_TRIALS);
		double twice = least_ticks(worker, 2 * ops, PROPORTION_TRIALS);

		ratios[i] = twice / once;
		least_once = fmin(least_once, once);
		least_twice = fmin(least_twice, twice);
		if (least_twice >= 1.9 * least_once &&
			least_twice <= 2.1 * least_once)
			return;
	}
	if (!goes_on(worker))
		return;
	double ratio = median_of(ratios, TRIES);
	if (ratio >= 1.1) {
		worker->probe.quiet = false;
		probe_note(&worker->probe, "proportion",
			"twice the operations took %.2f times as long: noise, "
			"or the first one takes longer",
			ratio);
		worker->probe.quiet = true;
		return;
	}
	probe_invalid(&worker->probe,
		"twice the operations took %.2f times as long, expected 1.9 to "
		"2.1: the work was optimised away",
		ratio);
}

/* Wall time of one trial, with everything around it. The median: on a busy
 * processor the mean is that of the interruptions. */
static double duration_ns(struct worker *worker, uint64_t ops)
{
	uint64_t begin_ns = tick_raw_ns(), taken_ns = 0;
	double each_ns[DURATION_TRIALS];
	size_t trials = 0;

	while (trials < DURATION_TRIALS && taken_ns < DURATION_NS_MOST &&
		goes_on(worker)) {
		worker->job->experiment->trial(&worker->probe, ops);
		worker_alive(worker);
		uint64_t until_ns = tick_raw_ns() - begin_ns;
		each_ns[trials++] = (double)(until_ns - taken_ns);
		taken_ns = until_ns;
	}
	return trials ? median_of(each_ns, trials) : 1;
}

struct sample worker_size(struct worker *worker, size_t point)
{
	const struct launch_job *job = worker->job;
	struct window window = plan_window(job->clock);
	uint64_t ops = job->schedule->points[point].ops;
	struct probe *probe = &worker->probe;

	probe->quiet = true;
	worker_phase(worker, PHASE_WARMUP);
	if (!job->schedule->fixed_ops) {
		uint64_t least = job->schedule->points[point].ops_least;

		least += !least;

		ops = grow(worker, &window, least);
		/* An operation longer than the window is a trial by itself.
		 * Whether it repeats evenly is what is being measured. The same
		 * holds for the experiment's minimum of operations. */
		if (ops > least ||
			(least == 1 && least_ticks(worker, 1, 3) < window.most))
			check_proportion(worker, ops);
	}
	double trial_ns = duration_ns(worker, ops);
	probe->quiet = false;
	return (struct sample){ .kind = SAMPLE_SIZED,
		.n = (uint32_t)point,
		.flags = probe->found,
		.ticks = ops,
		.value2 = trial_ns };
}
