/*
 * Findings about what took the processor away: a table with a row for each
 * cause, a sentence for each, and the number of gaps by duration.
 *
 * All are of all launches together, so that the shares of the causes add up to
 * the share of all gaps, the first row. Medians of launches do not. The rate is
 * that of the typical gaps (gap_profile.h). Regular gaps are typical whatever
 * their share, which the sentence names if it is not most.
 */
#ifndef BENCHTOP_GAP_TELL_H
#define BENCHTOP_GAP_TELL_H

#include "results.h"

/* Indices of an experiment's metrics, whose names are those of the rows. From
 * the last two on there is one for each cause, in the order of enum
 * gap_cause. */
struct gap_metrics {
	unsigned lost, longest, watched; /* of a trial: share, ns, ns */
	unsigned shares, traces;
};

void gaps_tell(const struct results *, const struct point *,
	const struct gap_metrics *, struct findings *);

#endif
