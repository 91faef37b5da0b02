/* Interval of the median by the inverted sign test. */
#include "interval.h"

#include <gsl/gsl_cdf.h>

/* P(Bin(n, 1/2) < k) */
static double tail(size_t n, size_t k)
{
	return k ? gsl_cdf_binomial_P((unsigned)(k - 1), .5, (unsigned)n) : 0;
}

bool interval_of_median(const double *sorted, size_t n, double level,
	struct interval *interval)
{
	double most = (1 - level) / 2 + 1e-12; /* a tail may equal it */
	size_t k = 0, beyond = n / 2 + 1;      /* the tail grows with k */

	while (beyond - k > 1) {
		size_t middle = k + (beyond - k) / 2;

		if (tail(n, middle) <= most)
			k = middle;
		else
			beyond = middle;
	}
	if (!k)
		return false;
	interval->low = sorted[k - 1];
	interval->high = sorted[n - k];
	interval->coverage = 1 - 2 * tail(n, k);
	interval->k = k;
	return true;
}
