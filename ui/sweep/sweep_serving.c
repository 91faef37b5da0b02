/* Finds the level of memory that serves a point. */
#include <string.h>

#include "memory_level.h"
#include "sweep_levels.h"

double level_size(const struct cache_level *level)
{
	return level->found > 0 ? level->found : level->nominal;
}

double level_end(const struct cache_level *level)
{
	return level_size(level) * level->times;
}

static double bytes_of(const char *value)
{
	double bytes;
	struct error error;

	return value &&
			!unit_parse(UNIT_BYTES, value, strlen(value), &bytes,
				&error) ?
		bytes :
		0;
}

/* Nodes further apart than a cache line skip lines. The array then fills a
 * cache only at this multiple of the cache's size. */
static double spread_of(const struct results *results,
	const struct point *point)
{
	enum { LINE_BYTES = 64 };
	double stride = bytes_of(point_value(results, point, "stride"));

	return stride > LINE_BYTES ? stride / LINE_BYTES : 1;
}

/* The last cache is shared by all cores; the other caches are private to
 * one. */
bool levels_fit_to_point(struct cache_levels *levels,
	const struct results *results, size_t at)
{
	const struct point *point = &results->points[at];
	double size = bytes_of(point_value(results, point, "size"));
	double share = bytes_of(point_note(point, "share"));
	double threads = bytes_of(point_note(point, "threads"));
	double spread = spread_of(results, point);
	bool shared = size > 0 && share > 0 && threads > 0;

	for (size_t k = 0; k < levels->count; k++)
		levels->list[k].times = !shared ? spread :
			k + 1 < levels->count   ? size / share :
						  size / share / threads;
	return shared;
}

bool levels_have_found(const struct cache_levels *levels)
{
	for (size_t i = 0; i < levels->count; i++)
		if (levels->list[i].found > 0)
			return true;
	return false;
}

const struct cache_level *level_serving(const struct cache_levels *levels,
	double bytes)
{
	for (size_t i = 0; i < levels->count; i++) {
		const struct cache_level *level = &levels->list[i];
		double end = level_end(level);

		if (end > 0 && bytes > .8 * end && bytes < 1.25 * end)
			return NULL;
		if (!(end > 0) || bytes < end)
			return level;
	}
	return NULL;
}

const struct cache_level *level_serving_point(const struct cache_levels *levels,
	const struct results *results, size_t point, double bytes)
{
	struct serving serving;

	if (levels_have_found(levels) ||
		!point_serving(&results->points[point], &serving))
		return level_serving(levels, bytes);
	for (size_t i = 0; i < levels->count; i++)
		if (point_served_by(&results->points[point],
			    memory_level_named(levels->list[i].name)))
			return &levels->list[i];
	return serving.also ? NULL : level_serving(levels, bytes);
}

void levels_say_serving(const struct cache_levels *found,
	const struct results *results, size_t point, struct text *text)
{
	const char *note = point_note(&results->points[point], "level");
	const char *with = "";
	struct cache_levels levels = *found;
	double bytes =
		bytes_of(point_value(results, &results->points[point], "size"));

	if (!note || !levels.count || !(bytes > 0)) {
		note = point_level(&results->points[point]);
		text_add(text, "%s", note ? note : "");
		return;
	}
	levels_fit_to_point(&levels, results, point);
	for (size_t i = 0; i < levels.count; i++) {
		const struct cache_level *level = &levels.list[i];

		if (!(level_end(level) > 0) || bytes >= 1.25 * level_end(level))
			continue;
		text_add(text, "%s%s", with, level->name);
		if (bytes <= .8 * level_end(level))
			return;
		with = " and ";
	}
	text_add(text, "%smemory", with);
}
