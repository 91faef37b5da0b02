/*
 * The distribution of a metric at a point, in bins: for whoever draws it from
 * results that have ended. A screen keeps its own between drawings (figures).
 */
#ifndef BENCHTOP_BINS_H
#define BENCHTOP_BINS_H

#include "histogram.h"
#include "results.h"

/* Lays out at most `columns` bins by the clean trials and counts all of them,
 * the flagged ones as marked. To be freed with histogram_free(), also where
 * there is nothing clean and so no bin. */
void bins_of(const struct results *, const struct point *, unsigned metric,
	size_t columns, struct histogram *);
/* The highest bin, clean and flagged together; at least 1. */
size_t bins_highest(const struct histogram *);

#endif
