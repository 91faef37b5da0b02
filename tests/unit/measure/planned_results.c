/* Results of points that are visited in some launches. */
#include "planned_results.h"

#include <math.h>

struct results *results_of(size_t points)
{
	struct results *results = results_new("group.name");

	results_add_metric(results, "time", "time", UNIT_NS, LESS_IS_BETTER,
		METRIC_TIMED, false);
	results->clock = (struct clock_facts){ .hz = 1e9, .quantum = 1 };
	for (size_t i = 0; i < points; i++)
		results_add_point(results);
	return results;
}

void add_visit(struct results *results, size_t at, double location,
	unsigned trials, unsigned flags)
{
	struct point *point = &results->points[at];
	struct visit *visit = point_add_visit(results, point);
	struct series *series = &point->series[0];

	visit->launch = (unsigned)results->launch_count - 1;
	visit->trials = trials;
	series->ops = 1;
	for (unsigned i = 0; i < trials; i++) {
		*(uint64_t *)column_add(&series->raw) =
			(uint64_t)llround(location * TICKS);
		column_add(&series->flags);
		series->slices[point->visit_count - 1].count++;
	}
	for (unsigned i = 0; flags && i < trials; i++)
		disturb_flag(results, at, point->visit_count - 1, i, flags);
}
