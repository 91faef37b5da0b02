/*
 * Counts the trials of a point into a histogram, equal values at once.
 *
 * Most of a histogram's time goes into looking for the bin of a value, and a
 * clock gives the same few thousand values again and again: a million of them
 * are counted in half the time.
 */
#ifndef BENCHTOP_TALLY_H
#define BENCHTOP_TALLY_H

#include "histogram.h"
#include "results.h"

/* Of the first metric, those that the results look at (`each`), classified
 * beside a headline of that regime; the warm-up and trials without a figure
 * are left out, as in the shares of a digest. */
void tally_trials(struct histogram *, const struct results *,
	const struct point *, enum regime);

#endif
