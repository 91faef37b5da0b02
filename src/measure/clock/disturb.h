/*
 * Disturbances of trials: the detectors in a worker, and the decisions after a
 * launch.
 *
 * In the worker: rseq shows whether the kernel ran another task since the clock
 * was started (by the critical-section pointer of struct rseq, which the kernel
 * clears on every switch; linux/rseq.h), and on which processor the trial ends.
 * The canary beside the trials shows whether a co-runner was on the core
 * (canary.h).
 *
 * In the lab, after a launch: its trials receive the flags of their conditions
 * (sharing.h), MSER-5 finds the warm-up, and trials that failed the
 * experiment's own verification are marked.
 */
#ifndef BENCHTOP_DISTURB_H
#define BENCHTOP_DISTURB_H

#include <stdbool.h>
#include <stddef.h>

struct probe;
struct results;

/* Makes probe_start() and probe_stop() detect context switches and migrations:
 * points the probe at this thread's rseq area, or at a dummy. Returns whether
 * rseq works. */
bool disturb_arm(struct probe *);
/* Call it before the thread leaves timed code permanently. */
void disturb_disarm(struct probe *);

/* Sets the flags of a launch (`launch` is an index) once all its trials are
 * present, and finds its warm-up. */
void disturb_close_launch(struct results *, unsigned launch);
/* Flags trial i of a visit in every timed series. */
void disturb_flag(struct results *, size_t point, size_t visit, size_t i,
	unsigned flags);

#endif
