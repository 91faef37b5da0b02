/*
 * The peaks of a trace: values much higher than the rest, and whether they
 * recur at a regular distance.
 *
 * A value is high if it exceeds four times the median. Among high values nearer
 * than a fiftieth of the trace, only the highest is a peak. A distance is
 * regular if at least half of the distances between successive high values, and
 * at least three, are equal.
 */
#ifndef BENCHTOP_PEAKS_H
#define BENCHTOP_PEAKS_H

#include <stddef.h>

enum { PEAKS_MOST = 8 };

struct peaks {
	double median;
	size_t high;           /* number of high values */
	size_t at[PEAKS_MOST]; /* indices of the peaks, the highest first */
	size_t count;
	size_t every; /* the regular distance; 0: none */
};

void peaks_find(struct peaks *, const double *y, size_t n);

#endif
