/*
 * The knee of a cache that keeps what it was filled with: where the time of an
 * access begins to rise with the size of what was read once.
 *
 * Of a file of size S a cache of size C holds all or a share C / S, so an
 * access to a place drawn at random takes
 *     t(S) = hit                              S <= C
 *     t(S) = hit + (miss - hit) (1 - C / S)   S > C
 * `hit` is the median of the sizes up to half of the first that takes twice as
 * long as the least; C and `miss` are fitted: for each C on a grid of a
 * two-hundredth of an octave the best `miss` (least squares of the logarithms),
 * and of all C the one with the least residual. What fits about as well (a
 * residual up to a quarter more, or .02 octaves) is the interval. Compare the
 * laws of misses.h, which are of a cache that is walked round and round.
 */
#ifndef BENCHTOP_KNEE_H
#define BENCHTOP_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct knee {
	double size;        /* C */
	double least, most; /* that fit about as well */
	double hit, miss;   /* times */
	double residual;    /* rms, octaves */
};

/* n points with ascending positive sizes and positive times. False where the
 * times do not rise to twice the least, or there are fewer than five points. */
bool knee_find(const double *sizes, const double *times, size_t n,
	struct knee *);

#endif
