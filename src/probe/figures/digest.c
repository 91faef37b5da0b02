/* From trials to figures: the digest of one metric at one point. */
#include <math.h>
#include <stdlib.h>

#include "digest.h"
#include "frequency_steps.h"
#include "gather.h"
#include "memo.h"
#include "memory.h"
#include "quality.h"
#include "quantile.h"
#include "regime.h"

/* The uncertainty of the overhead, a quarter of its jitter, in ticks per
 * operation. It widens an interval on each side. */
static double overhead_uncertainty(const struct results *results,
	const struct point *point, unsigned metric)
{
	double jitter = 0;

	for (size_t i = 0; i < results->launch_count; i++)
		jitter += results->launches[i].jitter /
			(double)results->launch_count;
	return results_ticks_per_operation(results, point, metric, jitter / 4);
}

static void widen(struct interval *interval, bool rate, double more)
{
	if (!rate) {
		interval->low -= more;
		interval->high += more;
		return;
	}
	/* A rate is the reciprocal of the measured time. */
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

/* Flags of trials that have a figure. */
static const unsigned with_figure = FLAG_SHARED | FLAG_FREQUENCY;

/* The flag under which a trial is counted. Warm-up comes first, and an excluded
 * or mixed trial does not count as shared. So the counts agree with the
 * shares. */
static unsigned first_flag(unsigned flags)
{
	unsigned bit = 0;

	if (flags & FLAG_WARMUP)
		flags = FLAG_WARMUP;
	else if (flags & ~with_figure)
		flags &= ~with_figure;
	while (!(flags & (1u << bit)))
		bit++;
	return bit;
}

static void count_flags(const struct gathered *all, const struct point *point,
	struct digest *digest)
{
	size_t unsteady = 0;

	for (unsigned flags = 0; flags < 1 << FLAG_COUNT; flags++) {
		digest->trials += all->flagged[flags];
		if (flags)
			digest->by_flag[first_flag(flags)] +=
				all->flagged[flags];
	}
	for (size_t v = 0; v < point->visit_count; v++)
		unsteady += point->visits[v].unsteady;
	digest->unsteady = unsteady && unsteady * 4 >= point->visit_count;
}

/* The number of trials counted under these flags. */
static double counted_under(const struct digest *digest, unsigned flags)
{
	size_t count = 0;

	for (unsigned i = 0; i < FLAG_COUNT; i++)
		count += flags & 1u << i ? digest->by_flag[i] : 0;
	return (double)count;
}

void digest_share(struct digest *digest)
{
	double warm = counted_under(digest, FLAG_WARMUP);
	double past = fmax((double)digest->trials - warm, 1);
	bool pooled = digest->regime == REGIME_POOLED;
	unsigned kept = pooled ? FLAG_MIXED : 0;
	unsigned out = FLAGS_INTERRUPTED | (pooled ? 0 : FLAG_MIXED);

	digest->mixed = counted_under(digest, kept) / past;
	digest->excluded = counted_under(digest, out) / past;
	digest->frequency = counted_under(digest, FLAG_FREQUENCY) / past;
	digest->shared = counted_under(digest, FLAG_SHARED) / past;
}

/* ---- figures ---------------------------------------------------------- */

/* The median of each alignment clone over the launches. Returns the number of
 * clones with values. */
static size_t clone_medians(const struct point *point,
	const struct group *groups, double medians[CLONES_MAX])
{
	double *one = xmalloc((point->visit_count + 1) * sizeof *one);
	size_t count = 0;

	for (unsigned c = 0; c < CLONES_MAX; c++) {
		size_t n = 0;

		for (size_t v = 0; v < point->visit_count; v++)
			if (point->visits[v].clone == c && groups[v].n)
				one[n++] = launch_median(&groups[v], 1);
		if (n)
			medians[count++] = median_of(one, n);
	}
	free(one);
	return count;
}

static void look_at_layout(const struct point *point,
	const struct group *groups, struct digest *digest)
{
	double medians[CLONES_MAX];
	size_t count = clone_medians(point, groups, medians);

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

static void choose_regime(const struct results *results,
	const struct point *point, unsigned metric, const struct gathered *all,
	struct digest *digest)
{
	struct launch_figures *list =
		xmalloc((all->visit_count + 1) * sizeof *list);
	size_t count = regime_launches(results, all, list);

	regime_summaries(list, count, digest->by_regime, &digest->slowdown);
	free(list);
	digest->regime = regime_choose(digest->by_regime, &digest->slowdown,
		gather_parts(results, point, metric));
}

/* The median over launches of all trials that have a value, also of excluded
 * trials. */
static double median_of_all(const struct gathered *all, struct group *groups)
{
	double *medians = xmalloc((all->visit_count + 1) * sizeof *medians);

	gathered_groups(all, REGIMES, groups);
	size_t n = launch_medians(groups, all->visit_count, medians);
	double median = n ? median_of(medians, n) : NAN;
	free(medians);
	return median;
}

static void digest_unit(const struct results *results,
	const struct point *point, unsigned metric, struct digest *digest)
{
	struct gathered all;

	gather(results, point, metric, SCALE_UNIT, 0, &all);
	count_flags(&all, point, digest);
	if (!digest->trials) {
		gathered_free(&all);
		return;
	}
	struct group *groups = xcalloc(all.visit_count + 1, sizeof *groups);
	choose_regime(results, point, metric, &all, digest);
	digest_share(digest);
	digest->median_all = median_of_all(&all, groups);
	gathered_groups(&all, digest->regime, groups);
	if (!summary_of(groups, all.visit_count, &digest->summary))
		digest->summary = summary_of_nothing();
	look_at_layout(point, groups, digest);
	free(groups);
	gathered_free(&all);
	if (results->metrics[metric].kind != METRIC_VALUE)
		add_uncertainty(results, point, metric, SCALE_UNIT,
			&digest->summary);
}

static void digest_cycles(const struct results *results,
	const struct point *point, unsigned metric, struct digest *digest)
{
	struct gathered all;

	gather(results, point, metric, SCALE_CYCLES, 0, &all);
	struct group *groups = xcalloc(all.visit_count + 1, sizeof *groups);
	gathered_groups(&all, digest->regime, groups);
	digest->has_cycles =
		summary_of(groups, all.visit_count, &digest->cycles);
	free(groups);
	gathered_free(&all);
	add_uncertainty(results, point, metric, SCALE_CYCLES, &digest->cycles);
}

/* A digest with only the figures that were published. */
static bool digest_published(const struct published *published,
	struct digest *digest)
{
	struct summary *figures = &digest->summary;

	if (!published)
		return false;
	digest->published = published;
	digest->headline = published->value;
	digest->median_all = digest->floor = digest->layout = NAN;
	*figures = summary_of_nothing();
	if (published->figure == PUBLISHED_MEAN)
		figures->mean = published->value;
	if (published->figure == PUBLISHED_MEDIAN)
		figures->median = published->value;
	figures->min = published->figure == PUBLISHED_LEAST ? published->value :
							      published->min;
	figures->max = published->figure == PUBLISHED_MOST ? published->value :
							     published->max;
	figures->sd_within = published->sd_within;
	figures->sd_between = published->sd_between;
	figures->max_deviation = published->max_deviation;
	return true;
}

/* Fills in what only a time or a rate has: resolution, cycles and frequency
 * steps. */
static void digest_time(const struct results *results,
	const struct point *point, unsigned metric, struct digest *digest)
{
	digest->core_hz = results_core_hz(results, point);
	digest->resolution = 12 * 1e9 / results->clock.hz *
		overhead_uncertainty(results, point, metric);
	if (results->metrics[metric].rate)
		return;
	digest_cycles(results, point, metric, digest);
	digest->stepped = frequency_steps(results, point, metric,
		digest->regime, digest->steps);
	digest->below_resolution = digest->summary.median < digest->resolution;
}

double digest_alone(const struct digest *digest)
{
	double alone =
		1 - digest->excluded - digest->mixed - digest->shared;

	return alone > 1e-9 ? alone : 0; /* without the error of rounding */
}

double digest_half(const struct digest *digest)
{
	return summary_half(
		digest->by_cycles ? &digest->cycles : &digest->summary);
}

bool digest_of(const struct results *results, const struct point *point,
	unsigned metric, struct digest *digest)
{
	struct memo_point *kept = memo_of(results, point, metric);

	if (kept && kept->digested) {
		*digest = kept->digest;
		return true;
	}
	*digest = (struct digest){
		.ops = point->series[metric].ops,
		.core_hz = NAN,
	};
	digest_unit(results, point, metric, digest);
	if (!digest->trials)
		return digest_published(point->series[metric].published,
			digest);
	digest->headline = digest->summary.median;
	if (results->metrics[metric].kind != METRIC_VALUE)
		digest_time(results, point, metric, digest);
	digest->by_cycles = quality_by_cycles(results, digest);
	digest->quality = quality_of(results, point, metric, digest);
	digest->crowded = quality_by_others(results, point, metric, digest);
	if (kept && results->state != RUN_GOING) {
		kept->digested = true;
		kept->digest = *digest;
	}
	return true;
}

static bool has_median(const struct results *results, const struct point *point,
	unsigned metric, struct digest *digest)
{
	return point && point->state == POINT_OK &&
		digest_of(results, point, metric, digest) &&
		digest->summary.trials;
}

bool results_median(const struct results *results, const struct point *point,
	unsigned metric, double *median)
{
	struct digest digest;

	if (!has_median(results, point, metric, &digest))
		return false;
	*median = digest.summary.median;
	return true;
}

bool results_comparable(const struct results *results,
	const struct point *point, unsigned metric, double *median)
{
	struct digest digest;

	if (!has_median(results, point, metric, &digest))
		return false;
	*median = digest.summary.median;
	return digest.quality != QUALITY_NOT_ENOUGH &&
		!digest.below_resolution && *median > 0;
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

void results_keep_figures(struct results *results)
{
	memo_begin(results);
	for (size_t i = 0; i < results->point_count; i++) {
		struct digest digest;

		digest_of(results, &results->points[i], 0, &digest);
	}
}
