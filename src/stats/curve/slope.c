/* The line of Theil and Sen. */
#include "slope.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "memory.h"
#include "quantile.h"

/* Sum of t (t-1) (2t+5) over groups of t equal values. */
static double tie_term(const double *values, size_t n)
{
	double *sorted = values_sorted_copy(values, n);
	double sum = 0;

	for (size_t i = 0, ties; i < n; i += ties) {
		ties = ties_sorted(sorted, n, i);
		double t = (double)ties;
		sum += t * (t - 1) * (2 * t + 5);
	}
	free(sorted);
	return sum;
}

/* Sen 1968, equation 2.6, with the same correction for ties of y. */
double kendall_variance(const double *x, const double *y, size_t n)
{
	double size = (double)n;
	double all = size * (size - 1) * (2 * size + 5);

	return fmax(all - tie_term(x, n) - tie_term(y, n), 0) / 18;
}

/* The slopes of all pairs with distinct x; `slopes` has room for n (n-1) / 2.
 * Returns their number. */
static size_t pair_slopes(const double *x, const double *y, size_t n,
	double *slopes)
{
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (x[i] != x[j])
				slopes[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
	return pairs;
}

static double median_of_copy(const double *values, size_t n)
{
	double *sorted = values_sorted_copy(values, n);
	double median = median_sorted(sorted, n);

	free(sorted);
	return median;
}

/* The median, and Sen's interval: the slopes of rank (N - C)/2 and
 * (N + C)/2 + 1 of N, where C is the .975 quantile of S. A rank out of range
 * means the first or last slope. Of millions of slopes, only these are put in
 * order. */
static void choose_slopes(double *slopes, size_t pairs, double variance,
	struct slope *line)
{
	double reach = gsl_cdf_ugaussian_Pinv(.975) * sqrt(variance);
	double count = (double)pairs, last = count - 1;
	double low = fmax(nearbyint((count - reach) / 2) - 1, 0);
	double high = fmin(nearbyint((count + reach) / 2), last);
	const double p[] = { low / last, .5, high / last };

	values_select(slopes, pairs, p, 3);
	line->slope = median_sorted(slopes, pairs);
	line->low = slopes[(size_t)low];
	line->high = slopes[(size_t)high];
}

bool slope_theil_sen(const double *x, const double *y, size_t n,
	struct slope *line)
{
	if (n < 2)
		return false;
	double *slopes = xmalloc(n * (n - 1) / 2 * sizeof *slopes);
	size_t pairs = pair_slopes(x, y, n, slopes);

	if (pairs) {
		choose_slopes(slopes, pairs, kendall_variance(x, y, n), line);
		line->intercept = median_of_copy(y, n);
		line->intercept -= line->slope * median_of_copy(x, n);
	}
	free(slopes);
	return pairs > 0;
}
