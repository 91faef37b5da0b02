/* Two points that alternate, trial by trial. */
#include "probe.h"
#include "worker_internal.h"

/* State of one point while the other uses the probe. The points are 0 and 1. */
struct side {
	const struct sizing *sizing;
	const void *args;
	void *state;
};

static void take_turn(struct worker *worker, const struct side *sides,
	size_t which)
{
	worker->probe.args = sides[which].args;
	worker->probe.state = sides[which].state;
	worker->probe.turn = which + 1;
}

static bool set_up_side(struct worker *worker, struct side *sides,
	size_t which, unsigned clone)
{
	struct side *side = &sides[which];

	side->sizing = &worker->job->schedule->points[which];
	worker_put_visit(worker, which, clone, side->sizing->canary_every);
	if (!worker_set_up(worker, which, clone))
		return false;
	side->args = worker->probe.args;
	side->state = worker->probe.state;
	return true;
}

static void run_trial(struct worker *worker, const struct side *sides,
	size_t which)
{
	take_turn(worker, sides, which);
	worker->job->experiment->trial(&worker->probe,
		sides[which].sizing->ops);
}

/* One pair per trial of the first point: the plan gives both the same
 * number. */
static void run_pairs(struct worker *worker, const struct side *sides)
{
	unsigned every = sides->sizing->canary_every;
	struct probe *probe = &worker->probe;
	struct batch batch = { .trials = 0 };

	worker_phase(worker, PHASE_TRIALS);
	batch_begin(worker, &batch);
	worker_put_canary(worker);
	for (unsigned i = 0; i < sides->sizing->trials; i++) {
		size_t first = probe_random_below(probe, 2);

		run_trial(worker, sides, first);
		if (!probe->outcome)
			run_trial(worker, sides, 1 - first);
		batch.trials++;
		if (probe->outcome)
			break;
		if ((i + 1) % every == 0)
			worker_put_canary(worker);
		if (!batch_goes_on(worker, &batch))
			break;
	}
	worker_put_canary(worker);
	if (batch.trials)
		batch_end(worker, &batch);
}

/* The second to be set up has other memory: that of two equal points of
 * cpu.switch was 0.5 % faster. So the order is random. */
void worker_visit_pair(struct worker *worker, unsigned clone)
{
	const struct experiment *experiment = worker->job->experiment;
	size_t first = probe_random_below(&worker->probe, 2), ready = 0;
	struct side sides[2];

	while (ready < 2 &&
		set_up_side(worker, sides, (first + ready) % 2, clone))
		ready++;
	if (ready)
		worker_put(worker,
			(struct sample){
				.kind = SAMPLE_PAIR, .n = 0, .extra = 1 });
	for (size_t i = 0; ready == 2 && i < 2; i++) {
		take_turn(worker, sides, (first + i) % 2);
		if (!(experiment->traits & TRAIT_COLD))
			worker_warm_up(worker,
				sides[(first + i) % 2].sizing->ops);
	}
	if (ready == 2 && !worker->probe.outcome)
		run_pairs(worker, sides);
	for (size_t i = 0; i < ready; i++) {
		take_turn(worker, sides, (first + i) % 2);
		worker_clean_up(worker);
	}
	worker->probe.turn = 0;
}
