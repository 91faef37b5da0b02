/*
 * The runs of the lab: each is an activity, and begins when the previous run
 * has ended.
 */
#ifndef BENCHTOP_RUN_QUEUE_H
#define BENCHTOP_RUN_QUEUE_H

#include "lab.h"

/* Does the command line that repeats the run fit in the session and the tape?
 * 0, or -1 with a sentence. */
int run_check_line(const struct queued *, struct error *);
/* Continues the lab's activity, or begins the next run: call when the lab's
 * descriptor is readable, and ten times a second while lab_busy(). */
void lab_step(struct lab *);

/* For finish_child.c: the findings and figures of the completed run; the
 * session saved with it; the reply. */
void run_conclude(struct lab *);

#endif
