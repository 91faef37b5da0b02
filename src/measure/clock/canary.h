/*
 * The canary: a fixed piece of work beside the trials that shows whether
 * another task runs on the same core, and at which frequency the core runs.
 *
 * It has two halves, timed one after the other. The latency half is a chain of
 * multiplications: its time is inverse to the core's frequency, and a task on
 * the SMT sibling hardly changes it. The throughput half is work that a sibling
 * slows by a third to a factor of two. The ratio of the two halves does not
 * depend on the frequency. It has two modes, alone and shared, with an empty
 * valley between them (sharing.h).
 *
 * There are two throughput halves, because neither is best on every core:
 *   loop  a decrement and a taken branch, one iteration per cycle: the front
 *         end of most cores fetches one taken branch per cycle for both threads
 *   nops  instructions that do nothing: a core decodes and dispatches four to
 *         eight per cycle for both its threads. A Zen 5 takes two branches per
 *         cycle, so a sibling slows the loop by a tenth, but these by a half.
 * canary_choose() keeps the half with the wider gap between its modes.
 *
 * Steal time is not a substitute: it stays at 0 while a co-runner is active.
 */
#ifndef BENCHTOP_CANARY_H
#define BENCHTOP_CANARY_H

#include "results.h"

struct probe;

enum {
	CANARY_MULTIPLIES = 200, /* if the clock resolves 1 % of them */
	CANARY_QUANTA = 100,     /* else the length in quanta of the clock */
	CANARY_EVERY_NS = 10000, /* shorter trials share one canary; longer
				  * canaries are proportionally less frequent */
};

/* Runs both halves. Returns ticks, including the clock's overhead. `multiplies`
 * is a multiple of RULER_ROUND. */
struct canary canary_run(const struct probe *, enum canary_kind,
	unsigned multiplies);

/* The length of a canary for a clock whose readings are multiples of `quantum`
 * ticks. Some clocks count in steps of 26; a short canary's readings would then
 * vary by more than the effect to be detected. */
unsigned canary_length(const struct probe *, double quantum);

/* Fills in canary_kind and canary_alone of the facts; overhead,
 * canary_multiplies and multiply_cycles must be known. An iteration of the loop
 * takes one cycle and cannot be faster, so its ratio on an unshared core is
 * known. The samples that are alone by the loop give the ratio of the other
 * kind. If they are fewer than half of all samples, the loop is kept with that
 * known ratio. */
void canary_choose(const struct probe *, struct clock_facts *);

#endif
