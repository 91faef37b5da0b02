/* Collecting trials: for figures, for screens, for findings. */
#include "gather.h"

#include <math.h>
#include <stdlib.h>

#include "memo.h"
#include "memory.h"
#include "quantile.h"

void gathered_free(struct gathered *all)
{
	free(all->values);
	free(all->groups);
}

static size_t most_values(const struct point *point, unsigned metric)
{
	size_t most = point->series[metric].raw.count;

	for (size_t v = 0; v < point->visit_count; v++)
		most += point->visits[v].trials;
	return most;
}

size_t visit_trials(const struct results *results, const struct point *point,
	unsigned metric, size_t visit)
{
	if (results->metrics[metric].kind == METRIC_VALUE)
		return point->series[metric].slices[visit].count;
	return point->visits[visit].trials;
}

size_t trial_step(const struct results *results)
{
	return results->each > 1 ? results->each : 1;
}

/* By how much one reading of the clock differs from the next, in the scale; 0
 * for sums and reciprocals of readings, which are no multiples of anything. */
static double step_of(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale)
{
	double step_ns = results_quantum(results, point, metric);

	if (point->series[metric].derived)
		return 0;
	return scale == SCALE_CYCLES ? step_ns * 1e-9 * results->clock.core_hz :
				       step_ns;
}

void gather_from(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, unsigned excludes, size_t visit,
	struct gathered *all)
{
	double step = step_of(results, point, metric, scale);

	*all = (struct gathered){ 0 };
	all->values = xmalloc(most_values(point, metric) * sizeof *all->values);
	all->groups = xmalloc((point->visit_count + 1) * sizeof *all->groups);
	for (size_t v = visit; v < point->visit_count; v++) {
		size_t first = all->value_count;
		size_t n = visit_trials(results, point, metric, v);

		for (size_t i = 0; i < n; i += trial_step(results)) {
			double value;
			unsigned flags;

			if (results_trial(results, point, metric, v, i, scale,
				    &value, &flags) &&
				!(flags & excludes) && isfinite(value))
				all->values[all->value_count++] = value;
		}
		all->groups[all->group_count++] = (struct group){
			.launch = point->visits[v].launch,
			.values = all->values + first,
			.n = all->value_count - first,
			.step = step,
		};
	}
}

void gather(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, unsigned excludes,
	struct gathered *all)
{
	gather_from(results, point, metric, scale, excludes, 0, all);
}

static double group_median(const struct group *group)
{
	return median_stepped(group->values, group->n, group->step);
}

size_t clone_medians(const struct point *point, const struct gathered *all,
	double medians[CLONES_MAX])
{
	double *one = xmalloc((all->group_count + 1) * sizeof *one);
	size_t count = 0;

	for (unsigned c = 0; c < CLONES_MAX; c++) {
		size_t n = 0;

		for (size_t v = 0; v < all->group_count; v++)
			if (point->visits[v].clone == c && all->groups[v].n)
				one[n++] = group_median(&all->groups[v]);
		if (n)
			medians[count++] = median_of(one, n);
	}
	free(one);
	return count;
}

size_t results_values(const struct results *results, const struct point *point,
	unsigned metric, enum scale scale, double **values, uint16_t **flags)
{
	size_t most = most_values(point, metric);
	size_t count = 0;

	*values = xmalloc(most * sizeof **values);
	if (flags)
		*flags = xmalloc(most * sizeof **flags);
	for (size_t v = 0; v < point->visit_count; v++) {
		size_t n = visit_trials(results, point, metric, v);

		for (size_t i = 0; i < n; i += trial_step(results)) {
			double value;
			unsigned marks;

			if (!results_trial(results, point, metric, v, i, scale,
				    &value, &marks) ||
				!isfinite(value) || (marks & FLAGS_NO_FIGURE))
				continue;
			if (flags)
				(*flags)[count] = (uint16_t)marks;
			(*values)[count++] = value;
		}
	}
	return count;
}

/* When each launch that has trials was made. */
static void launch_times(const struct results *results,
	const struct gathered *all, double *at_s)
{
	size_t filled = 0;

	for (size_t i = 0; i < all->group_count;) {
		unsigned launch = all->groups[i].launch;
		size_t trials = 0;

		for (; i < all->group_count && all->groups[i].launch == launch;
			i++)
			trials += all->groups[i].n;
		if (trials)
			at_s[filled++] = results->launches[launch].at_s;
	}
}

size_t gathered_launches(const struct results *results,
	const struct gathered *all, double *medians, double *at_s)
{
	launch_times(results, all, at_s);
	return launch_medians(all->groups, all->group_count, medians);
}

size_t results_launch_medians(const struct results *results,
	const struct point *point, unsigned metric, enum scale scale,
	double **medians, double **at_s)
{
	size_t most = point->visit_count + 1, visit = 0;
	struct gathered all;
	double *at;

	*medians = xmalloc(most * sizeof **medians);
	at = xmalloc(most * sizeof *at);
	size_t count = memo_launches(results, point, metric, scale, *medians,
		at, &visit);
	gather_from(results, point, metric, scale, scale_excludes(scale), visit,
		&all);
	count += gathered_launches(results, &all, *medians + count, at + count);
	gathered_free(&all);
	if (at_s)
		*at_s = at;
	else
		free(at);
	return count;
}

double results_launch_floor(const struct results *results,
	const struct point *point, unsigned metric, unsigned launch,
	enum scale scale)
{
	struct gathered all;
	double floor = NAN;

	gather(results, point, metric, scale, scale_excludes(scale), &all);
	for (size_t v = 0; v < all.group_count; v++) {
		const struct group *group = &all.groups[v];

		if (group->launch == launch && group->n)
			floor = fmin(floor, group_median(group));
	}
	gathered_free(&all);
	return floor;
}
