/*
 * The gap probe: a child spins on a processor and reads the clock. Time between
 * two readings beyond half a microsecond was used by the kernel, another
 * process, or the host of a virtual machine.
 */
#ifndef BENCHTOP_GAP_H
#define BENCHTOP_GAP_H

#include "job.h"
#include "results.h"

/* Watches for `watch_s` seconds. The clock must be calibrated. */
int gap_start(struct job *, int cpu, const struct clock_facts *,
	double watch_s, struct error *);
/* Call it after the child has ended. */
int gap_finish(struct job *, int status, struct gap_facts *, struct error *);

#endif
