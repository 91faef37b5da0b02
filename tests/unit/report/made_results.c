/* Results with parameters. */
#include "made_results.h"

#include <string.h>

struct results *made_results(const char *const *params, size_t count)
{
	struct results *results = new_results();

	results->title = strdup("Made up");
	results->state = RUN_DONE;
	results->stopped.reason = STOP_MAXIMUM;
	snprintf(results->started, sizeof results->started,
		"2025-03-01T12:00:00+0100");
	results->asked = strdup("run group.name");
	for (size_t i = 0; i < count; i++) {
		ARRAY_GROW(results->param_names, results->param_count);
		results->param_names[results->param_count++] =
			strdup(params[i]);
	}
	timed_metric(results, "time");
	for (size_t i = 0; i < MADE_LAUNCHES; i++)
		new_launch(results)->number = (unsigned)i + 1;
	return results;
}

struct point *made_point(struct results *results, const char *const *values)
{
	struct point *point = results_add_point(results);

	for (size_t i = 0; i < results->param_count; i++)
		point->values[i] = strdup(values[i]);
	for (size_t m = 0; m < results->metric_count; m++)
		point->series[m].ops = 1;
	return point;
}

void made_trials(struct results *results, size_t at, size_t each, double ns,
	unsigned flags)
{
	size_t launches = results->launch_count;

	for (size_t i = 0; i < launches; i++) {
		struct visit *visit =
			point_add_visit(results, &results->points[at]);

		visit->launch = (unsigned)i;
		for (size_t k = 0; k < each; k++)
			new_trial(results, at, 0, (uint64_t)llround(40 + ns),
				flags);
	}
}
