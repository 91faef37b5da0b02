/*
 * The cost of the clock itself: an empty probe_start()/probe_stop() pair, the
 * same code that surrounds a trial.
 */
#ifndef BENCHTOP_OVERHEAD_H
#define BENCHTOP_OVERHEAD_H

#include <stddef.h>
#include <stdint.h>

struct probe;

struct overhead {
	double median; /* ticks */
	double jitter; /* p99 - p1 */
	double least;
	size_t backwards; /* readings that were negative */
};

/* Of the calibration, which also looks for steps back, and of each end of a
 * launch. From one measurement to the next the median changes by half a tick or
 * more; the sampling error of fewer pairs does not add to that. */
enum { OVERHEAD_PAIRS = 20000, LAUNCH_PAIRS = 5000 };

/* Times `pairs` empty pairs of a probe after disturb_arm(); emits nothing.
 * `quantum`: of the clock, in ticks. */
struct overhead overhead_measure(struct probe *, size_t pairs, double quantum);

#endif
