/* Lists of points: what is watched, which points several sessions have. */
#include <stdlib.h>
#include <string.h>

#include "kept_points.h"
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

bool *kept_points_repeated(const struct kept_points *points)
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

const char *kept_watched(const struct experiment *const *experiments,
	const char *name)
{
	for (; experiments && *experiments; experiments++)
		if (!strcmp((*experiments)->name, name))
			return (*experiments)->watched;
	return NULL;
}

void kept_points_free(struct kept_points *points)
{
	for (size_t i = 0; i < points->count; i++) {
		free(points->list[i].setting);
		free(points->list[i].launches);
	}
	free(points->list);
	for (size_t i = 0; i < points->session_count; i++) {
		surroundings_free(points->sessions[i]);
		free(points->sessions[i]);
	}
	free(points->sessions);
	*points = (struct kept_points){ 0 };
}

bool kept_point_has(const struct kept_point *point, const char *pair)
{
	size_t length = strlen(pair);
	const char *at = point->setting;

	while (at && *at) {
		if (!strncmp(at, pair, length) &&
			(!at[length] || at[length] == ' '))
			return true;
		at = strchr(at, ' ');
		at += at ? 1 : 0;
	}
	return false;
}

bool kept_point_counts(const struct kept_point *point)
{
	return point->quality == QUALITY_GOOD ||
		point->quality == QUALITY_ROUGH;
}
