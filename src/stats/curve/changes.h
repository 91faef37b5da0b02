/*
 * Where does the level of a series of runs change?
 *
 * E-divisive (Matteson and James, "A nonparametric approach for multiple change
 * point analysis of multivariate data", JASA 109, 2014), as used for histories
 * of benchmarks by Daly et al., "The use of change point detection to identify
 * software performance regressions", ICPE 2020. Segments are divided at the
 * best candidate of all segments, until a permutation test of that candidate
 * fails. Values are permuted within the segments found so far.
 *
 * - The exponent of the energy distance is 2, so that it compares means, and a
 *   candidate costs one difference of sums. A step of three times the noise
 *   shows after three runs; with exponent 1 it needs more. Pass logarithms: a
 *   shift is then the logarithm of a ratio.
 * - A candidate compares all values of its segment before it with all values
 *   after it, or with a window of 3, 6, 12, .. values after it. Without windows
 *   an excursion in the middle of a series is masked by the values behind it.
 *   Short windows have many positions, so sqrt(2 log(n / length)) is subtracted
 *   from theirs (Dümbgen and Spokoiny, "Multiscale testing of qualitative
 *   hypotheses", Annals of Statistics 29, 2001).
 * - Each side has at least CHANGES_SIDE values, and the shift is at least
 *   `floor`. Candidates below the floor do not count in permutations either, so
 *   the test stays exact, and gains power.
 * - A permutation test has 1 999 permutations, fewer above 2 000 values, and at
 *   least 399. It ends early if enough of them exceed the candidate (Besag and
 *   Clifford, "Sequential Monte Carlo p-values", Biometrika 78, 1991).
 *
 * The random numbers have a fixed seed: equal values give equal changes. Values
 * must be exchangeable between changes: any distribution, also bimodal, but
 * without a trend. 200 values take about 5 ms per change, and less without one.
 */
#ifndef BENCHTOP_CHANGES_H
#define BENCHTOP_CHANGES_H

#include <stddef.h>

enum {
	CHANGES_SIDE = 3,   /* values on each side of a change */
	CHANGES_LEAST = 10, /* values; with fewer, a change with 3 values
			     * after it has a p above .02, however large */
};

struct change {
	size_t at;            /* index of the first value after it */
	double before, after; /* means of the adjacent segments */
	double p;             /* of the permutation test */
};

struct changes {
	struct change *list; /* ascending; owned */
	size_t count;
	/* Of the first test, whether the series has any change, for
	 * holm_adjust() over series. 1 if no candidate reaches the floor. */
	double p;
};

/* Finds the changes of n finite values. Divides while p is below `level`. No
 * two adjacent means differ by less than `floor`, in the unit of the values. */
void changes_find(const double *values, size_t n, double floor, double level,
	struct changes *);
void changes_free(struct changes *);

/* The noise of a series in which the level may change: the median absolute
 * difference of successive values, which few changes do not move. For normal
 * noise it is .95 standard deviations. NaN for fewer than 2 values. */
double changes_noise(const double *values, size_t n);

#endif
