/*
 * Order statistics of a sample: plain arrays of double, n elements.
 *
 * Functions named _sorted need ascending values. A quantile of no values is
 * NaN. The definition is type 7 of Hyndman and Fan, "Sample quantiles in
 * statistical packages", The American Statistician 50 (1996), which R, NumPy
 * and GSL use: h = (n-1)p, linear between adjacent values.
 */
#ifndef BENCHTOP_QUANTILE_H
#define BENCHTOP_QUANTILE_H

#include <stddef.h>

void values_sort(double *values, size_t n);
/* A sorted copy, which the caller frees. */
double *values_sorted_copy(const double *values, size_t n);
/* Orders the values only as far as quantile_sorted() needs for the ascending
 * quantiles p[0] <= p[1] <= .. . The quantiles are bit-identical to those of
 * sorted values. Much faster than sorting. */
void values_select(double *values, size_t n, const double *p, size_t count);
/* The number of values equal to sorted[first], from that index on. */
size_t ties_sorted(const double *sorted, size_t n, size_t first);

/* A p outside 0 .. 1 counts as 0 or 1. */
double quantile_sorted(const double *sorted, size_t n, double p);
double median_sorted(const double *sorted, size_t n);
/* Sorts the values in place. */
double median_of(double *values, size_t n);
/* The interquartile mean: of the middle half of the values, where the values at
 * its ends count by the part that lies in it. For up to two values it is the
 * median. If the values have two modes of almost equal size, it stays between
 * them, where a median jumps from one to the other. Sorts in place; n > 0. */
double midmean_of(double *values, size_t n);
/* Median of values in any order; the array is not changed. */
double median_unsorted(const double *values, size_t n);
/* The grouped median of textbooks, as median_grouped() of Python's statistics
 * module, for readings rounded to multiples of `step` (0: not rounded). The
 * values at the median's reading are assumed to be spread evenly over a step
 * around it. So the median changes with their shares, not in whole steps (10 ns
 * for a counter that advances by 26 ticks at a time). */
double median_stepped(const double *values, size_t n, double step);
/* True if quantile p is worth printing: at least ten values lie beyond it,
 * towards the nearer end of the sample. */
int quantile_shown(size_t n, double p);

/* The outer fences of Tukey (Exploratory Data Analysis, 1977): values beyond
 * them are severe outliers. If the quartiles are equal, as with a coarse clock,
 * that is every other value. */
struct fences {
	double low, high;
};
struct fences fences_sorted(const double *sorted, size_t n);

#endif
