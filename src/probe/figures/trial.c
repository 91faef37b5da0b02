/* One trial: from ticks to a value per operation, net. */
#include <math.h>

#include "results.h"

unsigned scale_excludes(enum scale scale)
{
	return FLAGS_INTERRUPTED | FLAG_WARMUP |
		(scale == SCALE_CYCLES ? 0 : FLAG_FREQUENCY);
}

/* Mean latency half, net ticks, of the canaries on both sides of trial i; 0
 * where there is none. */
static double latency_beside(const struct results *results,
	const struct point *point, const struct visit *visit, size_t i)
{
	const struct canary *canary = point->canary.data;
	size_t edge = i / visit->canary_every;
	double sum = 0;
	unsigned found = 0;

	for (size_t e = edge; e < edge + 2 && e < visit->canary_count; e++) {
		sum += canary[visit->canary_first + e].latency;
		found++;
	}
	return found ? sum / found - results->launches[visit->launch].overhead :
		       0;
}

/* Core cycles per tick at trial i; NaN where no canary shows it. A co-runner
 * that multiplies lengthens a canary beside it, which is not a lower
 * frequency: there what is usual counts. */
static double cycles_per_tick(const struct results *results,
	const struct point *point, const struct visit *visit, size_t i,
	unsigned flags)
{
	double latency;

	if (!visit->canary_every || !results->clock.cycles_trusted)
		return NAN;
	if (flags & (FLAG_SHARED | FLAG_MIXED))
		latency = visit->usual;
	else
		latency = latency_beside(results, point, visit, i);
	return latency > 0 ? results->clock.canary_cycles / latency : NAN;
}

/* A timed trial in ticks per operation, net. */
static bool timed_trial(const struct results *results,
	const struct point *point, unsigned metric, size_t visit, size_t i,
	double *ticks, unsigned *flags)
{
	const struct series *series = &point->series[metric];
	const struct slice *slice = &series->slices[visit];

	if (i >= slice->count)
		return false;
	const uint64_t *raw = series->raw.data;
	const uint16_t *marks = series->flags.data;
	const struct launch *launch =
		&results->launches[point->visits[visit].launch];
	*ticks = ((double)(int64_t)raw[slice->first + i] - launch->overhead) /
		(double)series->ops;
	*flags = marks[slice->first + i];
	return true;
}

static bool derived_trial(const struct results *results,
	const struct point *point, unsigned metric, size_t visit, size_t i,
	double *ticks, unsigned *flags)
{
	const struct series *series = &point->series[metric];
	bool any = false;

	*ticks = 0;
	*flags = 0;
	for (unsigned m = 0; m < results->metric_count; m++) {
		double part;
		unsigned marks;

		if (series->weight[m] == 0)
			continue;
		if (!timed_trial(results, point, m, visit, i, &part, &marks))
			return false;
		*ticks += series->weight[m] * part;
		*flags |= marks;
		any = true;
	}
	return any;
}

static bool value_trial(const struct point *point, unsigned metric,
	size_t visit, size_t i, double *value, unsigned *flags)
{
	const struct series *series = &point->series[metric];
	const struct slice *slice = &series->slices[visit];

	if (i >= slice->count)
		return false;
	const double *raw = series->raw.data;
	const uint16_t *marks = series->flags.data;
	size_t at = slice->first + i;
	*value = raw[at];
	/* Values that were not measured here may have come without flags. */
	if (at < series->flags.count)
		*flags = marks[at];
	return true;
}

bool results_trial(const struct results *results, const struct point *point,
	unsigned metric, size_t visit, size_t i, enum scale scale,
	double *value, unsigned *flags)
{
	const struct metric_info *info = &results->metrics[metric];
	bool found;

	*flags = 0;
	if (info->kind == METRIC_VALUE)
		return scale == SCALE_UNIT &&
			value_trial(point, metric, visit, i, value, flags);
	if (info->kind == METRIC_TRACE)
		return false;
	if (point->series[metric].derived)
		found = derived_trial(results, point, metric, visit, i, value,
			flags);
	else
		found = timed_trial(results, point, metric, visit, i, value,
			flags);
	if (!found)
		return false;
	*value *= scale == SCALE_CYCLES ?
		cycles_per_tick(results, point, &point->visits[visit], i,
			*flags) :
		1e9 / results->clock.hz;
	if (info->rate)
		*value = 1e9 / *value;
	return true;
}

double results_ticks_per_operation(const struct results *results,
	const struct point *point, unsigned metric, double ticks)
{
	const struct series *series = &point->series[metric];
	double sum = 0;

	if (!series->derived)
		return series->ops ? ticks / (double)series->ops : 0;
	for (unsigned m = 0; m < results->metric_count; m++)
		if (series->weight[m] != 0 && point->series[m].ops)
			sum += fabs(series->weight[m]) * ticks /
				(double)point->series[m].ops;
	return sum;
}

double results_quantum(const struct results *results, const struct point *point,
	unsigned metric)
{
	const struct metric_info *info = &results->metrics[metric];

	if (info->kind == METRIC_VALUE || info->kind == METRIC_TRACE ||
		info->rate || results->clock.hz <= 0)
		return 0;
	return results_ticks_per_operation(results, point, metric,
		       results->clock.quantum) *
		1e9 / results->clock.hz;
}
