/*
 * The quantum of a clock or counter: what all its readings are multiples of.
 * It is the greatest common divisor of the differences seen so far (Euclid),
 * so it can only be too large while few have been seen, never too small.
 */
#ifndef BENCHTOP_QUANTUM_H
#define BENCHTOP_QUANTUM_H

#include <stdint.h>

/* The quantum once another difference is known; begin with 0. A difference
 * of 0 tells nothing and changes nothing. */
uint64_t quantum_join(uint64_t quantum, uint64_t difference);

#endif
