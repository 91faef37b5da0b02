/*
 * One row of a comparison: the basis, the ratio with its interval, the verdict.
 *
 * Two points that were measured in turns are compared pair by pair (pairs.h),
 * others by the medians of their launches, beside the memory ruler where they
 * follow it (ruled.h).
 */
#ifndef BENCHTOP_COMPARE_ROW_H
#define BENCHTOP_COMPARE_ROW_H

#include "compare_sessions.h"

/* Of a row with both its sides; a change within `delta` is none, nor is one
 * within more where a guest's memory is compared. Its p-value is adjusted once
 * all rows are there. */
void compare_row_fill(struct compare_row *, double delta, bool guest);

/* The same on both sides. */
const struct metric_info *compare_row_metric(const struct compare_row *);

#endif
