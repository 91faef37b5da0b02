/* Runs with many trials. */
#include "many_trials.h"

#include <stdio.h>

#include "random.h"

enum { CANARY_EVERY = 2, FLAGGED_EVERY = 20 };

static uint64_t state = 1;

static void add_trial(struct point *point, unsigned i)
{
	struct series *series = &point->series[0];
	size_t v = point->visit_count - 1;

	if (i % CANARY_EVERY == 0) {
		struct canary *canary = column_add(&point->canary);

		canary->latency = (uint32_t)(1200 + random_below(&state, 8));
		canary->throughput = canary->latency;
		point->visits[v].canary_count++;
	}
	*(uint64_t *)column_add(&series->raw) =
		13000 + random_below(&state, 500);
	*(uint16_t *)column_add(&series->flags) =
		i % FLAGGED_EVERY ? 0 : FLAG_PREEMPTED;
	series->slices[v].count++;
}

static void add_launch(struct results *results, struct point *point,
	unsigned trials)
{
	results_add_launch(results)->overhead = 38;
	struct visit *visit = point_add_visit(results, point);
	visit->launch = (unsigned)results->launch_count - 1;
	visit->trials = trials;
	visit->canary_every = CANARY_EVERY;
	visit->canary_first = point->canary.count;
	for (unsigned i = 0; i < trials; i++)
		add_trial(point, i);
}

static void add_param(struct results *results, const char *name)
{
	ARRAY_GROW(results->param_names, results->param_count);
	results->param_names[results->param_count++] = xstrdup(name);
}

struct results *bench_run(unsigned launches, unsigned trials)
{
	struct results *results = results_new("cpu.syscall");

	results->title = xstrdup("System call");
	results->state = RUN_DONE;
	snprintf(results->started, sizeof results->started,
		"2025-03-01T12:00:00+0100");
	results->clock.hz = 2.7e9;
	results->clock.quantum = 1;
	results->clock.core_hz = 3e9;
	results->clock.canary_cycles = 1200;
	results->clock.cycles_trusted = true;
	results->plan.launches = launches;
	results->plan.trials = trials;
	add_param(results, "call");
	add_param(results, "via");
	results_add_metric(results, "time", "time per call", UNIT_NS,
		LESS_IS_BETTER, METRIC_TIMED, false);
	struct point *point = results_add_point(results);
	point->values[0] = xstrdup("getppid");
	point->values[1] = xstrdup("raw");
	point->series[0].ops = 50;
	for (unsigned l = 0; l < launches; l++)
		add_launch(results, point, trials);
	return results;
}
