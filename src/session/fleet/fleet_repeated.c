/* Points that several files of a fleet have. */
#include "fleet_repeated.h"

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
