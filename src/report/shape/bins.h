/*
 * The distribution of a metric at a point, in bins, for drawing results of
 * ended runs. A screen keeps its own bins between drawings (figures).
 */
#ifndef BENCHTOP_BINS_H
#define BENCHTOP_BINS_H

#include "digest.h"
#include "histogram.h"
#include "results.h"

/* Counts the trials that the results select (`each`) in the bins. Trials are
 * classified for a headline of the given regime. Warm-up trials and trials
 * without a figure are left out, as in the fractions of a digest. */
void bins_count(struct histogram *, const struct results *,
	const struct point *, unsigned metric, enum regime);

/* Lays out at most `columns` bins and counts all trials past the warm-up, with
 * the classes of regime_shows(). The bins cover 99 % of the trials of each
 * regime that has at least 1 % of all trials. They also cover 99 % of the
 * excluded trials if these are at least 10 %. The caller frees the histogram
 * with histogram_free(), also if all trials are excluded and there are no
 * bins. */
void bins_of(const struct results *, const struct point *, unsigned metric,
	size_t columns, struct histogram *);
/* Like bins_of(), but the bins cover 95 % of the headline's trials, without the
 * upper tail. For distributions whose tail would leave these trials few
 * bins. */
void bins_of_body(const struct results *, const struct point *,
	unsigned metric, size_t columns, struct histogram *);

#endif
