/*
 * The peaks of a trace: what took much longer than the rest, and whether that
 * comes at a regular distance.
 *
 * High is what is more than four medians. Of neighbours, nearer than a
 * fiftieth of the trace, the highest is a peak. A distance is regular where
 * half of all distances between two high ones, and three at least, are the
 * same.
 */
#ifndef BENCHTOP_PEAKS_H
#define BENCHTOP_PEAKS_H

#include <stddef.h>

enum { PEAKS_MOST = 8 };

struct peaks {
	double median;
	size_t high;           /* how many are */
	size_t at[PEAKS_MOST]; /* the highest first */
	size_t count;
	size_t every; /* the regular distance; 0: none */
};

void peaks_find(struct peaks *, const double *y, size_t n);

#endif
