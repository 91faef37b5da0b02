/*
 * Two modes of a sample and the valley between them.
 *
 * Exact two-means clustering in one dimension gives the two groups: the split
 * of the sorted values with the least sum of squares (Otsu, "A threshold
 * selection method from gray-level histograms", 1979, does the same on bins).
 * The groups are modes only if their medians are far enough apart and the
 * density between them falls to a tenth of the lower peak's density. The cut is
 * the middle of the emptiest range between the medians.
 */
#ifndef BENCHTOP_VALLEY_H
#define BENCHTOP_VALLEY_H

#include <stdbool.h>
#include <stddef.h>

enum { VALLEY_LEAST = 100 }; /* values; fewer cannot show a valley */

struct valley {
	double low, high;  /* medians of the two groups */
	double cut;        /* between them */
	double high_share; /* of the values above the cut, 0 .. 1 */
};

/* `apart`: the minimum distance of the medians. `window`: the width over which
 * values are counted, a few times the spread of one mode. Returns false,
 * without changing *valley, if the sample has one mode. */
bool valley_find(const double *sorted, size_t n, double apart, double window,
	struct valley *valley);

#endif
