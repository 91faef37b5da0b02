/* Sorts trials into bins. */
#include "bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "gather.h"
#include "memory.h"
#include "quantile.h"
#include "regime.h"

enum { PLACE_BITS = 10, PLACES = 1 << PLACE_BITS };

/* Most of the time of a histogram is spent on finding the bin of a value. A
 * clock gives the same few thousand values repeatedly, so equal values are
 * counted together. Each entry holds one value; values with the same hash
 * replace each other. */
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

/* Counts trials with the classes for a headline of this regime. */
static void add_trials(struct tally *tally, enum regime regime,
	const struct reading *reading)
{
	for (size_t i = 0; i < reading->count; i++) {
		double value = reading->values[i];
		unsigned flags = reading->flags[i];

		if (trial_shows(value, flags))
			add(tally, value,
				regime_shows(regime, flags));
	}
}

void bins_count(struct histogram *histogram, const struct results *results,
	const struct point *point, unsigned metric, enum regime regime)
{
	struct tally tally = { .histogram = histogram };

	for (size_t v = 0; v < point->visit_count; v++) {
		struct reading reading;

		reading.next = 0;
		while (results_read(results, point, metric, v, SCALE_UNIT,
			&reading))
			add_trials(&tally, regime, &reading);
	}
	for (size_t i = 0; i < PLACES; i++)
		count(histogram, &tally.places[i]);
}

/* The trials of a point, and the regime of its headline. */
struct trials {
	double *values;
	uint16_t *flags;
	size_t n;
	enum regime regime;
	double *sorted; /* sorted values of some classes */
};

/* Sorts the values of the classes `from` .. `to`; returns their number. */
static size_t sort_classes(const struct trials *trials, enum shown from,
	enum shown to)
{
	size_t kept = 0;

	for (size_t i = 0; i < trials->n; i++) {
		enum shown shown = regime_shows(trials->regime,
			trials->flags[i]);

		if (shown >= from && shown <= to)
			trials->sorted[kept++] = trials->values[i];
	}
	values_sort(trials->sorted, kept);
	return kept;
}

/* The range that holds 99 % of every class. Classes with a smaller fraction of
 * the trials than `least` are left out, so that they do not compress the
 * others. Excluded trials often take a hundred times as long. */
static struct range reach(const struct trials *trials)
{
	static const double least[HISTOGRAM_CLASSES] = {
		[SHOWN_HEADLINE] = 0,
		[SHOWN_OTHER] = .01,
		[SHOWN_EXCLUDED] = .1,
	};
	struct range range = { INFINITY, -INFINITY };

	for (unsigned c = 0; c < HISTOGRAM_CLASSES; c++) {
		size_t n = sort_classes(trials, (enum shown)c, (enum shown)c);
		double last = (double)n - 1;

		if (!n || (double)n < least[c] * (double)trials->n)
			continue;
		range.low = fmin(range.low,
			trials->sorted[(size_t)floor(last * .001)]);
		range.high = fmax(range.high,
			trials->sorted[(size_t)ceil(last * .992)]);
	}
	return range;
}

/* The range of 95 % of the headline's trials, from quantile .005 to .955: the
 * long tail is at the top. */
static struct range body(const struct trials *trials)
{
	size_t n = sort_classes(trials, SHOWN_HEADLINE, SHOWN_HEADLINE);
	double last = (double)n - 1;

	if (!n)
		return (struct range){ 0, 0 };
	return (struct range){ trials->sorted[(size_t)floor(last * .005)],
		trials->sorted[(size_t)ceil(last * .955)] };
}

static void bins_within(const struct results *results,
	const struct point *point, unsigned metric, size_t columns,
	struct range (*within)(const struct trials *),
	struct histogram *histogram)
{
	struct trials trials = {
		.regime = results_regime(results, point, metric),
	};

	trials.n = results_values(results, point, metric, SCALE_UNIT,
		&trials.values, &trials.flags);
	trials.sorted = xmalloc((trials.n + 1) * sizeof *trials.sorted);
	struct range range = within(&trials);
	size_t kept = sort_classes(&trials, SHOWN_HEADLINE, SHOWN_OTHER);
	histogram_layout_over(histogram, trials.sorted, kept, range.low,
		range.high, results_quantum(results, point, metric), columns);
	bins_count(histogram, results, point, metric, trials.regime);
	free(trials.values);
	free(trials.flags);
	free(trials.sorted);
}

void bins_of(const struct results *results, const struct point *point,
	unsigned metric, size_t columns, struct histogram *histogram)
{
	bins_within(results, point, metric, columns, reach, histogram);
}

void bins_of_body(const struct results *results, const struct point *point,
	unsigned metric, size_t columns, struct histogram *histogram)
{
	bins_within(results, point, metric, columns, body, histogram);
}
