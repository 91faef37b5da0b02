/* Decides from the canaries whether the core was shared. */
#include "sharing.h"

#include <math.h>
#include <stdlib.h>

#include "memo.h"
#include "memory.h"
#include "quantile.h"

enum {
	CANARIES_MOST = 4096, /* of a run, evenly subsampled */
	ALONE_SHARE = 20,     /* one in 20 must be alone for a usual latency */
	LOW_SHARE = 3,        /* one in three is too low: the calibration was
			       * beside a co-runner, */
	LOW_LEAST = 20,       /* .. and they are at least as many */
};

/* A co-runner that was there during the calibration raised the ratio by at most
 * this factor. If a latency half was interrupted, the ratio is lower still. */
static const double raised_most = 2.5;

static const double reach = 4; /* times alone: interrupted above */
static const double frequency_off = .02;
static const double floor_share = .05;

/* ---- canaries --------------------------------------------------------- */

double canary_ratio(const struct canary *canary, double overhead)
{
	return ((double)canary->throughput - overhead) /
		((double)canary->latency - overhead);
}

static const struct canary *canary_of(const struct point *point,
	const struct visit *visit, size_t i)
{
	const struct canary *canary = point->canary.data;

	return &canary[visit->canary_first + i];
}

double visit_canary_ratio(const struct results *results,
	const struct point *point, const struct visit *visit, size_t i)
{
	return canary_ratio(canary_of(point, visit, i),
		results->launches[visit->launch].overhead);
}

bool canary_readable(double ratio, double alone)
{
	return ratio > alone / SHARING_STEP && ratio < alone * reach;
}

enum canary_state canary_state(const struct results *results, double ratio)
{
	if (!canary_readable(ratio, results->clock.canary_alone))
		return CANARY_UNREADABLE;
	return ratio <= results->sharing.cut ? CANARY_ALONE : CANARY_SHARED;
}

/* ---- the cut ---------------------------------------------------------- */

static size_t count_canaries(const struct results *results)
{
	size_t count = 0;

	for (size_t p = 0; p < results->point_count; p++)
		count += results->points[p].canary.count;
	return count;
}

/* Calls take() with the ratio of each canary, in order. */
static void each_ratio(const struct results *results,
	void (*take)(double ratio, void *context), void *context)
{
	for (size_t p = 0; p < results->point_count; p++) {
		const struct point *point = &results->points[p];

		for (size_t v = 0; v < point->visit_count; v++) {
			const struct visit *visit = &point->visits[v];

			for (size_t i = 0; i < visit->canary_count; i++)
				take(visit_canary_ratio(results, point, visit,
					     i),
					context);
		}
	}
}

enum { SIDE_ALONE, SIDE_SHARED, SIDE_LOW, SIDES };

/* Ratios on both sides of the cut, and those too low for an unshared core as it
 * was calibrated. */
struct sides {
	const struct results *results;
	size_t step, seen, taken;
	size_t count[SIDES];
	double *ratios[SIDES];
};

static bool is_low(const struct results *results, double ratio)
{
	double alone = results->clock.canary_alone;

	return ratio < alone / SHARING_STEP && ratio > alone / raised_most;
}

static void add_to_side(double ratio, void *context)
{
	struct sides *sides = context;
	enum canary_state state = canary_state(sides->results, ratio);
	bool low = is_low(sides->results, ratio);

	if (sides->seen++ % sides->step)
		return;
	sides->taken++;
	if (state == CANARY_UNREADABLE && !low)
		return;
	int side = low			? SIDE_LOW :
		state == CANARY_SHARED ? SIDE_SHARED :
					 SIDE_ALONE;
	sides->ratios[side][sides->count[side]++] = ratio;
}

static double centre_of(const struct sides *sides, int side)
{
	return sides->count[side] ?
		median_unsorted(sides->ratios[side], sides->count[side]) :
		NAN;
}

/* Sets the cut, and the centres of the canaries below and above it. Returns the
 * centre of those that disprove the calibrated ratio; 0: it stands. */
static double find_sharing(struct results *results)
{
	size_t all = count_canaries(results);
	struct sides sides = { .results = results,
		.step = all / CANARIES_MOST + 1 };
	struct sharing *sharing = &results->sharing;

	sharing->cut = results->clock.canary_alone * SHARING_STEP;
	for (int i = 0; i < SIDES; i++)
		sides.ratios[i] = xcalloc(all / sides.step + 2,
			sizeof *sides.ratios[i]);
	each_ratio(results, add_to_side, &sides);
	sharing->alone = centre_of(&sides, SIDE_ALONE);
	sharing->shared = centre_of(&sides, SIDE_SHARED);
	size_t low = sides.count[SIDE_LOW];
	bool wrong = low >= LOW_LEAST && low * LOW_SHARE >= sides.taken;
	double alone = wrong ? centre_of(&sides, SIDE_LOW) : 0;
	for (int i = 0; i < SIDES; i++)
		free(sides.ratios[i]);
	return alone;
}

/* ---- flags ------------------------------------------------------------ */

/* Latency half of a canary, net ticks. */
static double latency_of(const struct results *results,
	const struct point *point, const struct visit *visit, size_t i)
{
	return canary_of(point, visit, i)->latency -
		results->launches[visit->launch].overhead;
}

/* Latency halves of the canaries in visits from .. to - 1. With `alone`, only
 * of canaries that were alone. */
static size_t list_latencies(const struct results *results,
	const struct point *point, size_t from, size_t to, bool alone,
	double *latencies)
{
	size_t count = 0;

	for (size_t v = from; v < to; v++) {
		const struct visit *visit = &point->visits[v];

		for (size_t i = 0; i < visit->canary_count; i++)
			if (!alone ||
				canary_state(results,
					visit_canary_ratio(results, point,
						visit, i)) == CANARY_ALONE)
				latencies[count++] =
					latency_of(results, point, visit, i);
	}
	return count;
}

/* The usual latency if all canaries had a co-runner, which can only lengthen
 * them. A co-runner that always multiplies lengthens all by a seventh or more.
 * Then the clock's calibration is the better value. */
static double shared_latency(const struct results *results, double *latencies,
	size_t count)
{
	const struct clock_facts *clock = &results->clock;
	double calibrated = clock->canary_cycles / clock->core_hz * clock->hz;
	double floor;

	values_select(latencies, count, &floor_share, 1);
	floor = quantile_sorted(latencies, count, floor_share);
	return calibrated > 0 ? fmin(floor, calibrated) : floor;
}

/* The usual latency of visits from .. to - 1, all of one launch. A few canaries
 * that appear alone are not sufficient, because an interruption may have
 * lengthened both halves. */
static double find_usual(const struct results *results,
	const struct point *point, size_t from, size_t to)
{
	double *latencies =
		xmalloc((point->canary.count + 1) * sizeof *latencies);
	double usual = 0;
	/* Without a cut the two kinds cannot be distinguished: use all. */
	size_t all = list_latencies(results, point, from, to, false, latencies);
	size_t alone = list_latencies(results, point, from, to,
		results->sharing.cut > 0, latencies);

	if (alone && alone * ALONE_SHARE >= all) {
		usual = median_unsorted(latencies, alone);
	} else if (all) {
		list_latencies(results, point, from, to, false, latencies);
		usual = shared_latency(results, latencies, all);
	}
	free(latencies);
	return usual;
}

static size_t launch_end(const struct point *point, size_t from)
{
	size_t to = from + 1;

	while (to < point->visit_count &&
		point->visits[to].launch == point->visits[from].launch)
		to++;
	return to;
}

static void note_usual(const struct results *results, struct point *point,
	size_t from, size_t to)
{
	double usual = find_usual(results, point, from, to);

	for (size_t v = from; v < to; v++)
		point->visits[v].usual = usual;
}

void sharing_recall(struct results *results)
{
	for (size_t p = 0; p < results->point_count; p++) {
		struct point *point = &results->points[p];

		for (size_t v = 0, end; v < point->visit_count; v = end) {
			end = launch_end(point, v);
			note_usual(results, point, v, end);
		}
	}
}

static unsigned edge_flags(const struct results *results,
	const struct point *point, const struct visit *visit, size_t edge,
	unsigned seen[3])
{
	double latency = latency_of(results, point, visit, edge);
	enum canary_state state = canary_state(results,
		visit_canary_ratio(results, point, visit, edge));

	seen[state]++;
	if (state == CANARY_ALONE &&
		fabs(latency - visit->usual) > frequency_off * visit->usual)
		return FLAG_FREQUENCY;
	return 0;
}

/* The flags of the trials between canary `first` and the next, by both
 * canaries. */
static unsigned trial_conditions(const struct results *results,
	const struct point *point, const struct visit *visit, size_t first)
{
	unsigned seen[3] = { 0 }, flags = 0;

	for (size_t edge = first; edge < first + 2; edge++)
		if (edge < visit->canary_count)
			flags |= edge_flags(results, point, visit, edge, seen);
	if (!seen[CANARY_SHARED] && seen[CANARY_ALONE])
		return flags;
	return seen[CANARY_SHARED] && !seen[CANARY_ALONE] ? FLAG_SHARED :
							    FLAG_MIXED;
}

/* Sets the flags of trials i .. end - 1. This concerns every metric that has a
 * value for each trial and that sharing can change. */
static void set_conditions(struct point *point, const struct results *results,
	size_t v, size_t i, size_t end, unsigned flags)
{
	for (size_t m = 0; m < results->metric_count; m++) {
		struct series *series = &point->series[m];
		const struct slice *slice = &series->slices[v];
		uint16_t *all = series->flags.data;

		if (results->metrics[m].steady ||
			slice->count != point->visits[v].trials ||
			slice->first + slice->count > series->flags.count)
			continue;
		all += slice->first;
		for (size_t k = i; k < end; k++) {
			unsigned others = all[k] & ~(unsigned)FLAGS_CONDITIONS;

			all[k] = (uint16_t)(others | flags);
		}
	}
}

static void judge_visit(struct results *results, struct point *point, size_t v)
{
	const struct visit *visit = &point->visits[v];
	size_t every = visit->canary_every, trials = visit->trials;

	if (!every || !visit->canary_count)
		return;
	for (size_t i = 0; i < trials; i += every)
		set_conditions(point, results, v, i,
			trials - i < every ? trials : i + every,
			trial_conditions(results, point, visit, i / every));
}

/* Judges the visits of launches from `from` on. Earlier visits keep their
 * flags. */
static void judge_point(struct results *results, struct point *point,
	unsigned from)
{
	size_t v = point->visit_count;

	while (v && point->visits[v - 1].launch >= from)
		v--;
	for (size_t end; v < point->visit_count; v = end) {
		end = launch_end(point, v);
		note_usual(results, point, v, end);
		for (size_t i = v; i < end; i++)
			judge_visit(results, point, i);
	}
}

void sharing_judge(struct results *results, unsigned launch)
{
	double alone = find_sharing(results);

	if (alone > 0) {
		results->clock.canary_alone = alone;
		find_sharing(results);
		launch = 0;
		memo_forget(results);
	}
	for (size_t p = 0; p < results->point_count; p++)
		judge_point(results, &results->points[p], launch);
}

void sharing_rejudge(struct results *results)
{
	if (!(results->sharing.cut > 0))
		return;
	for (size_t p = 0; p < results->point_count; p++)
		judge_point(results, &results->points[p], 0);
	memo_forget(results);
}

bool sharing_is_lacking(const struct results *results)
{
	return count_canaries(results) && !(results->sharing.cut > 0);
}

struct states {
	const struct results *results;
	size_t seen[3];
};

static void count_state(double ratio, void *context)
{
	struct states *states = context;

	states->seen[canary_state(states->results, ratio)]++;
}

double sharing_share(const struct results *results)
{
	struct states states = { .results = results };

	each_ratio(results, count_state, &states);
	size_t shared = states.seen[CANARY_SHARED];
	size_t readable = states.seen[CANARY_ALONE] + shared;
	return readable ? (double)shared / (double)readable : 0;
}
