/*
 * The runs of the lab: each is an activity, and begins when the one before it
 * has ended.
 */
#ifndef BENCHTOP_RUN_QUEUE_H
#define BENCHTOP_RUN_QUEUE_H

#include "lab.h"

/* Can the line that repeats it be kept with the run, by the session and the
 * tape, whole? 0, or -1 with a sentence. */
int run_check_line(const struct queued *, struct error *);
/* Moves the lab's activity along, or begins the next run: call when the lab's
 * descriptor is readable, and ten times a second while lab_busy(). */
void lab_step(struct lab *);

/* For finish_child.c: findings and figures of the run that is over; the session
 * with it, saved; the reply. */
void run_conclude(struct lab *);

#endif
