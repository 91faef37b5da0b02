/* Traces of all launches, combined to one curve. */
#include "load_curve.h"

#include <stdlib.h>

#include "dots.h"
#include "memory.h"

void load_curve_pool(const struct results *results, unsigned metric,
	struct load_curve *curve)
{
	const struct column *trace = &results->points[0].series[metric].trace;
	const struct trace_point *points = trace->data;
	struct dot *dots = xcalloc(trace->count + 1, sizeof *dots);
	size_t n = 0;

	/* A file may contain more points than were ever measured. */
	for (size_t i = 0; i < trace->count; i++)
		dots[n++] = (struct dot){ points[i].x, points[i].y };
	curve->n = dots_count(dots, n) <= LOAD_CURVE_MOST ?
		dots_medians(dots, n, curve->x, curve->y) :
		0;
	free(dots);
}

double load_curve_line(const struct load_curve *pairs)
{
	for (size_t i = 1; i < pairs->n; i++)
		if (pairs->y[i] > 1.25 * pairs->y[0])
			return pairs->x[i];
	return 0;
}
