/*
 * Order statistics of a sample: plain arrays of double, n elements.
 *
 * Functions named _sorted want ascending values. A quantile of no values is
 * NaN. The definition is type 7 of Hyndman and Fan, "Sample quantiles in
 * statistical packages", The American Statistician 50 (1996), which R, NumPy
 * and GSL use: h = (n-1)p, linear between neighbours. Harrell-Davis is the
 * weighted estimator of Biometrika 69 (1982).
 */
#ifndef BENCHTOP_QUANTILE_H
#define BENCHTOP_QUANTILE_H

#include <stddef.h>

void values_sort(double *values, size_t n);
/* A sorted copy, to be freed. */
double *values_sorted_copy(const double *values, size_t n);
/* Orders values no further than quantile_sorted() needs to find the quantiles
 * p[0] <= p[1] <= .. of them: the same result as from sorted values, to the
 * last bit, many times sooner. */
void values_select(double *values, size_t n, const double *p, size_t count);
/* How many values from sorted[first] on are equal to it, itself included. */
size_t ties_sorted(const double *sorted, size_t n, size_t first);

/* p outside 0 .. 1 counts as the nearer of the two. */
double quantile_sorted(const double *sorted, size_t n, double p);
double median_sorted(const double *sorted, size_t n);
/* Sorts in place. */
double median_of(double *values, size_t n);
/* Of values in any order, which stay as they are. */
double median_unsorted(const double *values, size_t n);
/* The same for readings that were rounded to multiples of `step` (0: they were
 * not): the values at the median's reading are taken as spread evenly over a
 * step round it, so that their median moves as their shares do and not by
 * whole steps, 10 ns where a counter goes up by 26 ticks at a time. The grouped
 * median of textbooks; median_grouped() of Python's statistics module is the
 * same. */
double median_stepped(const double *values, size_t n, double step);
/* Above 100 000 values type 7 itself, which it then agrees with. */
double quantile_harrell_davis(const double *sorted, size_t n, double p);
/* Is quantile p worth printing: at least ten values beyond it, towards the
 * nearer end? */
int quantile_shown(size_t n, double p);

/* Tukey's fences (Exploratory Data Analysis, 1977): values beyond the inner
 * ones are mild outliers, beyond the outer ones severe. They classify; no
 * value is ever removed for lying outside. Where the quartiles are equal, as
 * a coarse clock has them, every other value is severe. */
struct fences {
	double inner_low, inner_high, outer_low, outer_high;
	size_t mild, severe; /* outliers found, severe not counted as mild */
};
struct fences fences_sorted(const double *sorted, size_t n);

#endif
