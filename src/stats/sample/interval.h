/*
 * Confidence interval of a median without an assumption about the distribution.
 * It uses the order statistics x(k) .. x(n+1-k), where k is the largest with
 * P(Bin(n, 1/2) < k) <= alpha/2 (inverted sign test; Conover, Practical
 * Nonparametric Statistics). Values must be independent: medians of launches,
 * never trials. Below six values no 95 % interval exists.
 */
#ifndef BENCHTOP_INTERVAL_H
#define BENCHTOP_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

enum { INTERVAL_LEAST = 6 }; /* values; fewer have no 95 % interval */

struct interval {
	double low, high;
	double coverage; /* exact probability that the interval contains the
			  * median */
	size_t k;        /* rank of the lower end, from 1 */
};

/* Returns false, without changing *interval, if n is too small for `level`
 * (.95). */
bool interval_of_median(const double *sorted, size_t n, double level,
	struct interval *);

#endif
