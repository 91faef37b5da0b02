/*
 * The distribution of a metric at a point, in bins: for whoever draws it from
 * results that have ended. A screen keeps its own between drawings (figures).
 */
#ifndef BENCHTOP_BINS_H
#define BENCHTOP_BINS_H

#include "histogram.h"
#include "results.h"

/* Counts the trials of the first metric that the results look at (`each`),
 * classified beside a headline of that regime. The warm-up and trials without a
 * figure are left out, as in the shares of a digest. */
void bins_count(struct histogram *, const struct results *,
	const struct point *, enum regime);

/* Lays out at most `columns` bins by the trials of both regimes and counts all
 * trials past the warm-up, as regime_shows() classifies them. To be freed with
 * histogram_free(), also where all trials are excluded and there is no bin. */
void bins_of(const struct results *, const struct point *, unsigned metric,
	size_t columns, struct histogram *);

#endif
