/*
 * The quantum of a clock or counter: the step in which its readings advance, so
 * that every difference of two readings is a multiple of it. The step need not
 * be a whole number of ticks: a counter of 2.445 GHz that advances every 10 ns
 * shows steps of 24 and 25 ticks.
 *
 * A whole quantum is the greatest common divisor of the differences (Euclid).
 * If that is 1, a fractional one is looked for: the largest step of at least
 * eight ticks for which each difference is less than a tick beside a multiple.
 * The fit uses differences below QUANTUM_TICKS, and five multiples or more must
 * occur among them; so the times between the readings should differ. After few
 * differences a whole quantum can be too large.
 */
#ifndef BENCHTOP_QUANTUM_H
#define BENCHTOP_QUANTUM_H

#include <stdint.h>

enum { QUANTUM_TICKS = 512 };

/* Begins as zeros. */
struct quantum {
	uint64_t divisor;             /* of all differences */
	uint32_t seen[QUANTUM_TICKS]; /* how often each difference was seen */
};

/* A difference of 0 changes nothing. */
void quantum_add(struct quantum *, uint64_t difference);

/* In ticks; 0 without differences. */
double quantum_of(const struct quantum *);

#endif
