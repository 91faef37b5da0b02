/*
 * What the gaps of one cause have in common: a typical duration, and a period
 * if they are regular.
 *
 * Gaps whose durations are within a factor of two belong together. If those of
 * some duration follow each other at a constant interval, they are typical,
 * because one task or device makes them. So are those at multiples of a period:
 * ticks of the kernel, some of which came while another task ran. Both must
 * fill half of the watched time: a burst has no period. Otherwise the
 * typical gaps are those around the duration at which half of the lost time is
 * in shorter gaps.
 */
#ifndef BENCHTOP_GAP_PROFILE_H
#define BENCHTOP_GAP_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "memory.h"

struct gap_profile {
	double lost_ns, longest_ns; /* of all gaps */
	double typical_ns;          /* median of the typical gaps */
	double typical_lost_ns;     /* in the typical gaps */
	size_t typical_count;
	double period_ns; /* NaN: irregular */
	bool every; /* the period is the median time from one of them to the
		     * next, which otherwise is a multiple of the period */
};

/* Profiles a trace (struct trace_point) of gaps: their times and durations in
 * ns, of all visits together, which watched for `watched_ns`. False if there
 * are none. */
bool gap_profile_of(const struct column *trace, double watched_ns,
	struct gap_profile *);

#endif
