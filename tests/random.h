/* Reproducible random numbers for tests: splitmix64. */
#ifndef BENCHTOP_RANDOM_H
#define BENCHTOP_RANDOM_H

#include "splitmix.h"

static inline uint64_t next_random(uint64_t *state)
{
	return splitmix_next(state);
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return next_random(state) % limit;
}

#endif
