/*
 * Robust line through points: Theil-Sen (Sen, JASA 63, 1968). The slope is the
 * median of the slopes of all pairs; intercept = median(y) - slope * median(x).
 * The 95 % interval follows from the ranks of Kendall's S. Unlike least
 * squares, the line changes little with one outlier. Time and memory grow with
 * n^2: use it for at most a few thousand points.
 */
#ifndef BENCHTOP_SLOPE_H
#define BENCHTOP_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

struct slope {
	double slope, intercept;
	double low, high; /* 95 % interval of the slope */
};

/* False if there are fewer than two distinct x. */
bool slope_theil_sen(const double *x, const double *y, size_t n,
	struct slope *);
/* Variance of Kendall's S for independent x and y, corrected for ties. */
double kendall_variance(const double *x, const double *y, size_t n);

#endif
