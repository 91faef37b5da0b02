/* Decisions after a launch. */
#include "disturb.h"

#include <stdlib.h>

#include "memory.h"
#include "quantile.h"
#include "results.h"
#include "sharing.h"
#include "trend.h"

enum {
	WARMUP_TRIALS_LEAST = 50,
	WARMUP_TRIALS_MOST = 5000,
	UNVERIFIED_SHARE = 4, /* one visit in four makes a point invalid */
};

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

static const struct series *first_timed(const struct results *results,
	const struct point *point)
{
	for (size_t m = 0; m < results->metric_count; m++)
		if (results->metrics[m].kind == METRIC_TIMED)
			return &point->series[m];
	return NULL;
}

/* The trials of a visit under its most frequent condition. */
struct alike {
	double *ticks;
	size_t *at; /* index of each trial */
	size_t count;
};

static size_t count_shared(const uint16_t *flags, size_t n)
{
	size_t shared = 0;

	for (size_t i = 0; i < n; i++)
		shared += (flags[i] & FLAG_SHARED) != 0;
	return shared;
}

/* Needed because a co-runner that leaves during a visit looks like the end of a
 * warm-up. */
static void take_alike(const struct series *series, const struct slice *slice,
	size_t n, struct alike *alike)
{
	const uint64_t *ticks =
		(const uint64_t *)series->raw.data + slice->first;
	const uint16_t *flags =
		(const uint16_t *)series->flags.data + slice->first;
	unsigned wanted = 2 * count_shared(flags, n) > n ? FLAG_SHARED : 0;

	*alike = (struct alike){ xmalloc((n + 1) * sizeof *alike->ticks),
		xmalloc((n + 1) * sizeof *alike->at), 0 };
	for (size_t i = 0; i < n; i++) {
		if ((flags[i] & (FLAG_SHARED | FLAG_MIXED)) != wanted)
			continue;
		alike->ticks[alike->count] = (double)(int64_t)ticks[i];
		alike->at[alike->count++] = i;
	}
}

/* MSER on the ticks of the first timed metric. The printed values are a
 * monotone function of the ticks, so the cut is the same. */
static void find_warmup(struct results *results, size_t at, size_t v)
{
	struct point *point = &results->points[at];
	struct visit *visit = &point->visits[v];
	const struct series *series = first_timed(results, point);
	struct alike alike;

	if (!series || (results->plan.traits & (TRAIT_COLD | TRAIT_TAIL)))
		return;
	const struct slice *slice = &series->slices[v];
	size_t n = slice->count;
	if (n < WARMUP_TRIALS_LEAST)
		return;
	if (n > WARMUP_TRIALS_MOST)
		n = WARMUP_TRIALS_MOST;
	take_alike(series, slice, n, &alike);
	if (alike.count >= WARMUP_TRIALS_LEAST) {
		struct warmup warmup = warmup_mser5(alike.ticks, alike.count);

		visit->unsteady = !warmup.steady;
		visit->warmup = warmup.dropped ?
			(unsigned)alike.at[warmup.dropped - 1] + 1 :
			0;
	}
	free(alike.ticks);
	free(alike.at);
	for (size_t i = 0; i < visit->warmup; i++)
		disturb_flag(results, at, v, i, FLAG_WARMUP);
}

/* A value emitted with every trial has the flags of its trial, except for a
 * count. A value emitted less often belongs to no trial. */
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
			results->metrics[m].steady ||
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

/* Occasionally a co-runner makes a verification fail. An experiment whose
 * verification fails often gives no figures. */
static void judge_verification(struct point *point)
{
	size_t bad = 0;

	for (size_t v = 0; v < point->visit_count; v++)
		bad += point->visits[v].unverified;
	/* An unavailable point stays unavailable. */
	if (bad && point->state != POINT_UNAVAILABLE)
		point->state = UNVERIFIED_SHARE * bad >= point->visit_count ?
			POINT_INVALID :
			POINT_OK;
}

/* Stores the launch's canary ratio: the median over its points. */
static void note_canary(struct results *results, unsigned launch)
{
	double *usual = xcalloc(results->point_count + 1, sizeof *usual);
	size_t count = 0;

	for (size_t p = 0; p < results->point_count; p++) {
		const struct point *point = &results->points[p];
		const struct visit *last = point->visits + point->visit_count;

		if (point->visit_count && last[-1].launch == launch &&
			last[-1].usual > 0)
			usual[count++] = last[-1].usual;
	}
	results->launches[launch].canary = count ? median_of(usual, count) : 0;
	free(usual);
}

/* Without a timed metric, a trial is a value of the first metric. */
static void count_values(struct results *results, unsigned launch)
{
	for (size_t p = 0; p < results->point_count; p++) {
		struct point *point = &results->points[p];

		if (!point->series || first_timed(results, point))
			continue;
		for (size_t v = 0; v < point->visit_count; v++)
			if (point->visits[v].launch == launch)
				point->visits[v].trials = (unsigned)
					point->series[0].slices[v].count;
	}
}

void disturb_close_launch(struct results *results, unsigned launch)
{
	count_values(results, launch);
	sharing_judge(results, launch);
	note_canary(results, launch);
	for (size_t p = 0; p < results->point_count; p++) {
		struct point *point = &results->points[p];

		for (size_t v = 0; v < point->visit_count; v++) {
			if (point->visits[v].launch != launch)
				continue;
			find_warmup(results, p, v);
			if (point->visits[v].unverified)
				flag_unverified(results, p, v);
			flag_values(results, p, v);
		}
		judge_verification(point);
	}
}
