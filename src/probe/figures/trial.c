/* Trials: from raw ticks to net values per operation. */
#include <math.h>
#include <string.h>

#include "digest.h"
#include "gather.h"

/* Mean net ticks of the latency halves of the canaries before and after trial
 * i; 0 if there are none. */
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

/* Core cycles per tick at trial i; NaN if no canary shows it. A co-runner that
 * multiplies lengthens a canary without a lower frequency. So beside a
 * co-runner the usual latency is used. */
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

/* Trials of a visit: first, first + step, .. below end. */
struct span {
	size_t first, end, step;
};

static struct span clipped(struct span span, size_t end)
{
	span.end = span.end < end ? span.end : end;
	return span;
}

static size_t span_count(struct span span)
{
	return span.first < span.end ?
		(span.end - span.first - 1) / span.step + 1 :
		0;
}

/* Adds the weighted net ticks per operation of a timed metric. */
static void add_timed(const struct series *series, const struct slice *slice,
	double overhead, double weight, struct span span, double *ticks,
	uint16_t *flags)
{
	const uint64_t *raw = series->raw.data;
	const uint16_t *marks = series->flags.data;
	double ops = (double)series->ops;

	raw += slice->first;
	marks += slice->first;
	for (size_t i = span.first, n = 0; i < span.end; i += span.step, n++) {
		double net = (double)(int64_t)raw[i] - overhead;

		ticks[n] += weight * (net / ops);
		flags[n] |= marks[i];
	}
}

/* Reads the ticks of a timed metric, or the weighted sum of a derived metric's
 * parts. */
static size_t read_ticks(const struct results *results,
	const struct point *point, unsigned metric, size_t visit,
	struct span span, double *ticks, uint16_t *flags)
{
	const struct series *series = point->series;
	double overhead =
		results->launches[point->visits[visit].launch].overhead;
	double weights[METRICS_MAX] = { 0 };
	bool any = false;

	if (series[metric].derived)
		memcpy(weights, series[metric].weight, sizeof weights);
	else
		weights[metric] = 1;
	for (unsigned m = 0; m < results->metric_count; m++)
		if (weights[m] != 0) {
			any = true;
			span = clipped(span, series[m].slices[visit].count);
		}
	size_t count = any ? span_count(span) : 0;
	memset(ticks, 0, count * sizeof *ticks);
	memset(flags, 0, count * sizeof *flags);
	for (unsigned m = 0; count && m < results->metric_count; m++)
		if (weights[m] != 0)
			add_timed(&series[m], &series[m].slices[visit],
				overhead, weights[m], span, ticks, flags);
	return count;
}

static size_t read_values(const struct series *series,
	const struct slice *slice, struct span span, double *values,
	uint16_t *flags)
{
	const double *raw = series->raw.data;
	const uint16_t *marks = series->flags.data;
	size_t n = 0;

	span = clipped(span, slice->count);
	for (size_t i = span.first; i < span.end; i += span.step, n++) {
		size_t at = slice->first + i;

		values[n] = raw[at];
		/* Values that were measured elsewhere may have no flags. */
		flags[n] = at < series->flags.count ? marks[at] : 0;
	}
	return n;
}

static size_t read_span(const struct results *results,
	const struct point *point, unsigned metric, size_t v, enum scale scale,
	struct span span, double *values, uint16_t *flags)
{
	const struct metric_info *info = &results->metrics[metric];
	const struct series *series = &point->series[metric];
	const struct visit *visit = &point->visits[v];
	double unit = 1e9 / results->clock.hz;

	if (info->kind == METRIC_TRACE ||
		(info->kind == METRIC_VALUE && scale != SCALE_UNIT))
		return 0;
	if (info->kind == METRIC_VALUE)
		return read_values(series, &series->slices[v], span, values,
			flags);
	size_t n = read_ticks(results, point, metric, v, span, values, flags);
	for (size_t k = 0, i = span.first; k < n; k++, i += span.step)
		values[k] *= scale == SCALE_CYCLES ?
			cycles_per_tick(results, point, visit, i, flags[k]) :
			unit;
	for (size_t k = 0; info->rate && k < n; k++)
		values[k] = 1e9 / values[k];
	return n;
}

bool results_trial(const struct results *results, const struct point *point,
	unsigned metric, size_t visit, size_t i, enum scale scale,
	double *value, unsigned *flags)
{
	uint16_t marks = 0;
	bool found = read_span(results, point, metric, visit, scale,
		(struct span){ i, i + 1, 1 }, value, &marks);

	*flags = marks;
	return found;
}

size_t visit_trials(const struct results *results, const struct point *point,
	unsigned metric, size_t visit)
{
	if (results->metrics[metric].kind == METRIC_VALUE)
		return point->series[metric].slices[visit].count;
	return point->visits[visit].trials;
}

size_t trial_step(const struct results *results)
{
	return results->each > 1 ? results->each : 1;
}

bool results_read(const struct results *results, const struct point *point,
	unsigned metric, size_t visit, enum scale scale,
	struct reading *reading)
{
	size_t step = trial_step(results);
	struct span span = { reading->next, reading->next + READ_AT_ONCE * step,
		step };

	span = clipped(span, visit_trials(results, point, metric, visit));
	reading->first = span.first;
	reading->next += READ_AT_ONCE * step;
	reading->count = read_span(results, point, metric, visit, scale, span,
		reading->values, reading->flags);
	return reading->count > 0;
}

bool trial_shows(double value, unsigned flags)
{
	return isfinite(value) && !(flags & (FLAGS_NO_FIGURE | FLAG_WARMUP));
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
