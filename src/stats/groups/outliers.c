/* Machines that differ from the others. */
#include "outliers.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

/* Of the median absolute deviation, against the standard deviation. */
#define EFFICIENCY .37

struct outliers outliers_find(const double *figures, size_t n, double expected,
	struct outlier *out)
{
	/* The quartile of the standard normal distribution, inverted. */
	const double scale = 1.4826;
	struct outliers found = { NAN, NAN };
	double *work = xcalloc(n + 1, sizeof *work);

	for (size_t i = 0; i < n; i++)
		work[i] = log(figures[i]);
	double centre = median_unsorted(work, n);
	for (size_t i = 0; i < n; i++) {
		out[i].away = work[i] - centre;
		work[i] = fabs(out[i].away);
	}
	if (n) {
		double seen = scale * median_of(work, n);

		found.centre = exp(centre);
		found.spread = sqrt(((double)n * seen * seen +
					    OUTLIERS_PRIOR * expected *
						    expected) /
			(double)(n + OUTLIERS_PRIOR));
	}
	double freedom = EFFICIENCY * ((double)n - 1) + OUTLIERS_PRIOR;
	for (size_t i = 0; i < n; i++)
		out[i].p = n > 1 ? 2 * gsl_cdf_tdist_Q(fabs(out[i].away) /
							found.spread,
						freedom) :
				   1;
	free(work);
	return found;
}
