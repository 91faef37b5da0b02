/*
 * Where is the centre of one sample of differences, and is it 0?
 *
 * Wilcoxon's signed-rank test: exact by counting where there are no ties and
 * at most 50 values, else a tie-corrected normal approximation with continuity
 * correction; zeros are dropped. The centre is that of Hodges and Lehmann, the
 * median of all Walsh averages (d[i] + d[j]) / 2, i <= j, and its interval lies
 * between two of them by the law of the rank sum (Hollander and Wolfe,
 * Nonparametric Statistical Methods, 3.2 and 3.3; R's wilcox.test() gives the
 * same). Values must be independent: one for each launch, never for each trial.
 */
#ifndef BENCHTOP_SIGNED_RANK_H
#define BENCHTOP_SIGNED_RANK_H

#include <stdbool.h>
#include <stddef.h>

enum { SIGNED_RANK_LEAST = 6 }; /* values; fewer have no 95 % interval */

struct signed_rank {
	size_t n;
	double p; /* two-sided; 1 where all values are 0 */
	bool exact;
	double centre;
	bool has_interval; /* from six values on */
	double low, high;  /* of 95 % */
};

/* Time and memory grow as n squared. n = 0: the centre is NaN. */
struct signed_rank signed_rank_of(const double *differences, size_t n);

#endif
