/* Figures corrected by the memory ruler. */
#include "ruled.h"

#include <math.h>
#include <stdlib.h>

#include "digest.h"
#include "memory.h"
#include "quantile.h"
#include "regime.h"

enum { LAUNCHES_LEAST = 6 }; /* of both sides together, for a slope */

/* ---- launches --------------------------------------------------------- */

/* The median ruler reading of a launch, net ticks; NaN: no readings. */
static double ruler_of(const struct results *results, const struct point *point,
	unsigned launch)
{
	const struct ruler_reading *reading = point->ruler.data;
	double *ticks = xmalloc((point->ruler.count + 1) * sizeof *ticks);
	size_t count = 0;

	for (size_t v = 0; v < point->visit_count; v++) {
		const struct visit *visit = &point->visits[v];

		for (size_t i = 0;
			visit->launch == launch && i < visit->ruler_count; i++)
			ticks[count++] = reading[visit->ruler_first + i].ticks -
				results->launches[launch].overhead;
	}
	double median = count ? median_unsorted(ticks, count) : NAN;
	free(ticks);
	return median > 0 ? median : NAN;
}

size_t ruled_launches(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, enum regime regime,
	struct ruled_launch **list)
{
	struct launch_figures *figures;
	size_t all =
		results_launch_figures(results, point, metric, scale, &figures);
	size_t count = 0;

	*list = xmalloc((all + 1) * sizeof **list);
	for (size_t i = 0; i < all; i++)
		if (!isnan(figures[i].median[regime]))
			(*list)[count++] = (struct ruled_launch){
				.launch = figures[i].launch,
				.value = figures[i].median[regime],
				.ruler = ruler_of(results, point,
					figures[i].launch),
			};
	free(figures);
	return count;
}

double ruled_reference(const struct ruled_launch *list, size_t count)
{
	double *rulers = xmalloc((count + 1) * sizeof *rulers);
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].ruler > 0)
			rulers[n++] = list[i].ruler;
	double median = n ? median_of(rulers, n) : NAN;
	free(rulers);
	return median;
}

/* ---- how values depend on the ruler ----------------------------------- */

struct points {
	double *x, *y;
	size_t count;
};

/* Adds logarithms, minus the medians of their group. */
static void add_group(const struct ruled_launch *list, size_t count,
	struct points *points)
{
	double *x = points->x + points->count, *y = points->y + points->count;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!(list[i].ruler > 0) || !(list[i].value > 0))
			continue;
		x[n] = log(list[i].ruler);
		y[n++] = log(list[i].value);
	}
	if (!n)
		return;
	double middle_x = median_unsorted(x, n);
	double middle_y = median_unsorted(y, n);
	for (size_t i = 0; i < n; i++) {
		x[i] -= middle_x;
		y[i] -= middle_y;
	}
	points->count += n;
}

struct ruled_fit ruled_fit_of(const struct ruled_launch *first,
	size_t first_count, const struct ruled_launch *second,
	size_t second_count)
{
	size_t most = first_count + second_count + 1;
	struct points points = { xmalloc(most * sizeof(double)),
		xmalloc(most * sizeof(double)), 0 };
	struct ruled_fit fit = {
		.ratio = ruled_reference(second, second_count) /
			ruled_reference(first, first_count),
	};
	struct slope slope;

	add_group(first, first_count, &points);
	add_group(second, second_count, &points);
	if (points.count >= LAUNCHES_LEAST &&
		slope_theil_sen(points.x, points.y, points.count, &slope)) {
		fit.beta = slope.slope;
		fit.low = slope.low;
		fit.high = slope.high;
		fit.applies = slope.low > 0 || slope.high < 0;
	}
	free(points.x);
	free(points.y);
	return fit;
}

double ruled_value(const struct ruled_fit *fit,
	const struct ruled_launch *launch, double reference)
{
	if (!fit->applies || !(launch->ruler > 0) || !(reference > 0))
		return launch->value;
	return launch->value * pow(launch->ruler / reference, -fit->beta);
}
