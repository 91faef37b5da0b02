/* Disturbance: flags that need a whole launch to be decided. */
#include "disturb.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"
#include "results.h"
#include "trend.h"

enum {
	CONTENTION_PERCENT = 6,
	FREQUENCY_PERCENT = 2,
	WARMUP_TRIALS_LEAST = 50,
	WARMUP_TRIALS_MOST = 5000,
	CALM_CANARIES_LEAST = 100,
	UNVERIFIED_SHARE = 4, /* one visit in four makes a point invalid */
};

static double net(const struct results *results, unsigned launch,
	uint32_t gross)
{
	return (double)gross - results->launches[launch].overhead;
}

static bool is_usual(double latency, double usual)
{
	return fabs(latency - usual) <= usual * FREQUENCY_PERCENT / 100.0;
}

double disturb_calm_ratio(const double *latency, const double *throughput,
	size_t count)
{
	static const double low = .05;
	double usual = median_unsorted(latency, count);
	double *ratio = xmalloc((count + 1) * sizeof *ratio);
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (is_usual(latency[i], usual))
			ratio[n++] = throughput[i] / latency[i];
	/* The usual one may lie between two, beside neither. */
	for (size_t i = 0; !n && i < count; i++)
		ratio[i] = throughput[i] / latency[i];
	n = n ? n : count;
	values_select(ratio, n, &low, 1);
	double calm = quantile_sorted(ratio, n, low);
	free(ratio);
	return calm;
}

static double ratio_of(const struct canary *canary, double overhead)
{
	return ((double)canary->throughput - overhead) /
		((double)canary->latency - overhead);
}

bool disturb_is_calm(const struct canary *canary, double overhead, double ratio)
{
	return ratio_of(canary, overhead) <=
		ratio * (1 + CONTENTION_PERCENT / 100.0);
}

/* Another frequency is one of both halves. Where the first alone took longer
 * it was interrupted, and there are no cycles to count by it. */
static bool is_interrupted(const struct canary *canary, double overhead,
	double ratio)
{
	return ratio_of(canary, overhead) * (1 + CONTENTION_PERCENT / 100.0) <
		ratio;
}

/* ---- what is usual ---------------------------------------------------- */

struct canaries {
	double *latency, *throughput; /* net */
	size_t count;
};

static void canaries_free(struct canaries *canaries)
{
	free(canaries->latency);
	free(canaries->throughput);
}

static void keep(struct canaries *canaries, double latency, double throughput)
{
	ARRAY_GROW(canaries->latency, canaries->count);
	ARRAY_GROW(canaries->throughput, canaries->count);
	canaries->latency[canaries->count] = latency;
	canaries->throughput[canaries->count++] = throughput;
}

/* A point's canaries in a launch; with `calm` only those that tell of the
 * core's frequency, since nothing shared the core or interrupted them. */
static struct canaries canaries_of(const struct results *results,
	const struct point *point, unsigned launch, bool calm)
{
	double overhead = results->launches[launch].overhead;
	double ratio = results->clock.canary_ratio;
	struct canaries found = { 0 };

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];
		const struct canary *canary = point->canary.data;

		if (visit->launch != launch || !visit->canary_count)
			continue;
		canary += visit->canary_first;
		for (size_t i = 0; i < visit->canary_count; i++)
			if (!calm ||
				(disturb_is_calm(&canary[i], overhead, ratio) &&
					!is_interrupted(&canary[i], overhead,
						ratio)))
				keep(&found,
					net(results, launch, canary[i].latency),
					net(results, launch,
						canary[i].throughput));
	}
	return found;
}

/* What the launch's canaries say of it: the usual latency, and, when it was
 * calmer than what was known, what calm looks like. Points run at frequencies
 * of their own, and only the halves' ratio is the same at all of them: each
 * canary counts by how it compares with its point's. */
static void learn(struct results *results, unsigned launch)
{
	struct canaries all = { 0 }, alike = { 0 };

	for (size_t p = 0; p < results->point_count; p++) {
		struct canaries of = canaries_of(results, &results->points[p],
			launch, false);
		double usual =
			of.count ? median_unsorted(of.latency, of.count) : 0;

		for (size_t i = 0; i < of.count; i++) {
			keep(&all, of.latency[i], of.throughput[i]);
			keep(&alike, of.latency[i] / usual,
				of.throughput[i] / usual);
		}
		canaries_free(&of);
	}
	if (all.count)
		results->launches[launch].canary =
			median_unsorted(all.latency, all.count);
	if (all.count >= CALM_CANARIES_LEAST) {
		double calm = disturb_calm_ratio(alike.latency,
			alike.throughput, alike.count);

		if (calm > 0 && calm < results->clock.canary_ratio)
			results->clock.canary_ratio = calm;
	}
	canaries_free(&all);
	canaries_free(&alike);
}

/* The usual latency of a point in a launch, by which its trials are judged. A
 * neighbour who stays for most of a visit does not make its own calm canaries
 * look strange. 0: it has none. */
static double usual_latency(const struct results *results,
	const struct point *point, unsigned launch)
{
	struct canaries of = canaries_of(results, point, launch, true);
	double usual = 0;

	if (!of.count)
		of = canaries_of(results, point, launch, false);
	if (of.count)
		usual = median_unsorted(of.latency, of.count);
	canaries_free(&of);
	return usual;
}

/* ---- flags ------------------------------------------------------------ */

static unsigned canary_flags(const struct results *results, unsigned launch,
	double usual, const struct canary *canary)
{
	double overhead = results->launches[launch].overhead;
	double ratio = results->clock.canary_ratio;
	unsigned flags = 0;

	if (!disturb_is_calm(canary, overhead, ratio))
		flags |= FLAG_CONTENDED;
	if (!is_usual(net(results, launch, canary->latency), usual))
		flags |= FLAG_FREQUENCY;
	if (flags == FLAG_FREQUENCY && is_interrupted(canary, overhead, ratio))
		flags = FLAG_CONTENDED;
	return flags;
}

void disturb_flag(struct results *results, size_t at, size_t visit, size_t i,
	unsigned flags)
{
	struct point *point = &results->points[at];

	for (size_t m = 0; m < results->metric_count; m++) {
		struct series *series = &point->series[m];
		const struct slice *slice = &series->slices[visit];
		uint16_t *all = series->flags.data;

		if (results->metrics[m].kind == METRIC_TIMED &&
			i < slice->count)
			all[slice->first + i] |= (uint16_t)flags;
	}
}

/* A trial is judged by the canaries on both its sides. */
static void flag_by_canaries(struct results *results, size_t at, size_t v,
	double usual)
{
	const struct point *point = &results->points[at];
	const struct visit *visit = &point->visits[v];
	const struct canary *canary = point->canary.data;

	if (!visit->canary_every || !visit->canary_count)
		return;
	canary += visit->canary_first;
	for (size_t i = 0; i < visit->trials; i++) {
		size_t edge = i / visit->canary_every;
		unsigned flags = 0;

		for (size_t e = edge; e < edge + 2; e++)
			if (e < visit->canary_count)
				flags |= canary_flags(results, visit->launch,
					usual, &canary[e]);
		if (flags)
			disturb_flag(results, at, v, i, flags);
	}
}

static const struct series *first_timed(const struct results *results,
	const struct point *point)
{
	for (size_t m = 0; m < results->metric_count; m++)
		if (results->metrics[m].kind == METRIC_TIMED)
			return &point->series[m];
	return NULL;
}

/* MSER on the ticks of the first timed metric: a monotone image of what is
 * printed, so that the cut is the same. */
static void find_warmup(struct results *results, size_t at, size_t v)
{
	struct point *point = &results->points[at];
	struct visit *visit = &point->visits[v];
	const struct series *series = first_timed(results, point);

	if (!series || (results->plan.traits & TRAIT_COLD))
		return;
	const struct slice *slice = &series->slices[v];
	size_t n = slice->count;
	if (n < WARMUP_TRIALS_LEAST)
		return;
	if (n > WARMUP_TRIALS_MOST)
		n = WARMUP_TRIALS_MOST;
	const uint64_t *ticks = series->raw.data;
	double *values = xmalloc(n * sizeof *values);
	for (size_t i = 0; i < n; i++)
		values[i] = (double)(int64_t)ticks[slice->first + i];
	struct warmup warmup = warmup_mser5(values, n);
	free(values);
	visit->unsteady = !warmup.steady;
	visit->warmup = (unsigned)warmup.dropped;
	for (size_t i = 0; i < warmup.dropped; i++)
		disturb_flag(results, at, v, i, FLAG_WARMUP);
}

/* A value that came with every trial is as disturbed as the trial was. One
 * that came more seldom has no trial of its own. */
static void flag_values(struct results *results, size_t at, size_t v)
{
	struct point *point = &results->points[at];
	const struct series *timed = first_timed(results, point);

	for (size_t m = 0; timed && m < results->metric_count; m++) {
		struct series *series = &point->series[m];
		const struct slice *slice = &series->slices[v];
		const struct slice *trials = &timed->slices[v];
		const uint16_t *cause = timed->flags.data;
		uint16_t *all = series->flags.data;

		if (results->metrics[m].kind != METRIC_VALUE ||
			slice->count != trials->count)
			continue;
		for (size_t i = 0; i < slice->count; i++)
			all[slice->first + i] |= cause[trials->first + i];
	}
}

static void flag_unverified(struct results *results, size_t at, size_t v)
{
	struct point *point = &results->points[at];

	for (size_t m = 0; m < results->metric_count; m++) {
		struct series *series = &point->series[m];
		const struct slice *slice = &series->slices[v];
		uint16_t *all = series->flags.data;

		for (size_t i = 0; i < slice->count; i++)
			all[slice->first + i] |= FLAG_UNVERIFIED;
	}
}

/* Now and then a neighbour upsets what is verified; an experiment that often
 * does not do what it says shows nothing. */
static void judge_verification(struct point *point)
{
	size_t bad = 0;

	for (size_t v = 0; v < point->visit_count; v++)
		bad += point->visits[v].unverified;
	/* What cannot be measured here is not made so by what was. */
	if (bad && point->state != POINT_UNAVAILABLE)
		point->state = UNVERIFIED_SHARE * bad >= point->visit_count ?
			POINT_INVALID :
			POINT_OK;
}

void disturb_close_launch(struct results *results, unsigned launch)
{
	learn(results, launch);
	for (size_t p = 0; p < results->point_count; p++) {
		struct point *point = &results->points[p];
		double usual = usual_latency(results, point, launch);

		for (size_t v = 0; v < point->visit_count; v++) {
			if (point->visits[v].launch != launch)
				continue;
			flag_by_canaries(results, p, v, usual);
			find_warmup(results, p, v);
			if (point->visits[v].unverified)
				flag_unverified(results, p, v);
			flag_values(results, p, v);
		}
		judge_verification(point);
	}
}
