/*
 * Robust line through points: Theil-Sen (Sen, JASA 63, 1968), the median of
 * the slopes of all pairs; intercept = median(y) - slope * median(x); the
 * 95 % interval from the ranks of Kendall's S. One wild point moves it
 * little, where least squares follows it. Time and memory grow as n^2: it is
 * meant for at most a few thousand points.
 */
#ifndef BENCHTOP_SLOPE_H
#define BENCHTOP_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

struct slope {
	double slope, intercept;
	double low, high; /* 95 % interval of the slope */
};

/* False where fewer than two different x are given. */
bool slope_theil_sen(const double *x, const double *y, size_t n,
	struct slope *);
/* Variance of Kendall's S of independent x and y, less for ties. */
double kendall_variance(const double *x, const double *y, size_t n);

#endif
