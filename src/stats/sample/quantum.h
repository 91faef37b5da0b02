/*
 * The quantum of a clock or counter: all its readings are multiples of it. It
 * is the greatest common divisor of the differences seen so far (Euclid). After
 * few differences it can be too large, but never too small.
 */
#ifndef BENCHTOP_QUANTUM_H
#define BENCHTOP_QUANTUM_H

#include <stdint.h>

/* The quantum after another difference; begin with 0. A difference of 0 does
 * not change it. */
uint64_t quantum_join(uint64_t quantum, uint64_t difference);

#endif
