/*
 * Findings about what took the processor away: a table with a row for each
 * cause, a sentence for each, and the number of gaps by duration.
 */
#ifndef BENCHTOP_GAP_TELL_H
#define BENCHTOP_GAP_TELL_H

#include "results.h"

/* Indices of an experiment's metrics. From the last two on there is one for
 * each cause, in the order of enum gap_cause. The name of its share is the
 * cause's row. */
struct gap_metrics {
	unsigned watched; /* ns, of a launch */
	unsigned shares, traces;
};

void gaps_tell(const struct results *, const struct point *,
	const struct gap_metrics *, struct findings *);

#endif
