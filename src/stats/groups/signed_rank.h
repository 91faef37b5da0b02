/*
 * The centre of one sample of differences, with a test whether it is 0.
 *
 * Wilcoxon's signed-rank test: exact by counting if there are no ties and at
 * most 50 values, else a tie-corrected normal approximation with continuity
 * correction. Zeros are dropped. The centre is the Hodges-Lehmann estimate: the
 * median of all Walsh averages (d[i] + d[j]) / 2, i <= j. Its interval ends at
 * two Walsh averages, by the distribution of the rank sum (Hollander and Wolfe,
 * Nonparametric Statistical Methods, 3.2 and 3.3; wilcox.test() of R gives the
 * same). Values must be independent: one per launch, never one per trial.
 */
#ifndef BENCHTOP_SIGNED_RANK_H
#define BENCHTOP_SIGNED_RANK_H

#include <stdbool.h>
#include <stddef.h>

enum { SIGNED_RANK_LEAST = 6 }; /* values; fewer have no 95 % interval */

struct signed_rank {
	size_t n;
	double p; /* two-sided; 1 if all values are 0 */
	bool exact;
	double centre;
	bool has_interval; /* from six values on */
	double low, high;  /* 95 % interval */
};

/* Time and memory grow with n squared. For n = 0 the centre is NaN. */
struct signed_rank signed_rank_of(const double *differences, size_t n);

#endif
