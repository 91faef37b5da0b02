/*
 * The share of a period in which the core was shared, from consecutive canaries
 * and the ratio found by the calibration. For use before a run has canaries of
 * its own that show a valley (sharing.h).
 */
#ifndef BENCHTOP_CANARY_WATCH_H
#define BENCHTOP_CANARY_WATCH_H

#include "canary.h"

struct canary_tally {
	size_t shared, all;
};

/* Runs canaries until `end_ns` of CLOCK_MONOTONIC_RAW and adds them to the
 * tally. A canary of which a half was interrupted is excluded. */
void canary_watch(const struct probe *, const struct clock_facts *,
	uint64_t end_ns, struct canary_tally *);
/* The shared fraction, 0 .. 1; 1 without canaries. */
double canary_tally_share(const struct canary_tally *);

#endif
