/* Load latency from earlier results. */
#include "memory_load.h"

#include <string.h>

#include "digest.h"
#include "facts.h"
#include "memory_level.h"
#include "unit.h"

enum { LINE_BYTES = 64 };

/* Each load must be in a line of its own; otherwise most loads hit a cache. */
static bool waits_for_memory(const struct results *results,
	const struct point *point)
{
	const char *stride = point_value(results, point, "stride");
	struct error error;
	double stride_bytes;

	return point_served_by(point, LEVEL_MEMORY) && stride &&
		!unit_parse(UNIT_BYTES, stride, strlen(stride), &stride_bytes,
			&error) &&
		stride_bytes >= LINE_BYTES;
}

/* The last such point of a run: sizes ascend, and the largest is least
 * cached. */
static bool load_in(const struct results *results, enum quantity quantity,
	struct range *load_ns)
{
	const struct provision *row =
		provision_row(results->descriptor, quantity);
	int metric = row ? results_metric(results, row->metric) : -1;
	bool found = false;

	for (size_t i = 0; metric >= 0 && i < results->point_count; i++) {
		const struct point *point = &results->points[i];
		struct digest digest;

		if (point->state != POINT_OK ||
			!point_matches(results, point, row->where) ||
			!waits_for_memory(results, point) ||
			!digest_of(results, point, (unsigned)metric, &digest) ||
			!digest.summary.trials)
			continue;
		found = true;
		load_ns->low = load_ns->high = digest.summary.median;
		if (digest.summary.has_interval)
			*load_ns = (struct range){ digest.summary.interval.low,
				digest.summary.interval.high };
	}
	return found;
}

const struct results *memory_load(const struct facts *facts,
	struct range *load_ns)
{
	for (size_t i = facts->earlier_count; i-- > 0;) {
		const struct results *results = facts->earlier[i];

		if (load_in(results, QUANTITY_LOCAL_LOAD, load_ns) ||
			load_in(results, QUANTITY_RANDOM_LOAD, load_ns))
			return results;
	}
	return NULL;
}
