/* Points that several files of a fleet have. */
#include "fleet_repeated.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static int compare_whole(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* The points of one identity in one setting are neighbours, in the order of
 * their files. */
static int by_identity(const void *a, const void *b)
{
	const struct kept_point *one = *(const struct kept_point *const *)a;
	const struct kept_point *other = *(const struct kept_point *const *)b;
	int order = compare_whole(one->identity, other->identity);

	if (!order)
		order = strcmp(one->setting, other->setting);
	return order ? order : compare_whole(one->session, other->session);
}

bool *fleet_find_repeated(const struct kept_points *points)
{
	const struct kept_point **sorted =
		xcalloc(points->count + 1, sizeof(*sorted));
	bool *repeated = xcalloc(points->count + 1, sizeof *repeated);
	const struct kept_point *first = NULL;

	for (size_t i = 0; i < points->count; i++)
		sorted[i] = &points->list[i];
	qsort(sorted, points->count, sizeof(*sorted), by_identity);
	for (size_t i = 0; i < points->count; i++) {
		const struct kept_point *point = sorted[i];

		if (!first || first->identity != point->identity ||
			strcmp(first->setting, point->setting) != 0)
			first = point;
		/* Equal points of one file are points of their own. */
		repeated[point - points->list] =
			first->session != point->session;
	}
	free(sorted);
	return repeated;
}

void fleet_count_repeated(const struct kept_points *points,
	const bool *repeated, struct fleet_repeated *counts)
{
	*counts = (struct fleet_repeated){ 0 };
	/* The points of a file are neighbours, and those of a run in it. */
	for (size_t i = 0, next; i < points->count; i = next) {
		const struct kept_point *list = points->list;
		size_t runs = 0;
		bool whole = true;

		for (next = i; next < points->count &&
			list[next].session == list[i].session; next++) {
			whole = whole && repeated[next];
			runs += repeated[next] &&
				(next == i || !repeated[next - 1] ||
					list[next - 1].run != list[next].run);
		}
		if (whole)
			counts->files++;
		else
			counts->runs += runs;
	}
}
