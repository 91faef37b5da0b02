/*
 * Machines that differ from the others, from one figure of each machine.
 *
 * The figures are compared as logarithms, so that 5 % more and 5 % less are
 * equally far. The centre is their median, the spread 1.4826 times the median
 * absolute deviation from it, which estimates the standard deviation of normal
 * values even if nearly half of the machines are sick (Rousseeuw and Croux,
 * "Alternatives to the median absolute deviation", JASA 88, 1993). Few machines
 * show little of the spread: four good ones may agree by chance within 0.1 %.
 * So an expected spread counts as much as that of OUTLIERS_PRIOR machines.
 *
 * p is two-sided, of Student's distribution: the deviation of n machines is
 * worth .37 (n - 1) degrees of freedom, the expected one as many as its
 * machines. Adjust the values of all figures
 * of a fleet together by holm_adjust() (compare.h), and compare them with
 * OUTLIERS_LEVEL, which is strict because every false alarm costs time: one
 * large fleet in a thousand raises one, and less than one small one in a
 * hundred.
 */
#ifndef BENCHTOP_OUTLIERS_H
#define BENCHTOP_OUTLIERS_H

#include <stddef.h>

#define OUTLIERS_LEVEL .001
enum { OUTLIERS_PRIOR = 4 };

struct outlier {
	double away; /* logarithm of the ratio to the centre; 0: the centre */
	double p;    /* 1 if there is only one figure */
};

struct outliers {
	double centre; /* the median figure */
	double spread; /* standard deviation of the logarithms */
};

/* Tests `n` figures, all above 0, into out[n]; `expected` is the expected
 * spread of good machines, such as .01. Without figures the centre is NaN. */
struct outliers outliers_find(const double *figures, size_t n, double expected,
	struct outlier *out);

#endif
