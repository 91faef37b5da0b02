/* Runs with known launch medians. */
#include "made_runs.h"

#include <math.h>
#include <stdlib.h>

enum { MADE_TRIALS = 5 };

struct results *made_run(const char *experiment, enum unit unit,
	enum direction better, enum metric_kind kind)
{
	struct results *run = results_new(experiment);

	run->title = xstrdup("Made up");
	snprintf(run->started, sizeof run->started, "2025-03-01T12:00:00+0100");
	run->state = RUN_DONE;
	run->plan.launches = PARAM_AUTO;
	run->plan.trials = PARAM_AUTO;
	run->clock.hz = 1e9;
	run->clock.quantum = 1;
	run->clock.core_hz = 2e9;
	run->clock.canary_multiplies = 200;
	run->clock.canary_cycles = 600;
	run->clock.cycles_trusted = true;
	run->clock.canary_alone = 1;
	run->sharing = (struct sharing){ 1.25, 1, NAN };
	ARRAY_GROW(run->param_names, run->param_count);
	run->param_names[run->param_count++] = xstrdup("size");
	results_add_metric(run, "time", "time of it", unit, better, kind,
		false);
	return run;
}

struct point *made_sized(struct results *run, const char *size)
{
	struct point *point = results_add_point(run);

	point->values[0] = xstrdup(size);
	point->series[0].ops = 1;
	return point;
}

void made_launches(struct results *run, struct point *point,
	const double *values, size_t count, double canary)
{
	struct series *series = &point->series[0];
	bool timed = run->metrics[0].kind == METRIC_TIMED;

	for (size_t i = 0; i < count; i++) {
		if (i >= run->launch_count)
			*results_add_launch(run) =
				(struct launch){ .number = (unsigned)i + 1,
					.canary = canary,
					.complete = true };
		struct visit *visit = point_add_visit(run, point);
		*visit = (struct visit){ .launch = (unsigned)i,
			.trials = MADE_TRIALS,
			.canary_every = MADE_TRIALS,
			.canary_first = point->canary.count,
			.canary_count = 2 };
		for (int k = 0; k < 2; k++)
			*(struct canary *)column_add(&point->canary) =
				(struct canary){
					.latency = (uint32_t)canary,
					.throughput = (uint32_t)canary,
				};
		for (int k = 0; k < MADE_TRIALS; k++) {
			if (timed)
				*(uint64_t *)column_add(&series->raw) =
					(uint64_t)llround(values[i]);
			else
				*(double *)column_add(&series->raw) = values[i];
			column_add(&series->flags);
			series->slices[point->visit_count - 1].count++;
		}
	}
}

void made_normal(struct results *run, struct point *point, double centre,
	double sd, size_t count, gsl_rng *random)
{
	double values[64];

	for (size_t i = 0; i < count; i++)
		values[i] = centre * (1 + gsl_ran_gaussian(random, sd));
	made_launches(run, point, values, count, 300);
}

struct session *made_session(struct results *run)
{
	struct session *session = session_new();

	snprintf(session->machine.cpu, sizeof session->machine.cpu, "Some CPU");
	session_add_run(session, run);
	return session;
}

const double eight[] = { 1000, 1002, 1004, 998, 996, 1001, 1003, 999 };

struct session *simple(const char *size, double times, double canary,
	enum direction better)
{
	struct results *run =
		made_run("mem.made", UNIT_NS, better, METRIC_TIMED);
	double values[8];

	for (size_t i = 0; i < 8; i++)
		values[i] = eight[i] * times;
	made_launches(run, made_sized(run, size), values, 8, canary);
	return made_session(run);
}
