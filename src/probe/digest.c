/* From trials to figures: what is printed of one metric at one point. */
#include <math.h>
#include <stdlib.h>

#include "gather.h"
#include "memo.h"
#include "memory.h"
#include "quantile.h"

/* Ticks per operation, weighted as the metric is made: what `ticks` of the
 * clock come to in one of its values. */
static double ticks_per_operation(const struct results *results,
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

/* What the overhead's own uncertainty, a quarter of its jitter, adds to each
 * side of an interval: ticks per operation. */
static double overhead_uncertainty(const struct results *results,
	const struct point *point, unsigned metric)
{
	double jitter = 0;

	for (size_t i = 0; i < results->launch_count; i++)
		jitter += results->launches[i].jitter /
			(double)results->launch_count;
	return ticks_per_operation(results, point, metric, jitter / 4);
}

static void widen(struct interval *interval, bool rate, double more)
{
	if (!rate) {
		interval->low -= more;
		interval->high += more;
		return;
	}
	/* A rate is the reciprocal of what was timed. */
	interval->low = 1e9 / (1e9 / interval->low + more);
	interval->high = 1e9 / (1e9 / interval->high - more);
}

static void add_uncertainty(const struct results *results,
	const struct point *point, unsigned metric, enum scale scale,
	struct summary *summary)
{
	const struct clock_facts *clock = &results->clock;
	double per_tick = scale == SCALE_CYCLES ? clock->core_hz / clock->hz :
						  1e9 / clock->hz;

	if (summary->has_interval)
		widen(&summary->interval, results->metrics[metric].rate,
			per_tick *
				overhead_uncertainty(results, point, metric));
}

/* ---- flags ------------------------------------------------------------ */

static unsigned first_cause(unsigned flags)
{
	unsigned bit = 0;

	while (!(flags & (1u << bit)))
		bit++;
	return bit;
}

static void count_flags(const struct results *results,
	const struct point *point, unsigned metric, struct digest *digest)
{
	size_t unsteady = 0;

	for (size_t v = 0; v < point->visit_count; v++) {
		size_t n = visit_trials(results, point, metric, v);

		unsteady += point->visits[v].unsteady;
		for (size_t i = 0; i < n; i += trial_step(results)) {
			double value;
			unsigned flags;

			if (!results_trial(results, point, metric, v, i,
				    SCALE_UNIT, &value, &flags))
				continue;
			digest->trials++;
			if (flags)
				digest->by_flag[first_cause(flags)]++;
		}
	}
	digest->unsteady = unsteady && unsteady * 4 >= point->visit_count;
}

/* Flagged trials as a share of those past the warm-up. */
static double flagged_share(const struct digest *digest)
{
	size_t warm = digest->by_flag[first_cause(FLAG_WARMUP)];
	size_t flagged = 0;

	for (unsigned i = 0; i < FLAG_COUNT; i++)
		flagged += digest->by_flag[i];
	flagged -= warm;
	return digest->trials > warm ?
		(double)flagged / (double)(digest->trials - warm) :
		0;
}

/* With the flagged trials, but those that show nothing. */
static double median_of_all(const struct results *results,
	const struct point *point, unsigned metric)
{
	struct gathered all;

	gather(results, point, metric, SCALE_UNIT,
		FLAGS_NO_FIGURE | FLAG_WARMUP, &all);
	double *medians = xmalloc((all.group_count + 1) * sizeof *medians);
	size_t n = launch_medians(all.groups, all.group_count, medians);
	double median = n ? median_of(medians, n) : NAN;
	free(medians);
	gathered_free(&all);
	return median;
}

/* ---- figures ---------------------------------------------------------- */

static void look_at_layout(const struct point *point,
	const struct gathered *clean, struct digest *digest)
{
	double medians[CLONES_MAX];
	size_t count = clone_medians(point, clean, medians);

	digest->layout = NAN;
	digest->floor = NAN;
	if (!count)
		return;
	values_sort(medians, count);
	digest->floor = medians[0];
	if (count > 1)
		digest->layout = (quantile_sorted(medians, count, .9) -
					 quantile_sorted(medians, count, .1)) /
			quantile_sorted(medians, count, .5);
}

static void digest_clean(const struct results *results,
	const struct point *point, unsigned metric, struct digest *digest)
{
	struct gathered clean;

	gather(results, point, metric, SCALE_UNIT, scale_excludes(SCALE_UNIT),
		&clean);
	if (!summary_of(clean.groups, clean.group_count, &digest->clean))
		digest->clean = summary_of_nothing();
	look_at_layout(point, &clean, digest);
	gathered_free(&clean);
	if (results->metrics[metric].kind != METRIC_VALUE)
		add_uncertainty(results, point, metric, SCALE_UNIT,
			&digest->clean);
}

static void digest_cycles(const struct results *results,
	const struct point *point, unsigned metric, struct digest *digest)
{
	struct gathered all;

	gather(results, point, metric, SCALE_CYCLES,
		scale_excludes(SCALE_CYCLES), &all);
	digest->has_cycles =
		summary_of(all.groups, all.group_count, &digest->cycles);
	gathered_free(&all);
	add_uncertainty(results, point, metric, SCALE_CYCLES, &digest->cycles);
}

static void judge(struct digest *digest)
{
	double moved = fabs(digest->median_all / digest->clean.median - 1);

	digest->unusable = digest->flagged > .25;
	digest->disturbed = digest->flagged > .05 || moved > .01;
}

/* What was printed and nothing else. */
static bool digest_published(const struct published *published,
	struct digest *digest)
{
	struct summary *clean = &digest->clean;

	if (!published)
		return false;
	digest->published = published;
	digest->headline = published->value;
	digest->median_all = digest->floor = digest->layout = NAN;
	*clean = summary_of_nothing();
	if (published->figure == PUBLISHED_MEAN)
		clean->mean = published->value;
	if (published->figure == PUBLISHED_MEDIAN)
		clean->median = published->value;
	clean->min = published->figure == PUBLISHED_LEAST ? published->value :
							    published->min;
	clean->max = published->figure == PUBLISHED_MOST ? published->value :
							   published->max;
	clean->sd_within = published->sd_within;
	clean->sd_between = published->sd_between;
	clean->max_deviation = published->max_deviation;
	return true;
}

bool digest_of(const struct results *results, const struct point *point,
	unsigned metric, struct digest *digest)
{
	const struct metric_info *info = &results->metrics[metric];

	if (memo_digest(results, point, metric, digest))
		return true;
	*digest = (struct digest){
		.ops = point->series[metric].ops,
		.core_hz = NAN,
	};
	count_flags(results, point, metric, digest);
	if (!digest->trials)
		return digest_published(point->series[metric].published,
			digest);
	digest->flagged = flagged_share(digest);
	digest_clean(results, point, metric, digest);
	digest->median_all = median_of_all(results, point, metric);
	digest->headline = digest->clean.median;
	judge(digest);
	if (info->kind == METRIC_VALUE)
		return true;
	digest->core_hz = results_core_hz(results, point);
	digest->resolution = 12 * 1e9 / results->clock.hz *
		overhead_uncertainty(results, point, metric);
	if (info->rate)
		return true;
	digest_cycles(results, point, metric, digest);
	digest->below_resolution = digest->clean.median < digest->resolution;
	return true;
}

double results_quantum(const struct results *results, const struct point *point,
	unsigned metric)
{
	const struct metric_info *info = &results->metrics[metric];

	if (info->kind == METRIC_VALUE || info->kind == METRIC_TRACE ||
		info->rate || results->clock.hz <= 0)
		return 0;
	return ticks_per_operation(results, point, metric,
		       results->clock.quantum) *
		1e9 / results->clock.hz;
}

bool results_median(const struct results *results, const struct point *point,
	unsigned metric, double *median)
{
	struct digest digest;

	if (!point || point->state != POINT_OK ||
		!digest_of(results, point, metric, &digest) ||
		!digest.clean.trials)
		return false;
	*median = digest.clean.median;
	return true;
}

bool results_slope(const struct results *results, unsigned metric,
	double (*across)(const void *args, const void *first),
	struct slope *line)
{
	double *x = xcalloc(results->point_count, sizeof *x);
	double *y = xcalloc(results->point_count, sizeof *y);
	const void *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const void *args = point->args;

		x[n] = args ? across(args, first ? first : args) : NAN;
		if (!isfinite(x[n]))
			continue;
		first = first ? first : args;
		n += results_median(results, point, metric, &y[n]);
	}
	bool good = n >= 3 && slope_theil_sen(x, y, n, line);
	free(x);
	free(y);
	return good;
}
