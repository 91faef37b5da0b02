/* Core frequencies during the trials of a point, from its canaries. */
#include "frequency_steps.h"

#include <math.h>
#include <stdlib.h>

#include "digest.h"
#include "gather.h"
#include "memory.h"
#include "quantile.h"
#include "regime.h"
#include "sharing.h"
#include "valley.h"

enum { CANARIES_MOST = 4096, STEPS = 2 };

static const double apart = .04, window = .02, share_least = .05;

/* The net latency of a canary; 0 if it was not alone on its core. */
static double latency_alone(const struct results *results,
	const struct point *point, const struct visit *visit, size_t i)
{
	const struct canary *canary = point->canary.data;
	double ratio = visit_canary_ratio(results, point, visit, i);

	if (canary_state(results, ratio) != CANARY_ALONE)
		return 0;
	return canary[visit->canary_first + i].latency -
		results->launches[visit->launch].overhead;
}

/* Logarithms of the latencies, evenly subsampled and sorted; to be freed. */
static double *list_latencies(const struct results *results,
	const struct point *point, size_t *count)
{
	size_t step = point->canary.count / CANARIES_MOST + 1, seen = 0;
	double *x = xmalloc((point->canary.count / step + 2) * sizeof *x);

	*count = 0;
	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];

		for (size_t i = 0; i < visit->canary_count; i++) {
			double latency;

			if (seen++ % step)
				continue;
			latency = latency_alone(results, point, visit, i);
			if (latency > 0)
				x[(*count)++] = log(latency);
		}
	}
	values_sort(x, *count);
	return x;
}

/* The step of a trial, by the canaries before and after it. STEPS: they
 * disagree, or neither is usable. */
static int step_of(const struct results *results, const struct point *point,
	const struct visit *visit, size_t trial, double cut)
{
	size_t first = trial / visit->canary_every;
	unsigned seen[STEPS] = { 0 };

	for (size_t e = first; e < first + 2 && e < visit->canary_count; e++) {
		double latency = latency_alone(results, point, visit, e);

		if (latency > 0)
			seen[latency > cut]++;
	}
	if (!seen[0] == !seen[1])
		return STEPS;
	return seen[1] > 0;
}

/* The values of one launch, by step. */
struct by_step {
	double *values[STEPS];
	size_t count[STEPS];
};

static void add_trials(const struct results *results,
	const struct point *point, const struct visit *visit,
	enum regime regime, double cut, const struct reading *reading,
	struct by_step *into)
{
	for (size_t i = 0; i < reading->count; i++) {
		size_t trial = reading->first + i * trial_step(results);
		double value = reading->values[i];

		if (!isfinite(value) ||
			regime_shows(regime, reading->flags[i]) !=
				SHOWN_HEADLINE)
			continue;
		int step = step_of(results, point, visit, trial, cut);
		if (step < STEPS)
			into->values[step][into->count[step]++] = value;
	}
}

static void read_visit(const struct results *results, const struct point *point,
	unsigned metric, enum regime regime, size_t v, double cut,
	struct by_step *into)
{
	const struct visit *visit = &point->visits[v];
	struct reading reading;

	reading.next = 0;
	while (visit->canary_every && results_read(results, point, metric, v,
					      SCALE_UNIT, &reading))
		add_trials(results, point, visit, regime, cut, &reading, into);
}

/* Medians of the launches and number of trials, by step. */
struct tally {
	double *medians[STEPS];
	size_t launches[STEPS], trials[STEPS];
};

static void end_launch(struct by_step *values, struct tally *tally)
{
	for (int s = 0; s < STEPS; s++) {
		size_t n = values->count[s];

		if (n)
			tally->medians[s][tally->launches[s]++] =
				median_unsorted(values->values[s], n);
		tally->trials[s] += n;
		values->count[s] = 0;
	}
}

static void tally_launches(const struct results *results,
	const struct point *point, unsigned metric, enum regime regime,
	double cut, struct tally *tally)
{
	struct by_step values = { .count = { 0 } };
	size_t most = 1;

	for (size_t v = 0; v < point->visit_count; v++)
		most += point->visits[v].trials;
	for (int s = 0; s < STEPS; s++)
		values.values[s] = xmalloc(most * sizeof(double));
	for (size_t v = 0; v < point->visit_count; v++) {
		if (v && point->visits[v].launch != point->visits[v - 1].launch)
			end_launch(&values, tally);
		read_visit(results, point, metric, regime, v, cut, &values);
	}
	end_launch(&values, tally);
	for (int s = 0; s < STEPS; s++)
		free(values.values[s]);
}

bool frequency_steps(const struct results *results, const struct point *point,
	unsigned metric, enum regime regime, struct frequency_step steps[STEPS])
{
	struct tally tally = { .launches = { 0 } };
	struct valley valley;
	size_t n;
	double *x = list_latencies(results, point, &n);
	bool two = valley_find(x, n, apart, window, &valley);

	free(x);
	if (!two || !results->clock.cycles_trusted)
		return false;
	double latency[] = { exp(valley.low), exp(valley.high) };
	for (int s = 0; s < STEPS; s++)
		tally.medians[s] =
			xmalloc((point->visit_count + 1) * sizeof(double));
	tally_launches(results, point, metric, regime, exp(valley.cut), &tally);
	double all = (double)(tally.trials[0] + tally.trials[1]);
	for (int s = 0; s < STEPS; s++) {
		steps[s] = (struct frequency_step){
			.hz = results->clock.canary_cycles / latency[s] *
				results->clock.hz,
			.share = all > 0 ? (double)tally.trials[s] / all : 0,
			.launches = tally.launches[s],
			.median = tally.launches[s] ?
				median_of(tally.medians[s], tally.launches[s]) :
				NAN,
		};
		free(tally.medians[s]);
	}
	return steps[0].share >= share_least && steps[1].share >= share_least;
}

/* ---- the core's frequency at a point ----------------------------------- */

double results_core_hz(const struct results *results, const struct point *point)
{
	const struct clock_facts *clock = &results->clock;
	double *hz = xcalloc(point->visit_count + 1, sizeof *hz);
	size_t launches = 0;

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];
		bool first = !v || visit[-1].launch != visit->launch;

		if (first && visit->usual > 0)
			hz[launches++] =
				clock->canary_cycles / visit->usual * clock->hz;
	}
	double median = launches && clock->cycles_trusted ?
		median_of(hz, launches) :
		NAN;
	free(hz);
	return median;
}

double results_usual_hz(const struct results *results)
{
	const struct clock_facts *clock = &results->clock;
	double *hz = xcalloc(results->point_count + 1, sizeof *hz);
	size_t count = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		double of_point = results_core_hz(results, &results->points[i]);

		if (isfinite(of_point))
			hz[count++] = of_point;
	}
	double usual_hz = clock->cycles_trusted ? clock->core_hz : 0;
	if (count) {
		/* Of two middle ones, that nearer to the clock's. */
		double middle = median_of(hz, count);
		double low = hz[(count - 1) / 2], high = hz[count / 2];

		usual_hz = clock->core_hz > middle ? high : low;
	}
	free(hz);
	return usual_hz;
}

bool results_core_apart(const struct results *results, double hz)
{
	/* The same difference flags a trial (FLAG_FREQUENCY). */
	static const double much = .02;

	/* False for NaN. */
	return fabs(hz / results->clock.core_hz - 1) > much;
}
