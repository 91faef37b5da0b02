/*
 * Waiting for an unshared core: a child runs canaries on the processor to be
 * measured, fifty milliseconds at a time. It ends when nine of ten canaries
 * were alone in two consecutive samples, with the processor idle in between, or
 * the time is up.
 */
#ifndef BENCHTOP_QUIET_H
#define BENCHTOP_QUIET_H

#include "job.h"
#include "results.h"

struct quiet_facts {
	bool quiet;
	double waited_s;
	double shared; /* fraction of the last sample's canaries */
};

/* The clock must be calibrated. */
int quiet_start(struct job *, int cpu, const struct clock_facts *,
	double wait_s, struct error *);
/* Call it after the child has ended. */
int quiet_finish(struct job *, int status, struct quiet_facts *,
	struct error *);

#endif
