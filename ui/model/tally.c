/* Trials, counted. */
#include "tally.h"

#include <math.h>
#include <string.h>

#include "regime.h"

enum { PLACE_BITS = 10, PLACES = 1 << PLACE_BITS };

/* A place that values share, one of them at a time. */
struct alike {
	double value;
	size_t times[HISTOGRAM_CLASSES];
};

struct tally {
	struct histogram *histogram;
	enum regime regime;
	struct alike places[PLACES];
};

static void count(struct histogram *histogram, struct alike *alike)
{
	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++)
		if (alike->times[c])
			histogram_add_many(histogram, alike->value, c,
				alike->times[c]);
	*alike = (struct alike){ 0 };
}

static void add(struct tally *tally, double value, enum shown shown)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	bits = bits * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS);
	struct alike *alike = &tally->places[bits];
	if (alike->value != value) {
		count(tally->histogram, alike);
		alike->value = value;
	}
	alike->times[shown]++;
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
			isfinite(value) &&
			!(flags & (FLAGS_NO_FIGURE | FLAG_WARMUP)))
			add(tally, value,
				regime_shows(tally->regime, SCALE_UNIT, flags));
	}
}

void tally_trials(struct histogram *histogram, const struct results *results,
	const struct point *point, enum regime regime)
{
	struct tally tally = { .histogram = histogram, .regime = regime };

	for (size_t v = 0; v < point->visit_count; v++)
		add_visit(&tally, results, point, v);
	for (size_t i = 0; i < PLACES; i++)
		count(histogram, &tally.places[i]);
}
