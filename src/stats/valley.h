/*
 * Two modes of a sample and the valley between them.
 *
 * Two means in one dimension, solved exactly (the split of the sorted values
 * with the least sum of squares; Otsu, "A threshold selection method from
 * gray-level histograms", 1979, does the same on bins), give the two groups.
 * They are modes only where their medians are far enough apart and the density
 * between them falls to a tenth of that of the lower peak. The cut is the
 * middle of the emptiest stretch between the medians.
 */
#ifndef BENCHTOP_VALLEY_H
#define BENCHTOP_VALLEY_H

#include <stdbool.h>
#include <stddef.h>

enum { VALLEY_LEAST = 100 }; /* values; fewer show no valley */

struct valley {
	double low, high;  /* medians of the two groups */
	double cut;        /* between them */
	double high_share; /* of the values above the cut, 0 .. 1 */
};

/* `apart`: the least distance of the medians. `window`: the width over which
 * values are counted, a few times what one mode scatters. False: the sample
 * has one mode, and *valley is untouched. */
bool valley_find(const double *sorted, size_t n, double apart, double window,
	struct valley *valley);

#endif
