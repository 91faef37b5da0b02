/*
 * The queue of runs. Each run is an activity, and begins when the previous run
 * has ended.
 */
#ifndef BENCHTOP_RUN_QUEUE_H
#define BENCHTOP_RUN_QUEUE_H

#include "lab.h"

/* Checks that the command line that repeats the run fits in the session and the
 * tape. Returns 0, or -1 with an error. */
int run_check_line(const struct queued *, struct error *);
/* Continues the lab's activity, or begins the next run. Call it when the lab's
 * descriptor is readable, and ten times a second while lab_busy(). Without an
 * activity, reads what read_again_is_due(). */
void lab_step(struct lab *);

/* For finish_child.c: computes the findings and figures of the completed run,
 * saves the session with it, and fills in the reply. */
void run_conclude(struct lab *);

#endif
