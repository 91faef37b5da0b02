/* mem.latency's figure of memory, among earlier results. */
#include "memory_load.h"

#include <string.h>

static bool served_by_memory(const struct point *point)
{
	const char *level = point_note(point, "level");

	return level && !strcmp(level, "memory");
}

/* The last such point of a run: sizes ascend, and the largest is the least in
 * a cache. */
static bool load_in(const struct results *results, bool local,
	struct range *load_ns)
{
	int metric = results_metric(results, "load");
	bool found = false;

	for (size_t i = 0; metric >= 0 && i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		const char *order = point_value(results, point, "order");
		struct digest digest;

		if (point->state != POINT_OK || !served_by_memory(point) ||
			(local && (!order || strcmp(order, "local"))) ||
			!digest_of(results, point, (unsigned)metric, &digest) ||
			!digest.clean.trials)
			continue;
		found = true;
		load_ns->low = load_ns->high = digest.clean.median;
		if (digest.clean.has_interval)
			*load_ns = (struct range){ digest.clean.interval.low,
				digest.clean.interval.high };
	}
	return found;
}

bool memory_load(const struct facts *facts, struct range *load_ns)
{
	for (size_t i = facts->earlier_count; i-- > 0;) {
		const struct results *results = facts->earlier[i];

		if (!strcmp(results->experiment, "mem.latency") &&
			(load_in(results, true, load_ns) ||
				load_in(results, false, load_ns)))
			return true;
	}
	return false;
}
