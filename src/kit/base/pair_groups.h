/*
 * Findings about pairs of processors: which of them hand a cache line over in
 * about the same time, and what they have in common.
 *
 * In the order of their times, a pair begins a new group if it takes GROUP_STEP
 * times as long as the one before. The figure of a group is the median of its
 * pairs. Its interval is over launches, as that of a point: each launch gives a
 * median of all pairs. The name is the relation of the pairs (note `relation`).
 */
#ifndef BENCHTOP_PAIR_GROUPS_H
#define BENCHTOP_PAIR_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "results.h"

#define GROUP_STEP 1.25

struct processor_pair {
	int64_t from, to;
	/* The two directions; the same point, if only one was measured. The
	 * time of the pair is their mean. */
	const struct point *there, *back;
	double ns; /* set by pair_groups_tell() */
};

/* Adds a finding for each group of `count` pairs, the fastest first, and sorts
 * the pairs. `what` begins the sentences. */
void pair_groups_tell(const struct results *, unsigned metric,
	const char *what, struct processor_pair *, size_t count,
	struct findings *);

#endif
