/*
 * The ruler is measured first: which clock can be trusted, how fast it ticks,
 * what reading it costs, and how many core cycles a tick is.
 *
 * All of it happens in a child pinned to the processor that will measure, in
 * about a tenth of a second:
 *   overhead    median of 20 000 empty start/stop pairs, jitter p99 - p1,
 *               quantum = greatest common divisor of all differences
 *   linearity   chains of 64 .. 4096 additions must take a time that is a
 *               line through the empty chain, within 10 ticks: the proof that
 *               the fences fence and the counter is no trap. What shares the
 *               core can spoil this for milliseconds, and a broken counter
 *               spoils it always: before one is refused it is looked at for
 *               half a second
 *   rate        two points 50 ms apart, each the narrowest of 15 brackets
 *               [counter, CLOCK_MONOTONIC_RAW, counter]
 *   core        slope between 120 and 20 rounds of 100 additions, where
 *               multiplications agree within 1 % that these are a cycle each.
 *               A co-runner slows additions by up to a half; where they never
 *               agree the slope is that of multiplications, of three cycles
 *   canary      its kind and its ratio on a core of its own (canary.h), and
 *               the core cycles as which its latency half reads: a fenced
 *               region reads some ticks short, a percent of a canary, which
 *               is what turns each trial into cycles
 * The counter is rejected, and CLOCK_MONOTONIC_RAW used, where it may stop or
 * change its rate, the kernel itself does not use it, a pair costs more than
 * 500 ticks (a trap), it stepped back, or the linearity test failed; `why`
 * says which.
 *
 * CLOCK_MONOTONIC_RAW is itself the counter as the kernel scaled it at boot:
 * the rate is exact to about 0.02 ppm relative to it, and as good as the
 * kernel's own calibration (some 100 ppm) in absolute terms.
 */
#ifndef BENCHTOP_CLOCK_H
#define BENCHTOP_CLOCK_H

#include "error.h"
#include "job.h"
#include "overhead.h"
#include "results.h"

/* Starts the measurement in a child. `second`: another processor in use, whose
 * skew is checked; -1. */
int clock_start(struct job *, int cpu, int second, struct error *);
/* 0: facts filled in. Call once the child has ended. */
int clock_finish(struct job *, int status, struct clock_facts *,
	struct error *);
/* Both, waiting. */
int clock_measure(int cpu, struct clock_facts *, struct error *);

/* For the child and the tests: in this process, on this processor. */
/* Worst residual in ticks of chains of 64 .. 4096 additions, by a clock whose
 * readings are multiples of `quantum`: of the best of twenty rounds. Where that
 * is above `most` it looks again for up to half a second, until a quarter of
 * twenty rounds are not; INFINITY: it takes what the first look says. */
double clock_residual(enum tick_source, double quantum, double most);
#endif
