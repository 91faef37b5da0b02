/* What the gaps of one cause have in common. */
#include "gap_profile.h"

#include <math.h>
#include <stdlib.h>

#include "quantile.h"
#include "results.h"

/* Gaps of similar duration. */
struct similar {
	size_t count;
	double lost_ns, middle_ns;
	double period_ns; /* NaN: irregular */
	bool every;
};

enum { INTERVALS_LEAST = 10, MULTIPLES_MOST = 5 };
#define REGULAR .1 /* deviation from a multiple, in periods */
#define REGULAR_SHARE .7
#define SPAN_SHARE .5 /* of the watched time, with regular gaps */

/* The median of a period's length by those of its multiples; NaN: too few
 * intervals are multiples of it. */
static double refine_period(const double *intervals, size_t count,
	double period)
{
	double *near = xmalloc((count + 1) * sizeof *near);
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		double times = rint(intervals[i] / period);

		if (times > 0 &&
			fabs(intervals[i] / period - times) < REGULAR)
			near[n++] = intervals[i] / times;
	}
	bool regular = (double)n > REGULAR_SHARE * (double)count;
	double refined = regular ? median_of(near, n) : NAN;
	free(near);
	return refined;
}

/* The median interval is the period or a multiple of it. By chance, a fifth of
 * the intervals are near to multiples; a smaller period is tried only with
 * more intervals. */
static void find_period(double *intervals, size_t count, double watched_ns,
	struct similar *similar)
{
	similar->period_ns = NAN;
	if (count < INTERVALS_LEAST)
		return;
	double middle = median_of(intervals, count);
	if (middle * (double)similar->count < SPAN_SHARE * watched_ns)
		return;
	for (size_t of = 1; of <= MULTIPLES_MOST && isnan(similar->period_ns) &&
		of * INTERVALS_LEAST <= count;
		of++) {
		similar->period_ns = refine_period(intervals, count,
			middle / (double)of);
		similar->every = of == 1;
	}
}

/* The gaps of low_ns up to high_ns. */
static struct similar similar_of(const struct column *trace, double watched_ns,
	double low_ns, double high_ns)
{
	const struct trace_point *points = trace->data, *last = NULL;
	double *durations = xmalloc((trace->count + 1) * sizeof *durations);
	double *intervals = xmalloc((trace->count + 1) * sizeof *intervals);
	struct similar similar = { .period_ns = NAN };
	size_t count = 0;

	for (size_t i = 0; i < trace->count; i++) {
		if (points[i].y < low_ns || points[i].y > high_ns)
			continue;
		if (last && last->visit == points[i].visit &&
			last->x < points[i].x)
			intervals[count++] = points[i].x - last->x;
		last = &points[i];
		durations[similar.count++] = points[i].y;
		similar.lost_ns += points[i].y;
	}
	if (similar.count)
		similar.middle_ns = median_of(durations, similar.count);
	find_period(intervals, count, watched_ns, &similar);
	free(intervals);
	free(durations);
	return similar;
}

/* The regular gaps that take most time, if any are regular. */
static struct similar regular_of(const struct column *trace, double watched_ns,
	double longest_ns)
{
	struct similar best = { .period_ns = NAN };

	for (double low_ns = 100; low_ns < longest_ns; low_ns *= sqrt(2)) {
		struct similar one =
			similar_of(trace, watched_ns, low_ns, 2 * low_ns);

		if (!isnan(one.period_ns) && one.lost_ns > best.lost_ns)
			best = one;
	}
	return best;
}

/* Half of the lost time is in shorter gaps. */
static double half_of_time(const struct column *trace, double sum_ns)
{
	const struct trace_point *points = trace->data;
	double *sorted = xmalloc((trace->count + 1) * sizeof *sorted);
	double so_far_ns = 0, half_ns = 0;

	for (size_t i = 0; i < trace->count; i++)
		sorted[i] = points[i].y;
	values_sort(sorted, trace->count);
	for (size_t i = 0; i < trace->count && so_far_ns < sum_ns / 2; i++) {
		half_ns = sorted[i];
		so_far_ns += half_ns;
	}
	free(sorted);
	return half_ns;
}

bool gap_profile_of(const struct column *trace, double watched_ns,
	struct gap_profile *profile)
{
	const struct trace_point *points = trace->data;

	*profile = (struct gap_profile){ .period_ns = NAN };
	for (size_t i = 0; i < trace->count; i++) {
		profile->lost_ns += points[i].y;
		profile->longest_ns = fmax(profile->longest_ns, points[i].y);
	}
	struct similar typical = regular_of(trace, watched_ns,
		profile->longest_ns);
	if (isnan(typical.period_ns)) {
		double half_ns = half_of_time(trace, profile->lost_ns);

		typical = similar_of(trace, watched_ns, half_ns / 2,
			half_ns * 2);
	}
	profile->typical_ns = typical.middle_ns;
	profile->typical_lost_ns = typical.lost_ns;
	profile->typical_count = typical.count;
	profile->period_ns = typical.period_ns;
	profile->every = !isnan(typical.period_ns) && typical.every;
	return trace->count;
}
