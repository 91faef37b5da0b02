/*
 * What interrupts a trial: the detectors that run in a worker, and what is
 * decided when a launch has ended.
 *
 * In the worker: rseq shows whether the kernel ran anything else since the
 * clock was started (struct rseq's critical-section pointer, which the kernel
 * clears on every switch; linux/rseq.h), and the canary beside the trials
 * whether a co-runner was on the core (canary.h).
 *
 * In the lab, when a launch has ended: its trials get the flags of their
 * conditions (sharing.h), MSER-5 finds the warm-up, and what did not pass the
 * experiment's own verification is marked.
 */
#ifndef BENCHTOP_DISTURB_H
#define BENCHTOP_DISTURB_H

#include <stdbool.h>
#include <stddef.h>

struct probe;
struct results;

/* Makes probe_start() and probe_stop() notice a switch: points the probe at
 * this thread's rseq area, or at a dummy. Returns whether it works here. */
bool disturb_arm(struct probe *);
/* Must be called before the thread leaves timed code for good. */
void disturb_disarm(struct probe *);

/* Decides the flags of launch number `launch` (index) once all its trials are
 * there, and its warm-up. */
void disturb_close_launch(struct results *, unsigned launch);
/* Flags trial i of a visit in every timed series. */
void disturb_flag(struct results *, size_t point, size_t visit, size_t i,
	unsigned flags);

#endif
