/*
 * Figures corrected by the memory ruler (memory_ruler.h).
 *
 * Latency and bandwidth of memory change with other machines' load on the same
 * channel, and so does the ruler. The correction
 *
 *   ln x' = ln x - beta ln(ruler / reference)
 *
 * removes that part. beta is the Theil-Sen slope of ln x over ln ruler. Only
 * launches of the same group (a session, a setting) are used for it, because
 * the difference between groups is the result. The correction is applied only
 * if the interval of beta excludes 0.
 */
#ifndef BENCHTOP_RULED_H
#define BENCHTOP_RULED_H

#include "digest.h"
#include "results.h"

/* One launch, in a regime. */
struct ruled_launch {
	unsigned launch; /* index into the launches */
	double value;    /* in the scale */
	double ruler;    /* ticks per load, without overhead; NaN: none */
};

/* The launches with a figure of a metric at a point; the caller frees the list.
 * Returns their number. */
size_t ruled_launches(const struct results *, const struct point *,
	unsigned metric, enum scale, enum regime, struct ruled_launch **);

/* How the values depend on the ruler. */
struct ruled_fit {
	bool applies;
	double beta, low, high; /* 95 % interval of beta */
	/* Median of the ruler in the second group over that in the first. */
	double ratio;
};
/* For two groups of launches, one of which may be empty. */
struct ruled_fit ruled_fit_of(const struct ruled_launch *first,
	size_t first_count, const struct ruled_launch *second,
	size_t second_count);

/* The value corrected to a reference reading of the ruler. */
double ruled_value(const struct ruled_fit *, const struct ruled_launch *,
	double reference);
/* The median of the readings; NaN: none. */
double ruled_reference(const struct ruled_launch *, size_t count);

#endif
