/* From trials to bins. */
#include "bins.h"

#include <stdlib.h>

#include "memory.h"
#include "quantile.h"
#include "regime.h"

void bins_of(const struct results *results, const struct point *point,
	unsigned metric, size_t columns, struct histogram *histogram)
{
	enum regime regime = results_regime(results, point, metric);
	double *values;
	uint16_t *flags;
	size_t kept = 0;
	size_t n = results_values(results, point, metric, SCALE_UNIT, &values,
		&flags);
	double *sorted = xmalloc((n + 1) * sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		if (regime_shows(regime, SCALE_UNIT, flags[i]) !=
			SHOWN_EXCLUDED)
			sorted[kept++] = values[i];
	values_sort(sorted, kept);
	histogram_layout(histogram, sorted, kept,
		results_quantum(results, point, metric), columns,
		HISTOGRAM_AUTO);
	for (size_t i = 0; i < n; i++)
		histogram_add(histogram, values[i],
			regime_shows(regime, SCALE_UNIT, flags[i]));
	free(values);
	free(flags);
	free(sorted);
}
