/* Summary of a nested sample. */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "moments.h"
#include "quantile.h"

const double summary_quantile[SUMMARY_QUANTILES] = { .01, .05, .25, .5, .75, .9,
	.95, .99, .999 };

/* The number of groups at the front that belong to one launch. */
static size_t groups_of_launch(const struct group *groups, size_t count)
{
	size_t end = 1;

	while (end < count && groups[end].launch == groups[0].launch)
		end++;
	return end;
}

double launch_median(const struct group *groups, size_t count)
{
	double *inner = xmalloc(count * sizeof *inner);
	size_t filled = 0;

	for (size_t i = 0; i < count; i++)
		if (groups[i].n)
			inner[filled++] = median_stepped(groups[i].values,
				groups[i].n, groups[i].step);
	double median = filled ? midmean_of(inner, filled) : NAN;
	free(inner);
	return median;
}

size_t launch_medians(const struct group *groups, size_t count, double *medians)
{
	size_t launches = 0;

	for (size_t at = 0, size; at < count; at += size) {
		size = groups_of_launch(groups + at, count - at);
		double median = launch_median(groups + at, size);

		if (!isnan(median))
			medians[launches++] = median;
	}
	return launches;
}

/* The spread within and between launches. */
struct spread {
	struct moments trials;
	struct moments means;     /* of the launch means */
	struct moments variances; /* of the launches with at least two trials */
};

static void spread_add(struct spread *spread, const struct group *groups,
	size_t count)
{
	struct moments launch = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < groups[i].n; j++)
			moments_add(&launch, groups[i].values[j]);
	moments_merge(&spread->trials, &launch);
	if (launch.n)
		moments_add(&spread->means, launch.mean);
	if (launch.n > 1)
		moments_add(&spread->variances, moments_variance(&launch));
}

/* One-way analysis of variance. The variance between launches is the variance
 * of the launch means minus the part explained by their trials. */
static double share_between(const struct spread *spread)
{
	double within = spread->variances.mean;
	double trials = (double)spread->trials.n / (double)spread->means.n;
	double between =
		fmax(moments_variance(&spread->means) - within / trials, 0);

	return between > 0 ? between / (between + within) : 0;
}

static void fill_spread(struct summary *summary, const struct spread *spread)
{
	const struct moments *means = &spread->means;

	summary->trials = spread->trials.n;
	summary->min = spread->trials.min;
	summary->max = spread->trials.max;
	summary->mean = spread->trials.mean;
	summary->sd_within = sqrt(spread->variances.mean);
	summary->sd_between = moments_sd(means);
	summary->max_deviation =
		fmax(means->max - means->mean, means->mean - means->min);
	summary->icc = share_between(spread);
}

static void fill_quantiles(struct summary *summary, const struct group *groups,
	size_t count)
{
	double *all = xmalloc(summary->trials * sizeof *all);
	size_t filled = 0;

	for (size_t i = 0; i < count; i++) {
		if (groups[i].n)
			memcpy(all + filled, groups[i].values,
				groups[i].n * sizeof *all);
		filled += groups[i].n;
	}
	values_select(all, filled, summary_quantile, SUMMARY_QUANTILES);
	for (size_t i = 0; i < SUMMARY_QUANTILES; i++) {
		double p = summary_quantile[i];
		bool shown = quantile_shown(filled, p);

		summary->quantile[i] =
			shown ? quantile_sorted(all, filled, p) : NAN;
	}
	free(all);
}

static void fill_median(struct summary *summary, const struct group *groups,
	size_t count)
{
	double *medians = xmalloc(count * sizeof *medians);

	summary->launches = launch_medians(groups, count, medians);
	summary->median = median_of(medians, summary->launches);
	summary->has_interval = interval_of_median(medians, summary->launches,
		.95, &summary->interval);
	free(medians);
}

bool summary_of(const struct group *groups, size_t count,
	struct summary *summary)
{
	struct spread spread = { 0 };

	*summary = (struct summary){ 0 };
	for (size_t at = 0, size; at < count; at += size) {
		size = groups_of_launch(groups + at, count - at);
		spread_add(&spread, groups + at, size);
	}
	if (!spread.trials.n)
		return false;
	fill_spread(summary, &spread);
	fill_quantiles(summary, groups, count);
	fill_median(summary, groups, count);
	return true;
}

double summary_half(const struct summary *summary)
{
	double width = summary->interval.high - summary->interval.low;

	if (!summary->has_interval)
		return NAN;
	if (width > 0)
		return summary->median != 0 ?
			width / 2 / fabs(summary->median) : NAN;
	return 0;
}

struct summary summary_of_nothing(void)
{
	struct summary nothing = {
		.median = NAN,
		.min = NAN,
		.max = NAN,
		.mean = NAN,
		.sd_within = NAN,
		.sd_between = NAN,
		.max_deviation = NAN,
		.icc = NAN,
	};

	for (size_t i = 0; i < SUMMARY_QUANTILES; i++)
		nothing.quantile[i] = NAN;
	return nothing;
}
