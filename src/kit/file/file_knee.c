/* The size of the file cache. */
#include "file_knee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "interval.h"
#include "knee.h"
#include "memory.h"
#include "quantile.h"
#include "results.h"
#include "text.h"

enum { POINTS_MOST = 512, LAUNCHES_MOST_HERE = 64 };

/* Points that differ only in size, ascending. */
struct curve {
	const struct point *points[POINTS_MOST];
	double sizes[POINTS_MOST], times[POINTS_MOST];
	size_t n;
};

static bool of_curve(const struct filling_args *a, const struct filling_args *b)
{
	return a->limit_bytes == b->limit_bytes && a->order == b->order &&
		a->block_bytes == b->block_bytes && !strcmp(a->where, b->where);
}

static void insert(struct curve *curve, const struct point *point, double time)
{
	const struct filling_args *args = point->args;
	size_t at = curve->n++;

	for (; at > 0 && curve->sizes[at - 1] > (double)args->size_bytes;
		at--) {
		curve->points[at] = curve->points[at - 1];
		curve->sizes[at] = curve->sizes[at - 1];
		curve->times[at] = curve->times[at - 1];
	}
	curve->points[at] = point;
	curve->sizes[at] = (double)args->size_bytes;
	curve->times[at] = time;
}

/* False if an earlier point belongs to the same curve. */
static bool gather(const struct results *results, size_t first,
	struct curve *curve)
{
	const struct filling_args *wanted = results->points[first].args;

	curve->n = 0;
	for (size_t i = 0; i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		double time;

		if (!point->args || !wanted || !of_curve(point->args, wanted))
			continue;
		if (i < first)
			return false;
		if (curve->n < POINTS_MOST &&
			results_median(results, point, FILLING_TIME, &time) &&
			time > 0)
			insert(curve, point, time);
	}
	return curve->n > 0;
}

/* The knees of single launches. */
static size_t knees_of_launches(const struct results *results,
	const struct curve *curve, double *knees)
{
	struct curve *one = xcalloc(1, sizeof *one);
	size_t count = 0;

	for (unsigned l = 0; l < results->launch_count; l++) {
		struct knee knee;

		one->n = 0;
		for (size_t i = 0; i < curve->n; i++) {
			double time = results_launch_floor(results,
				curve->points[i], FILLING_TIME, l, SCALE_UNIT);

			if (time > 0)
				insert(one, curve->points[i], time);
		}
		if (one->n == curve->n && count < LAUNCHES_MOST_HERE &&
			knee_find(one->sizes, one->times, one->n, &knee))
			knees[count++] = knee.size;
	}
	free(one);
	return count;
}

static void say_knee(const struct curve *curve, const struct knee *knee,
	const struct range *range, struct findings *findings)
{
	const struct filling_args *args = curve->points[0]->args;
	const char *note = point_note(curve->points[0], "expected");
	double expected = note ? strtod(note, NULL) : 0;
	struct text size = { 0 }, low = { 0 }, high = { 0 }, model = { 0 };

	unit_show(&size, UNIT_BYTES, knee->size);
	unit_show(&low, UNIT_BYTES, range->low);
	unit_show(&high, UNIT_BYTES, range->high);
	unit_show(&model, UNIT_BYTES, expected);
	struct finding *finding = finding_value(findings, "knee", knee->size,
		UNIT_BYTES,
		"the cache holds %s [%s, %s] of a file: %+.1f %% of the %s "
		"predicted from %s; a block takes %.3g us when cached, %.3g us "
		"beyond",
		text_chars(&size), text_chars(&low), text_chars(&high),
		expected > 0 ? (knee->size / expected - 1) * 100 : NAN,
		text_chars(&model),
		args->limit_bytes == PARAM_AUTO ?
			"the available memory" :
			"the limit (limited demonstration)",
		knee->hit / 1000, knee->miss / 1000);
	finding_interval(finding, range->low, range->high);
	text_free(&size);
	text_free(&low);
	text_free(&high);
	text_free(&model);
}

static void find_knee(const struct results *results, const struct curve *curve,
	struct findings *findings)
{
	double knees[LAUNCHES_MOST_HERE];
	struct interval interval;
	struct knee knee;

	if (!knee_find(curve->sizes, curve->times, curve->n, &knee)) {
		if (curve->n > 1)
			finding_add(findings, "knee",
				"no knee is visible: all sizes fit into the "
				"cache, or none, or there are too few sizes");
		return;
	}
	struct range range = { knee.least, knee.most };
	size_t n = knees_of_launches(results, curve, knees);
	values_sort(knees, n);
	if (interval_of_median(knees, n, .95, &interval)) {
		range.low = fmin(range.low, interval.low);
		range.high = fmax(range.high, interval.high);
	}
	say_knee(curve, &knee, &range, findings);
}

void filling_find(const struct results *results, const struct facts *facts,
	struct findings *findings)
{
	struct curve *curve = xcalloc(1, sizeof *curve);

	(void)facts;
	for (size_t i = 0; i < results->point_count; i++)
		if (gather(results, i, curve))
			find_knee(results, curve, findings);
	free(curve);
}
