/* Groups of pairs of processors. */
#include "pair_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "interval.h"
#include "memory.h"
#include "quantile.h"
#include "text.h"

enum { PAIRS_NAMED = 4 };

struct pair_group {
	const struct processor_pair *pairs;
	size_t count;
	double middle_ns;
	bool has_interval;
	struct interval interval;
};

/* ---- figures ---------------------------------------------------------- */

static void measure_pairs(const struct results *results, unsigned metric,
	struct processor_pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double there = NAN, back = NAN;

		results_median(results, pairs[i].there, metric, &there);
		results_median(results, pairs[i].back, metric, &back);
		pairs[i].ns = (there + back) / 2;
	}
}

/* There is one clone, so its floor is the launch's median. */
static double launch_ns(const struct results *results, unsigned metric,
	const struct processor_pair *pair, unsigned launch)
{
	double there = results_launch_floor(results, pair->there, metric,
		launch, SCALE_UNIT);
	double back = results_launch_floor(results, pair->back, metric, launch,
		SCALE_UNIT);

	return (there + back) / 2;
}

/* The medians of the launches in which all pairs have figures. */
static size_t launch_middles(const struct results *results, unsigned metric,
	const struct pair_group *group, double *middles)
{
	double *ns = xmalloc(group->count * sizeof *ns);
	size_t launches = 0;

	for (unsigned launch = 0; launch < results->launch_count; launch++) {
		bool whole = true;

		for (size_t i = 0; i < group->count && whole; i++) {
			ns[i] = launch_ns(results, metric, &group->pairs[i],
				launch);
			whole = !isnan(ns[i]);
		}
		if (whole)
			middles[launches++] = median_of(ns, group->count);
	}
	free(ns);
	return launches;
}

static void measure_group(const struct results *results, unsigned metric,
	struct pair_group *group)
{
	size_t room = group->count > results->launch_count ?
		group->count :
		results->launch_count;
	double *values = xmalloc(room * sizeof *values);
	size_t launches = launch_middles(results, metric, group, values);

	values_sort(values, launches);
	group->has_interval = interval_of_median(values, launches, .95,
		&group->interval);
	if (group->has_interval) {
		group->middle_ns = median_sorted(values, launches);
	} else {
		for (size_t i = 0; i < group->count; i++)
			values[i] = group->pairs[i].ns;
		group->middle_ns = median_of(values, group->count);
	}
	free(values);
}

/* ---- names ------------------------------------------------------------ */

static bool are_disjoint(const struct pair_group *group)
{
	const struct processor_pair *pairs = group->pairs;

	for (size_t i = 0; i < group->count; i++)
		for (size_t j = 0; j < i; j++)
			if (pairs[i].from == pairs[j].from ||
				pairs[i].from == pairs[j].to ||
				pairs[i].to == pairs[j].from ||
				pairs[i].to == pairs[j].to)
				return false;
	return true;
}

/* Adds the relations of the pairs, each once. The fastest of several groups may
 * be siblings although nothing reports them: siblings are disjoint pairs. */
static void add_name(const struct pair_group *group, bool fastest,
	struct text *name)
{
	for (size_t i = 0; i < group->count; i++) {
		const char *relation =
			point_note(group->pairs[i].there, "relation");

		if (relation && !strstr(text_chars(name), relation))
			text_add(name, "%s%s", name->length ? " or " : "",
				relation);
	}
	if (fastest && !strstr(text_chars(name), "same core") &&
		are_disjoint(group))
		text_add(name, "%sdisjoint like SMT siblings or clusters of two",
			name->length ? "; " : "");
}

static void add_pairs(const struct pair_group *group, struct text *pairs)
{
	for (size_t i = 0; i < group->count && i < PAIRS_NAMED; i++)
		text_add(pairs, "%s%lld-%lld", i ? ", " : "",
			(long long)group->pairs[i].from,
			(long long)group->pairs[i].to);
	if (group->count > PAIRS_NAMED)
		text_add(pairs, ", ..");
}

/* ---- findings --------------------------------------------------------- */

static void find_group(const struct pair_group *group, const char *what,
	bool fastest, struct findings *findings)
{
	struct text pairs = { 0 }, name = { 0 }, interval = { 0 };

	add_pairs(group, &pairs);
	add_name(group, fastest, &name);
	if (group->has_interval)
		text_add(&interval, " [%.1f, %.1f]", group->interval.low,
			group->interval.high);
	struct finding *finding = finding_value(findings, "group",
		group->middle_ns, UNIT_NS,
		"%s: %zu pair%s of processors (%s) at %.1f ns%s%s%s", what,
		group->count, group->count > 1 ? "s" : "", text_chars(&pairs),
		group->middle_ns, text_chars(&interval),
		name.length ? ": " : "", text_chars(&name));
	if (group->has_interval)
		finding_interval(finding, group->interval.low,
			group->interval.high);
	text_free(&pairs);
	text_free(&name);
	text_free(&interval);
}

static int by_time(const void *a, const void *b)
{
	const struct processor_pair *p = a, *q = b;

	return (p->ns > q->ns) - (p->ns < q->ns);
}

void pair_groups_tell(const struct results *results, unsigned metric,
	const char *what, struct processor_pair *pairs, size_t count,
	struct findings *findings)
{
	measure_pairs(results, metric, pairs, count);
	qsort(pairs, count, sizeof *pairs, by_time);
	for (size_t first = 0, next; first < count; first = next) {
		next = first + 1;
		while (next < count &&
			pairs[next].ns < GROUP_STEP * pairs[next - 1].ns)
			next++;
		struct pair_group group = { .pairs = pairs + first,
			.count = next - first };
		measure_group(results, metric, &group);
		find_group(&group, what, !first && next < count, findings);
	}
}
