/*
 * Why a trial is disturbed: the detectors that run in a worker, and the flags
 * that need a whole launch to be decided.
 *
 * In the worker: rseq says whether the kernel ran anything else since the
 * clock was started (struct rseq's critical-section pointer, which the kernel
 * clears on every switch; linux/rseq.h); the canary is a fixed piece of work
 * in two halves, a chain of multiplications, whose time is inverse to the
 * core's frequency, and four parallel chains of additions, whose time against
 * the first half grows when another thread shares the core.
 *
 * In the lab, when a launch has ended: a canary whose halves' ratio is more
 * than 6 % above the calm ratio marks the trials beside it as contended; one
 * whose first half is more than 2 % off the usual one marks them as timed at
 * another frequency, or as contended where the other half did not change with
 * it; MSER-5 finds the warm-up.
 *
 * The usual one is the median over the calm canaries of the same point in the
 * same launch, all its clones together. Not over other points: wide vectors
 * and more busy cores slow a core down by ten percent and more, and what is
 * usual for one kernel would flag every trial of another. Nor over other
 * launches: hosts move all cores by some percent from one second to the next,
 * a launch is what intervals are made of, and flags are final when it ends.
 * The ratio is the same at all frequencies, and is known of the whole run.
 */
#ifndef BENCHTOP_DISTURB_H
#define BENCHTOP_DISTURB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe;
struct results;
struct canary;

enum {
	CANARY_MULTIPLIES = 200, /* where the clock resolves 1 % of that */
	CANARY_QUANTA = 100,     /* else as many as take that many steps */
	CANARY_ADDS_EACH = 10,   /* of the other half, for one of these */
	CANARY_EVERY_NS = 10000, /* shorter trials share one; longer canaries
				   * come in proportion less often */
};

/* Makes probe_start() and probe_stop() notice a switch: points the probe at
 * this thread's rseq area, or at a dummy. Returns whether it works here. */
bool disturb_arm(struct probe *);
/* Must be called before the thread leaves timed code for good. */
void disturb_disarm(struct probe *);

/* Runs both halves of the canary: ticks, gross of the clock's overhead.
 * `multiplies` is a multiple of RULER_ROUND. */
struct canary disturb_canary(const struct probe *, unsigned multiplies);

/* How long a canary must be for a clock whose readings are multiples of
 * `quantum` ticks: some count in steps of 26, and a short canary's readings
 * would differ by more than what it is to detect. */
unsigned disturb_canary_length(const struct probe *, double quantum);

/* Does a canary say that nothing shares the core? `overhead` of the clock in
 * ticks, `ratio` the calm one. */
bool disturb_is_calm(const struct canary *, double overhead, double ratio);

/* What calm looks like: the 5th percentile of throughput over latency halves
 * (both net), of those canaries whose latency half is within 2 % of the usual
 * one. Where only that half was slowed, by an interrupt or a lower frequency
 * for a moment, the ratio falls below what the core can do, and a single such
 * ratio taken for calm would have all later trials flagged. count >= 1. */
double disturb_calm_ratio(const double *latency, const double *throughput,
	size_t count);

/* Decides the flags of launch number `launch` (index) once all its trials are
 * there, and its warm-up. */
void disturb_close_launch(struct results *, unsigned launch);
/* Flags trial i of a visit in every timed series. */
void disturb_flag(struct results *, size_t point, size_t visit, size_t i,
	unsigned flags);

#endif
