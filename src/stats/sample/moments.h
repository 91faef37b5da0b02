/*
 * Mean and variance of a stream (Welford, Technometrics 4, 1962), mergeable
 * (Chan, Golub and LeVeque 1979). Values added one by one, or parts merged,
 * give the same result as one pass over all values, except for rounding. An
 * empty accumulator is `struct moments m = {0}`.
 */
#ifndef BENCHTOP_MOMENTS_H
#define BENCHTOP_MOMENTS_H

#include <stddef.h>

struct moments {
	size_t n;
	double mean;
	double m2; /* sum of squared deviations from the mean */
	double min, max;
};

void moments_add(struct moments *, double value);
void moments_merge(struct moments *, const struct moments *other);
/* Sample variance and standard deviation (n - 1); 0 below two values. */
double moments_variance(const struct moments *);
double moments_sd(const struct moments *);

#endif
