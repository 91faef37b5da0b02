/* Quantiles, deviations and fences from sorted values. */
#include "quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "memory.h"

/* Beyond this many values the two estimators agree far within their own
 * error, and the continued fraction of the beta law nears its limit. */
enum { HARRELL_DAVIS_MAX = 100000 };

void values_sort(double *values, size_t n)
{
	gsl_sort(values, 1, n);
}

double *values_sorted_copy(const double *values, size_t n)
{
	double *copy = xmalloc(n * sizeof *copy);

	if (n)
		memcpy(copy, values, n * sizeof *copy);
	values_sort(copy, n);
	return copy;
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

/* The weight of rank i is the chance that a Beta(a, b) variable falls in
 * ((i-1)/n, i/n]. Ranks beyond ten of its standard deviations weigh less than
 * rounding and are not visited. */
double quantile_harrell_davis(const double *sorted, size_t n, double p)
{
	if (n < 2 || n > HARRELL_DAVIS_MAX || p <= 0 || p >= 1)
		return quantile_sorted(sorted, n, p);
	double size = (double)n;
	double a = (size + 1) * p, b = (size + 1) * (1 - p);
	double reach = 10 * sqrt(p * (1 - p) / (size + 2));
	size_t first = (size_t)(size * fmax(p - reach, 0));
	size_t end = (size_t)ceil(size * fmin(p + reach, 1));
	double before = 0, sum = 0;

	for (size_t i = first; i < end; i++) {
		double upto = gsl_cdf_beta_P((double)(i + 1) / size, a, b);

		sum += sorted[i] * (upto - before);
		before = upto;
	}
	return sum + sorted[end - 1] * (1 - before);
}

int quantile_shown(size_t n, double p)
{
	double beyond = (double)n * fmin(p, 1 - p);

	return beyond >= 10 - 1e-9; /* 100 (1 - .9) is a little below ten */
}

double mad_sorted(const double *sorted, size_t n)
{
	if (!n)
		return NAN;
	double *work = xmalloc(n * sizeof *work);
	double mad = gsl_stats_mad0(sorted, 1, n, work);

	free(work);
	return mad;
}

struct fences fences_sorted(const double *sorted, size_t n)
{
	double low = quantile_sorted(sorted, n, .25);
	double high = quantile_sorted(sorted, n, .75);
	double range = high - low;
	struct fences fences = {
		.inner_low = low - 1.5 * range,
		.inner_high = high + 1.5 * range,
		.outer_low = low - 3 * range,
		.outer_high = high + 3 * range,
	};

	for (size_t i = 0; i < n; i++) {
		double value = sorted[i];

		if (value < fences.outer_low || value > fences.outer_high)
			fences.severe++;
		else if (value < fences.inner_low || value > fences.inner_high)
			fences.mild++;
	}
	return fences;
}
