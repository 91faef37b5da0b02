/*
 * The generator splitmix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014): a counter that grows by the
 * golden ratio, and a mixing function. Inline, because timed code calls it.
 */
#ifndef BENCHTOP_SPLITMIX_H
#define BENCHTOP_SPLITMIX_H

#include <stdint.h>

#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t splitmix_mixed(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t splitmix_next(uint64_t *state)
{
	return splitmix_mixed(*state += SPLITMIX_STEP);
}

#endif
