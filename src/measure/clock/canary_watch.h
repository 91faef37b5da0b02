/*
 * How much of a stretch of time the core was shared, by canaries one behind the
 * other, and by the ratio that the clock's calibration knows: before a run has
 * canaries of its own that would show a valley (sharing.h).
 */
#ifndef BENCHTOP_CANARY_WATCH_H
#define BENCHTOP_CANARY_WATCH_H

#include "canary.h"

struct canary_tally {
	size_t shared, all;
};

/* Runs canaries until that moment of the raw clock and adds them up. Whose
 * latency half was interrupted says nothing and is left out. */
void canary_watch(const struct probe *, const struct clock_facts *,
	uint64_t end_ns, struct canary_tally *);
/* 0 .. 1; 1 where there was none. */
double canary_tally_share(const struct canary_tally *);

#endif
