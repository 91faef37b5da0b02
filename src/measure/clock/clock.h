/*
 * Calibration of the clock: which clock can be trusted, how fast it ticks, what
 * reading it costs, and how many core cycles a tick is.
 *
 * It runs in a child pinned to the processor that will measure, in about a
 * tenth of a second:
 *   overhead    median of 20 000 empty start/stop pairs, jitter p99 - p1,
 *               quantum = greatest common divisor of all differences
 *   linearity   times of chains of 64 .. 4096 additions must lie on a line
 *               through the empty chain, within 10 ticks: this proves that the
 *               fences work and the counter is not trapped. A co-runner can
 *               spoil it for milliseconds, a broken counter always. So a
 *               counter is tested for half a second before it is rejected
 *   rate        two points 50 ms apart, each the narrowest of 15 brackets
 *               [counter, CLOCK_MONOTONIC_RAW, counter]
 *   core        slope between 120 and 20 rounds of 100 additions, if
 *               multiplications agree within 1 % that these take a cycle each.
 *               A co-runner slows additions by up to a half; if they never
 *               agree, the slope of multiplications of three cycles is used
 *   canary      its kind and its ratio on an unshared core (canary.h), and the
 *               core cycles that its latency half measures: a fenced region
 *               measures some ticks too few, a percent of a canary. This value
 *               converts each trial to cycles
 * The counter is rejected, and CLOCK_MONOTONIC_RAW used, if the counter may
 * stop or change its rate, the kernel itself does not use it, a pair costs more
 * than 500 ticks (a trap), it went backwards, or the linearity test failed.
 * `why` has the reason.
 *
 * CLOCK_MONOTONIC_RAW is the same counter, scaled by the kernel at boot.
 * Relative to it, the rate is exact to about 0.02 ppm. The absolute error is
 * that of the kernel's calibration (about 100 ppm).
 */
#ifndef BENCHTOP_CLOCK_H
#define BENCHTOP_CLOCK_H

#include "error.h"
#include "job.h"
#include "overhead.h"
#include "results.h"

/* Starts the calibration in a child. `second`: another processor in use, whose
 * skew is checked; -1: none. */
int clock_start(struct job *, int cpu, int second, struct error *);
/* Returns 0 with the facts filled in, or -1 with an error. Call it after the
 * child has ended. */
int clock_finish(struct job *, int status, struct clock_facts *,
	struct error *);
/* Starts the calibration and waits for the result. */
int clock_measure(int cpu, struct clock_facts *, struct error *);

/* For the child and for tests: both measure in this process, on this
 * processor. */
/* The quantum (quantum.h) in ticks, from readings around work of different
 * lengths. */
double clock_quantum(enum tick_source);
/* The worst residual, in ticks, of chains of 64 .. 4096 additions, in the best
 * of twenty rounds, for a clock whose readings are multiples of `quantum`. If
 * it exceeds `most`, the test is repeated for up to half a second, until a
 * quarter of twenty rounds are below. INFINITY: not repeated. */
double clock_residual(enum tick_source, double quantum, double most);
#endif
