/* Keyed bijections: drawing the keys. */
#include "bijection.h"

#include "splitmix.h"

/* Newton's iteration mod 2^64: an odd number is its own inverse in the lowest
 * three bits, and each step doubles the number of correct bits. */
static uint64_t inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (int i = 0; i < 5; i++)
		inverse *= 2 - odd * inverse;
	return inverse;
}

void bijection_draw(struct bijection *b, uint64_t n, uint64_t *state)
{
	unsigned bits = n > 1 ? 64u - (unsigned)__builtin_clzll(n - 1) : 0;

	b->values = (uint64_t)1 << bits;
	b->mask = b->values - 1;
	b->shift = bits > 1 ? (bits + 1) / 2 : 1;
	b->before = splitmix_next(state) & b->mask;
	b->after = splitmix_next(state) & b->mask;
	for (int i = 0; i < BIJECTION_ROUNDS; i++) {
		b->times[i] = splitmix_next(state) | 1;
		b->inverse[i] = inverse_of(b->times[i]);
	}
}
