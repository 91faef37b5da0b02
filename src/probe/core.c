/* At which frequency the core ran beside a point's trials. */
#include <math.h>
#include <stdlib.h>

#include "gather.h"
#include "memory.h"
#include "quantile.h"

/* The flags of trials that were timed; NULL: none were. */
static const struct series *timed_series(const struct results *results,
	const struct point *point)
{
	for (size_t m = 0; m < results->metric_count; m++)
		if (results->metrics[m].kind == METRIC_TIMED)
			return &point->series[m];
	return NULL;
}

/* A canary that was disturbed has both its neighbours flagged. */
static bool beside_clean(const struct series *series, size_t visit,
	size_t behind)
{
	const struct slice *slice = &series->slices[visit];
	const uint16_t *flags = series->flags.data;

	return (behind < slice->count && !flags[slice->first + behind]) ||
		(behind && behind <= slice->count &&
			!flags[slice->first + behind - 1]);
}

/* Frequencies of one visit's canaries, behind `count` others. */
static size_t add_visit(const struct results *results,
	const struct point *point, const struct series *clean, size_t v,
	double *hz, size_t count)
{
	const struct clock_facts *clock = &results->clock;
	const struct visit *visit = &point->visits[v];
	const struct canary *canary = point->canary.data;

	for (size_t i = 0; i < visit->canary_count; i += trial_step(results)) {
		double net = canary[visit->canary_first + i].latency -
			results->launches[visit->launch].overhead;

		if (net > 0 &&
			(!clean ||
				beside_clean(clean, v,
					i * visit->canary_every)))
			hz[count++] = clock->canary_cycles / net * clock->hz;
	}
	return count;
}

/* `clean`: only of canaries beside a clean trial of that series. */
static double core_hz(const struct results *results, const struct point *point,
	const struct series *clean)
{
	double *hz = xcalloc(point->canary.count + 1, sizeof *hz);
	double *medians = xcalloc(point->visit_count + 1, sizeof *medians);
	size_t launches = 0;

	/* Visits of one launch stand together. */
	for (size_t v = 0; v < point->visit_count;) {
		unsigned launch = point->visits[v].launch;
		size_t count = 0;

		for (; v < point->visit_count &&
			point->visits[v].launch == launch;
			v++)
			count = add_visit(results, point, clean, v, hz, count);
		if (count)
			medians[launches++] = median_unsorted(hz, count);
	}
	double median = launches ? median_of(medians, launches) : NAN;
	free(medians);
	free(hz);
	return median;
}

double results_core_hz(const struct results *results, const struct point *point)
{
	const struct series *timed = timed_series(results, point);

	if (!results->clock.cycles_trusted || !timed)
		return NAN;
	double clean_hz = core_hz(results, point, timed);
	return isfinite(clean_hz) ? clean_hz : core_hz(results, point, NULL);
}

bool results_core_apart(const struct results *results, double hz)
{
	/* As much as sets a trial apart from others. */
	static const double much = .02;

	/* Not so of NaN. */
	return fabs(hz / results->clock.core_hz - 1) > much;
}
