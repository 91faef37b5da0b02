/*
 * One row of a comparison: the basis, the ratio with its interval, the verdict.
 *
 * Two points that were measured alternately are compared pair by pair
 * (pairs.h). Others are compared by the medians of their launches, corrected by
 * the memory ruler if they follow it (ruled.h).
 */
#ifndef BENCHTOP_COMPARE_ROW_H
#define BENCHTOP_COMPARE_ROW_H

#include "compare_sessions.h"

/* Fills in a row with both its sides: the threshold from the pair, the ratio
 * and the verdict. The p-value is adjusted later, when all rows exist. */
void compare_row_fill(struct compare_row *, const struct compare_pair *);

/* The threshold of a run at one frequency, between two sessions of a guest. */
double compare_guest_delta(const struct results *);

/* False for a figure that other guests of the host can change without a sign in
 * the canaries: of memory beyond the core, disks, networks and several
 * processors. */
bool compare_is_of_core(const struct results *, const struct point *,
	unsigned metric);

/* The metric, which is the same on both sides. */
const struct metric_info *compare_row_metric(const struct compare_row *);

#endif
