/* Random numbers for tests, the same in every run: splitmix64. */
#ifndef BENCHTOP_RANDOM_H
#define BENCHTOP_RANDOM_H

#include <stdint.h>

static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return next_random(state) % limit;
}

#endif
