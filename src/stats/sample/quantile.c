/* Quantiles, medians and fences. */
#include "quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "memory.h"

/* Beyond this number of values the two estimators agree far within their own
 * error, and the continued fraction of the beta distribution nears its
 * limit. */

void values_sort(double *values, size_t n)
{
	gsl_sort(values, 1, n);
}

static double *values_copy(const double *values, size_t n)
{
	double *copy = xmalloc(n * sizeof *copy);

	if (n)
		memcpy(copy, values, n * sizeof *copy);
	return copy;
}

double *values_sorted_copy(const double *values, size_t n)
{
	double *copy = values_copy(values, n);

	values_sort(copy, n);
	return copy;
}

/* Partially sorts values first .. end - 1, the only ones that may still be out
 * of place. The middle quantile of the list splits them, so that each other
 * quantile is searched on one side only. Type 7 also needs the next value. A
 * rank outside the range belongs to an adjacent quantile's pair, which is
 * already in place. */
static void select_between(double *values, size_t n, size_t first, size_t end,
	const double *p, size_t count)
{
	size_t middle = count / 2;

	if (!count || first >= end)
		return;
	size_t rank = (size_t)(fmin(fmax(p[middle], 0), 1) * (double)(n - 1));
	if (rank < first)
		rank = first;
	if (rank >= end)
		rank = end - 1;
	gsl_stats_select(values + first, 1, end - first, rank - first);
	if (rank + 1 < end)
		gsl_stats_select(values + rank + 1, 1, end - rank - 1, 0);
	select_between(values, n, first, rank, p, middle);
	select_between(values, n, rank + 2, end, p + middle + 1,
		count - middle - 1);
}

void values_select(double *values, size_t n, const double *p, size_t count)
{
	select_between(values, n, 0, n, p, count);
}

size_t ties_sorted(const double *sorted, size_t n, size_t first)
{
	size_t end = first + 1;

	while (end < n && sorted[end] == sorted[first])
		end++;
	return end - first;
}

double quantile_sorted(const double *sorted, size_t n, double p)
{
	if (!n)
		return NAN;
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n,
		fmin(fmax(p, 0), 1));
}

double median_sorted(const double *sorted, size_t n)
{
	return quantile_sorted(sorted, n, .5);
}

double median_of(double *values, size_t n)
{
	values_sort(values, n);
	return median_sorted(values, n);
}

double midmean_of(double *values, size_t n)
{
	double low = (double)n / 4, high = (double)n - low, sum = 0;

	values_sort(values, n);
	if (values[0] == values[n - 1]) /* may be infinite */
		return values[0];
	for (size_t i = 0; i < n; i++) {
		double from = fmax((double)i, low);
		double to = fmin((double)i + 1, high);

		if (to > from)
			sum += (to - from) * (values[i] - values[0]);
	}
	return values[0] + sum / (high - low);
}

double median_unsorted(const double *values, size_t n)
{
	static const double half = .5;
	double *copy = values_copy(values, n);

	values_select(copy, n, &half, 1);
	double median = median_sorted(copy, n);
	free(copy);
	return median;
}

double median_stepped(const double *values, size_t n, double step)
{
	double median = median_unsorted(values, n);
	size_t below = 0, at = 0;

	if (step <= 0 || !n)
		return median;
	for (size_t i = 0; i < n; i++) {
		double off = values[i] - median;

		below += off <= -step / 4;
		at += fabs(off) < step / 4;
	}
	/* Between two readings, equally many values are on either side. */
	if (!at)
		return median;
	return median +
		step * (((double)n / 2 - (double)below) / (double)at - .5);
}

int quantile_shown(size_t n, double p)
{
	double beyond = (double)n * fmin(p, 1 - p);

	return beyond >= 10 - 1e-9; /* 100 (1 - .9) is a little below ten */
}

struct fences fences_sorted(const double *sorted, size_t n)
{
	double low = quantile_sorted(sorted, n, .25);
	double high = quantile_sorted(sorted, n, .75);
	double range = high - low;

	return (struct fences){ low - 3 * range, high + 3 * range };
}
