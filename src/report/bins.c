/* From trials to bins. */
#include "bins.h"

#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

void bins_of(const struct results *results, const struct point *point,
	unsigned metric, size_t columns, struct histogram *histogram)
{
	double *values;
	uint16_t *flags;
	size_t kept = 0;
	size_t n = results_values(results, point, metric, SCALE_UNIT, &values,
		&flags);
	double *clean = xmalloc((n + 1) * sizeof *clean);

	for (size_t i = 0; i < n; i++)
		if (!flags[i])
			clean[kept++] = values[i];
	values_sort(clean, kept);
	histogram_layout(histogram, clean, kept,
		results_quantum(results, point, metric), columns,
		HISTOGRAM_AUTO);
	for (size_t i = 0; i < n; i++)
		histogram_add(histogram, values[i], flags[i] != 0);
	free(values);
	free(flags);
	free(clean);
}

size_t bins_highest(const struct histogram *histogram)
{
	size_t most = 1;

	for (size_t i = 0; i < histogram->bins; i++)
		if (histogram->count[i] + histogram->marked[i] > most)
			most = histogram->count[i] + histogram->marked[i];
	return most;
}
