/*
 * Figures beside the memory ruler (memory_ruler.h).
 *
 * Latency and bandwidth of memory change with what other machines do on the
 * same channel, and so does the ruler. The correction
 *
 *   ln x' = ln x - beta ln(ruler / reference)
 *
 * removes that part. beta is the Theil-Sen slope of ln x over ln ruler. Only
 * launches of the same group (a session, a setting) are compared for it, since
 * the difference between groups is the result. It is applied only where its
 * interval excludes 0.
 */
#ifndef BENCHTOP_RULED_H
#define BENCHTOP_RULED_H

#include "results.h"

/* One launch, in a regime. */
struct ruled_launch {
	unsigned launch; /* index into the launches */
	double value;    /* in the scale */
	double ruler;    /* ticks per load, net; NaN: none */
};

/* Those of a metric at a point that have a figure, to be freed. Returns how
 * many there are. */
size_t ruled_launches(const struct results *, const struct point *,
	unsigned metric, enum scale, enum regime, struct ruled_launch **);

/* How the values follow the ruler. */
struct ruled_fit {
	bool applies;
	double beta, low, high; /* with its 95 % interval */
	/* The ruler of the second group over that of the first: medians. */
	double ratio;
};
/* Of two groups of launches, one of which may be empty. */
struct ruled_fit ruled_fit_of(const struct ruled_launch *first,
	size_t first_count, const struct ruled_launch *second,
	size_t second_count);

/* A value as it would be at another reading of the ruler. */
double ruled_value(const struct ruled_fit *, const struct ruled_launch *,
	double reference);
/* The median of the readings; NaN: none. */
double ruled_reference(const struct ruled_launch *, size_t count);

#endif
