/*
 * The knee of a cache that keeps what it was filled with: the size of a file,
 * read once, from which the time of an access begins to rise.
 *
 * A cache of size C holds all of a file of size S, or a share C / S, so an
 * access to a random place takes
 *     t(S) = hit                              S <= C
 *     t(S) = hit + (miss - hit) (1 - C / S)   S > C
 * `hit` is the median time of the sizes up to half of the first size that takes
 * twice as long as the fastest. C and `miss` are fitted: for each C on a grid
 * of 1/200 octave the best `miss` (least squares of the logarithms), then the C
 * with the least residual. The interval contains every C that fits about as
 * well: a residual up to a quarter more, or .02 octaves. The laws of misses.h
 * are for a cache that is traversed cyclically.
 */
#ifndef BENCHTOP_KNEE_H
#define BENCHTOP_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct knee {
	double size;        /* C */
	double least, most; /* range of C that fits about as well */
	double hit, miss;   /* times */
	double residual;    /* rms, octaves */
};

/* n points with ascending positive sizes and positive times. Returns false if
 * the times do not rise to twice the least, or with fewer than five points. */
bool knee_find(const double *sizes, const double *times, size_t n,
	struct knee *);

#endif
