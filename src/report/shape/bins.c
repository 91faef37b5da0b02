/* From trials to bins. */
#include "bins.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "quantile.h"
#include "regime.h"

enum { PLACE_BITS = 10, PLACES = 1 << PLACE_BITS };

/* Most of a histogram's time goes into looking for the bin of a value, and a
 * clock gives the same few thousand values again and again: equal values are
 * counted at once. A place that values share, one of them at a time. */
struct alike {
	double value;
	size_t times[HISTOGRAM_CLASSES];
};

struct tally {
	struct histogram *histogram;
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

/* All values, as they show beside a headline of that regime. */
static void add_all(struct histogram *histogram, enum regime regime,
	const double *values, const uint16_t *flags, size_t n)
{
	struct tally tally = { .histogram = histogram };

	for (size_t i = 0; i < n; i++)
		add(&tally, values[i],
			regime_shows(regime, SCALE_UNIT, flags[i]));
	for (size_t i = 0; i < PLACES; i++)
		count(histogram, &tally.places[i]);
}

void bins_count(struct histogram *histogram, const struct results *results,
	const struct point *point, enum regime regime)
{
	double *values;
	uint16_t *flags;
	size_t n = results_values(results, point, 0, SCALE_UNIT, &values,
		&flags);

	add_all(histogram, regime, values, flags, n);
	free(values);
	free(flags);
}

void bins_of(const struct results *results, const struct point *point,
	unsigned metric, size_t columns, struct histogram *histogram)
{
	enum regime regime = results_regime(results, point, metric);
	double *values;
	uint16_t *flags;
	size_t kept = 0;
	size_t n = results_values(results, point, metric, SCALE_UNIT, &values,
		&flags);
	double *sorted = xmalloc((n + 1) * sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		if (regime_shows(regime, SCALE_UNIT, flags[i]) !=
			SHOWN_EXCLUDED)
			sorted[kept++] = values[i];
	values_sort(sorted, kept);
	histogram_layout(histogram, sorted, kept,
		results_quantum(results, point, metric), columns,
		HISTOGRAM_AUTO);
	add_all(histogram, regime, values, flags, n);
	free(values);
	free(flags);
	free(sorted);
}
