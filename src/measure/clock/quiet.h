/*
 * Waiting for a core of its own: a child runs canaries on the processor that
 * is to measure, fifty milliseconds at a time, until nine of ten were alone in
 * two looks in a row or the time is up.
 */
#ifndef BENCHTOP_QUIET_H
#define BENCHTOP_QUIET_H

#include "job.h"
#include "results.h"

struct quiet_facts {
	bool quiet;
	double waited_s;
	double shared; /* of the last look's canaries, 0 .. 1 */
};

/* The clock must have been measured. */
int quiet_start(struct job *, int cpu, const struct clock_facts *,
	double wait_s, struct error *);
/* Call once the child has ended. */
int quiet_finish(struct job *, int status, struct quiet_facts *,
	struct error *);

#endif
