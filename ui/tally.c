/* Trials, counted. */
#include "tally.h"

#include <math.h>
#include <string.h>

enum { PLACE_BITS = 10, PLACES = 1 << PLACE_BITS };

/* A place that values share, one of them at a time. */
struct alike {
	double value;
	size_t times[2]; /* clean, flagged */
};

struct tally {
	struct histogram *histogram;
	struct alike places[PLACES];
};

static void count(struct histogram *histogram, struct alike *alike)
{
	for (int flagged = 0; flagged < 2; flagged++)
		if (alike->times[flagged])
			histogram_add_many(histogram, alike->value, flagged,
				alike->times[flagged]);
	*alike = (struct alike){ 0 };
}

static void add(struct tally *tally, double value, bool flagged)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	bits = bits * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS);
	struct alike *alike = &tally->places[bits];
	if (alike->value != value) {
		count(tally->histogram, alike);
		alike->value = value;
	}
	alike->times[flagged]++;
}

static void add_visit(struct tally *tally, const struct results *results,
	const struct point *point, size_t v)
{
	size_t calls = point->visits[v].trials;
	size_t taken = point->series[0].slices[v].count;
	size_t n = calls > taken ? calls : taken;

	for (size_t i = 0; i<n; i += results->each> 1 ? results->each : 1) {
		double value;
		unsigned flags;

		if (results_trial(results, point, 0, v, i, SCALE_UNIT, &value,
			    &flags) &&
			isfinite(value) && !(flags & FLAGS_NO_FIGURE))
			add(tally, value, flags != 0);
	}
}

void tally_trials(struct histogram *histogram, const struct results *results,
	const struct point *point)
{
	struct tally tally = { .histogram = histogram };

	for (size_t v = 0; v < point->visit_count; v++)
		add_visit(&tally, results, point, v);
	for (size_t i = 0; i < PLACES; i++)
		count(histogram, &tally.places[i]);
}
