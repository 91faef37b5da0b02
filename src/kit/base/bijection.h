/*
 * A random order of n things without a table: a keyed bijection of the
 * numbers below 2^k, and its inverse.
 *
 * Three rounds of an odd multiplication and a shift-xor, both of which can be
 * undone (the shift is at least half of the bits, so the shift-xor is its own
 * inverse), between two keys: the construction of integer hashes such as
 * Steele, Lea and Flood's (OOPSLA 2014), cut to k bits. Things from n on are
 * passed over ("cycle walking": Black and Rogaway, "Ciphers with arbitrary
 * finite domains", CT-RSA 2002); since 2^k < 2n that is less than one in two.
 *
 * It costs a few cycles a number and no memory, so that the order of a
 * gigabyte of cache lines is drawn in a tenth of a second and does not wipe
 * the caches while it is.
 */
#ifndef BENCHTOP_BIJECTION_H
#define BENCHTOP_BIJECTION_H

#include <stdint.h>

enum { BIJECTION_ROUNDS = 3 };

struct bijection {
	uint64_t values; /* 2^k: the least power of two >= n */
	uint64_t mask;   /* values - 1 */
	unsigned shift;
	uint64_t before, after; /* keys: xored in, added */
	uint64_t times[BIJECTION_ROUNDS], inverse[BIJECTION_ROUNDS];
};

/* Draws one for n >= 1 things; `state` is a splitmix64 state that moves on. */
void bijection_draw(struct bijection *, uint64_t n, uint64_t *state);

/* The number at a place of the order: 0 .. values - 1 both ways. */
static inline uint64_t bijection_at(const struct bijection *b, uint64_t place)
{
	uint64_t x = (place ^ b->before) & b->mask;

	for (int i = 0; i < BIJECTION_ROUNDS; i++) {
		x = x * b->times[i] & b->mask;
		x ^= x >> b->shift;
	}
	return (x + b->after) & b->mask;
}

/* The place of a number: the inverse. */
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
