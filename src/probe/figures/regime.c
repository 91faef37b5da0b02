/* Figures by regime. */
#include "regime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "gather.h"
#include "interval.h"
#include "memo.h"
#include "memory.h"
#include "quantile.h"
#include "text.h"

static const double insensitive = .01;

static const char *const names[REGIMES] = {
	[REGIME_POOLED] = "pooled",
	[REGIME_ALONE] = "alone",
	[REGIME_SHARED] = "shared",
};

const char *regime_name(enum regime regime)
{
	return names[regime];
}

enum regime regime_named(const char *name)
{
	return (enum regime)text_index(name, names, REGIMES);
}

enum shown regime_shows(enum regime headline, unsigned flags)
{
	if (flags & FLAGS_EXCLUDED)
		return SHOWN_EXCLUDED;
	if (headline == REGIME_POOLED)
		return SHOWN_HEADLINE;
	if (flags & FLAG_MIXED)
		return SHOWN_EXCLUDED;
	return (headline == REGIME_SHARED) == ((flags & FLAG_SHARED) != 0) ?
		SHOWN_HEADLINE :
		SHOWN_OTHER;
}

/* ---- launches --------------------------------------------------------- */

static size_t trials_in(const struct group *groups, size_t count)
{
	size_t trials = 0;

	for (size_t i = 0; i < count; i++)
		trials += groups[i].n;
	return trials;
}

/* The logarithm of shared / alone: the median over the visits that have both
 * regimes. NaN: no visit has both. */
static double cost_of(const struct group *alone, const struct group *shared,
	size_t visits)
{
	double *costs = xmalloc((visits + 1) * sizeof *costs);
	size_t count = 0;

	for (size_t v = 0; v < visits; v++) {
		double a = launch_median(&alone[v], 1);
		double b = launch_median(&shared[v], 1);

		if (a > 0 && b > 0)
			costs[count++] = log(b / a);
	}
	double cost = count ? median_of(costs, count) : NAN;
	free(costs);
	return cost;
}

size_t regime_launches(const struct results *results,
	const struct gathered *all, struct launch_figures *list)
{
	size_t visits = all->visit_count, launches = 0;
	struct group *groups = xcalloc(visits * REGIMES + 1, sizeof *groups);

	for (int r = 0; r < REGIMES; r++)
		gathered_groups(all, (enum regime)r,
			groups + visits * (size_t)r);
	for (size_t at = 0, end; at < visits; at = end) {
		unsigned launch = all->visits[at].launch;
		struct launch_figures *one = &list[launches];

		for (end = at + 1;
			end < visits && all->visits[end].launch == launch;
			end++)
			;
		*one = (struct launch_figures){
			.launch = launch,
			.at_s = results->launches[launch].at_s,
		};
		for (int r = 0; r < REGIMES; r++) {
			const struct group *of =
				groups + visits * (size_t)r + at;

			one->trials[r] = trials_in(of, end - at);
			one->median[r] = launch_median(of, end - at);
		}
		one->cost = cost_of(groups + visits * REGIME_ALONE + at,
			groups + visits * REGIME_SHARED + at, end - at);
		launches += one->trials[REGIME_POOLED] > 0;
	}
	free(groups);
	return launches;
}

/* The number of visits whose launches can no longer change. The last launch can
 * change until it is complete or the run is over. */
static size_t closed_visits(const struct results *results,
	const struct point *point)
{
	size_t visits = point->visit_count, last = results->launch_count - 1;

	if (results->state != RUN_GOING || !results->launch_count ||
		results->launches[last].complete)
		return visits;
	while (visits && point->visits[visits - 1].launch == last)
		visits--;
	return visits;
}

/* Adds the launches that have ended since the last call. */
static void keep_launches(const struct results *results,
	const struct point *point, unsigned metric, enum scale scale,
	struct memo_list *kept)
{
	struct point closed = *point;
	struct gathered all;

	closed.visit_count = closed_visits(results, point);
	if (closed.visit_count <= kept->visits)
		return;
	size_t room = kept->count + closed.visit_count - kept->visits;
	kept->list = xrealloc(kept->list, room + 1, sizeof *kept->list);
	gather(results, &closed, metric, scale, kept->visits, &all);
	kept->count += regime_launches(results, &all, kept->list + kept->count);
	gathered_free(&all);
	kept->visits = closed.visit_count;
}

size_t results_launch_figures(const struct results *results,
	const struct point *point, unsigned metric, enum scale scale,
	struct launch_figures **list)
{
	struct memo_point *memo = memo_of(results, point, metric);
	struct memo_list *kept = memo ? &memo->in[scale] : NULL;
	struct gathered all;
	size_t visit = 0, count = 0;

	*list = xmalloc((point->visit_count + 1) * sizeof **list);
	if (kept) {
		keep_launches(results, point, metric, scale, kept);
		visit = kept->visits;
		count = kept->count;
	}
	if (count)
		memcpy(*list, kept->list, count * sizeof **list);
	gather(results, point, metric, scale, visit, &all);
	count += regime_launches(results, &all, *list + count);
	gathered_free(&all);
	return count;
}

/* ---- figures of each regime ------------------------------------------- */

static void summarise(const struct launch_figures *list, size_t count,
	enum regime regime, struct regime_figures *figures)
{
	double *medians = xmalloc((count + 1) * sizeof *medians);

	*figures = (struct regime_figures){ .median = NAN };
	for (size_t i = 0; i < count; i++) {
		if (isnan(list[i].median[regime]))
			continue;
		figures->trials += list[i].trials[regime];
		medians[figures->launches++] = list[i].median[regime];
	}
	if (figures->launches)
		figures->median = median_of(medians, figures->launches);
	figures->has_interval = interval_of_median(medians, figures->launches,
		.95, &figures->interval);
	free(medians);
}

static void compare_regimes(const struct launch_figures *list, size_t count,
	struct slowdown *slowdown)
{
	double *s = xmalloc((count + 1) * sizeof *s);
	struct interval interval;

	*slowdown = (struct slowdown){ .factor = NAN };
	for (size_t i = 0; i < count; i++)
		if (!isnan(list[i].cost))
			s[slowdown->launches++] = list[i].cost;
	if (slowdown->launches)
		slowdown->factor = exp(median_of(s, slowdown->launches));
	slowdown->has_interval =
		interval_of_median(s, slowdown->launches, .95, &interval);
	if (slowdown->has_interval)
		slowdown->interval =
			(struct range){ exp(interval.low), exp(interval.high) };
	free(s);
}

void regime_summaries(const struct launch_figures *list, size_t count,
	struct regime_figures by_regime[REGIMES], struct slowdown *slowdown)
{
	for (int r = 0; r < REGIMES; r++)
		summarise(list, count, (enum regime)r, &by_regime[r]);
	compare_regimes(list, count, slowdown);
}

static bool is_insensitive(const struct slowdown *slowdown)
{
	return slowdown->has_interval &&
		log(slowdown->interval.low) >= -insensitive &&
		log(slowdown->interval.high) <= insensitive;
}

enum regime regime_choose(const struct regime_figures by_regime[REGIMES],
	const struct slowdown *slowdown, bool parted)
{
	size_t alone = by_regime[REGIME_ALONE].launches;
	size_t shared = by_regime[REGIME_SHARED].launches;

	if (!parted || is_insensitive(slowdown))
		return REGIME_POOLED;
	if (alone >= INTERVAL_LEAST)
		return REGIME_ALONE;
	if (shared >= INTERVAL_LEAST)
		return REGIME_SHARED;
	if (by_regime[REGIME_POOLED].launches >= INTERVAL_LEAST ||
		!(alone + shared))
		return REGIME_POOLED;
	return shared > alone ? REGIME_SHARED : REGIME_ALONE;
}

bool regime_settles(enum regime regime, const struct slowdown *slowdown,
	bool parted)
{
	return regime == REGIME_ALONE || !parted || is_insensitive(slowdown);
}

/* ---- the headline's regime -------------------------------------------- */

/* A file without trials has no canaries; the quality shows what they told. */
static void recall_regimes(const struct digest *digest, struct regimes *regimes)
{
	*regimes = (struct regimes){
		.slowdown = digest->slowdown,
		.headline = digest->regime,
		.settled = digest->quality != QUALITY_SHARED_CORE,
	};
	memcpy(regimes->by_regime, digest->by_regime,
		sizeof regimes->by_regime);
}

void results_regimes(const struct results *results, const struct point *point,
	unsigned metric, struct regimes *regimes)
{
	const struct memo_point *stored = point->series[metric].stored;
	bool parted = gather_parts(results, point, metric);
	struct launch_figures *list;

	if (stored) {
		recall_regimes(&stored->digest, regimes);
		return;
	}
	size_t count = results_launch_figures(results, point, metric,
		SCALE_UNIT, &list);
	regime_summaries(list, count, regimes->by_regime, &regimes->slowdown);
	free(list);
	regimes->headline =
		regime_choose(regimes->by_regime, &regimes->slowdown, parted);
	regimes->settled =
		regime_settles(regimes->headline, &regimes->slowdown, parted);
}

enum regime results_regime(const struct results *results,
	const struct point *point, unsigned metric)
{
	struct regimes regimes;

	results_regimes(results, point, metric, &regimes);
	return regimes.headline;
}

bool results_settled(const struct results *results, const struct point *point,
	unsigned metric)
{
	struct regimes regimes;

	results_regimes(results, point, metric, &regimes);
	return regimes.settled;
}

bool results_pooled(const struct results *results, const struct point *point,
	unsigned metric)
{
	struct regimes regimes;

	results_regimes(results, point, metric, &regimes);
	return regimes.settled && regimes.headline == REGIME_POOLED;
}

size_t results_launch_medians(const struct results *results,
	const struct point *point, unsigned metric, enum scale scale,
	double **medians, double **at_s)
{
	enum regime regime = results_regime(results, point, metric);
	struct launch_figures *list;
	size_t all =
		results_launch_figures(results, point, metric, scale, &list);
	size_t count = 0;

	*medians = xmalloc((all + 1) * sizeof **medians);
	if (at_s)
		*at_s = xmalloc((all + 1) * sizeof **at_s);
	for (size_t i = 0; i < all; i++) {
		if (isnan(list[i].median[regime]))
			continue;
		(*medians)[count] = list[i].median[regime];
		if (at_s)
			(*at_s)[count] = list[i].at_s;
		count++;
	}
	free(list);
	return count;
}

double results_launch_floor(const struct results *results,
	const struct point *point, unsigned metric, unsigned launch,
	enum scale scale)
{
	enum regime regime = results_regime(results, point, metric);
	double floor = NAN;
	struct gathered all;

	gather(results, point, metric, scale, 0, &all);
	struct group *groups = xcalloc(all.visit_count + 1, sizeof *groups);
	gathered_groups(&all, regime, groups);
	for (size_t v = 0; v < all.visit_count; v++)
		if (groups[v].launch == launch && groups[v].n)
			floor = fmin(floor, launch_median(&groups[v], 1));
	free(groups);
	gathered_free(&all);
	return floor;
}
