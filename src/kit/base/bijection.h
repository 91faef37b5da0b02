/*
 * A random order of n elements without a table: a keyed bijection of the
 * numbers below 2^k, and its inverse.
 *
 * Three rounds of an odd multiplication and a shift-xor, between two keys. Both
 * operations are invertible; the shift is at least half of the bits, so the
 * shift-xor is its own inverse. This is the construction of integer hashes such
 * as that of Steele, Lea and Flood (OOPSLA 2014), reduced to k bits. Numbers >=
 * n are skipped ("cycle walking": Black and Rogaway, "Ciphers with arbitrary
 * finite domains", CT-RSA 2002). Fewer than half are, because 2^k < 2n.
 *
 * It takes a few cycles per number and no memory. So the order of a gigabyte of
 * cache lines is drawn in a tenth of a second, without evicting the caches.
 */
#ifndef BENCHTOP_BIJECTION_H
#define BENCHTOP_BIJECTION_H

#include <stdint.h>

enum { BIJECTION_ROUNDS = 3 };

struct bijection {
	uint64_t values; /* 2^k: the smallest power of two >= n */
	uint64_t mask;   /* values - 1 */
	unsigned shift;
	uint64_t before, after; /* keys: xored before, added after the rounds */
	uint64_t times[BIJECTION_ROUNDS], inverse[BIJECTION_ROUNDS];
};

/* Draws a bijection for n >= 1 elements; advances the splitmix64 state. */
void bijection_draw(struct bijection *, uint64_t n, uint64_t *state);

/* The number at a position of the order; both are 0 .. values - 1. */
static inline uint64_t bijection_at(const struct bijection *b, uint64_t place)
{
	uint64_t x = (place ^ b->before) & b->mask;

	for (int i = 0; i < BIJECTION_ROUNDS; i++) {
		x = x * b->times[i] & b->mask;
		x ^= x >> b->shift;
	}
	return (x + b->after) & b->mask;
}

/* The position of a number: the inverse of bijection_at(). */
static inline uint64_t bijection_place(const struct bijection *b,
	uint64_t number)
{
	uint64_t x = (number - b->after) & b->mask;

	for (int i = BIJECTION_ROUNDS; i-- > 0;) {
		x ^= x >> b->shift;
		x = x * b->inverse[i] & b->mask;
	}
	return (x ^ b->before) & b->mask;
}

#endif
