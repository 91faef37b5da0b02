/*
 * The canary: a fixed piece of work beside the trials that shows whether
 * another task runs on the same core, and at which frequency the core runs.
 *
 * It has two halves, timed one after the other. The latency half is a chain of
 * multiplications: its time is inverse to the core's frequency, and a task on
 * the SMT sibling hardly changes it. The throughput half is work that a
 * sibling slows by a third to a factor of two. The ratio of the two halves
 * does not depend on the frequency. It has two modes, alone and shared, with
 * an empty valley between them (sharing.h).
 *
 * There are two throughput halves, because neither is best on every core:
 *   loop  a decrement and a taken branch, one iteration a cycle: the front end
 *         of a core fetches one taken branch a cycle for both its threads
 *   adds  four independent chains of additions, which fill the ALU ports
 * canary_choose() keeps the one that separates the modes better.
 *
 * Steal time is no substitute: it stays at 0 while a co-runner is active.
 */
#ifndef BENCHTOP_CANARY_H
#define BENCHTOP_CANARY_H

#include "results.h"

struct probe;

enum {
	CANARY_MULTIPLIES = 200, /* where the clock resolves 1 % of that */
	CANARY_QUANTA = 100,     /* else as many as take that many steps */
	CANARY_EVERY_NS = 10000, /* shorter trials share one; longer canaries
				  * come in proportion less often */
};

/* Runs both halves: ticks, gross of the clock's overhead. `multiplies` is a
 * multiple of RULER_ROUND. */
struct canary canary_run(const struct probe *, enum canary_kind,
	unsigned multiplies);

/* How long a canary must be for a clock whose readings are multiples of
 * `quantum` ticks: some count in steps of 26, and a short canary's readings
 * would differ by more than what it is to detect. */
unsigned canary_length(const struct probe *, double quantum);

/* Fills in canary_kind and canary_alone of the facts, whose overhead,
 * canary_multiplies and multiply_cycles are known. The loop takes a cycle for
 * each iteration and cannot be faster, so that its ratio on a core of its own
 * is known beforehand; what is alone by the loop shows the other ratio. */
void canary_choose(const struct probe *, struct clock_facts *);

#endif
