/* Knees, plateaus, and the kernel's sizes. */
#include "levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"
#include "memory_level.h"
#include "quantile.h"

enum { CURVE_LEAST = 12 }; /* fewest points for a search for steps */

#define WITHIN .8  /* without a knee, a plateau ends at this multiple of the
		    * kernel's size */
#define BEYOND 1.25

static double size_at(const struct curves *curves, size_t line, size_t i)
{
	return curves_value(curves, curves->across,
		curves->lines[line].points[i]);
}

static const struct point *point_at(const struct curves *curves, size_t line,
	size_t i)
{
	return &curves->results->points[curves->lines[line].points[i]];
}

/* ---- list of levels --------------------------------------------------- */

static double kernel_size(const struct machine *machine, const char *name)
{
	for (size_t i = 0; machine && i < machine->cache_count; i++)
		if (!strcmp(machine->caches[i].name, name))
			return machine->caches[i].size_bytes;
	return 0;
}

static struct level level_of(enum memory_level level,
	const struct machine *machine)
{
	const char *name = memory_level_name(level);

	return (struct level){
		.name = name,
		.kernel = kernel_size(machine, name),
		.until = NAN,
		.value = NAN,
		.cycles = NAN,
	};
}

/* Lists the levels in ascending order of size. */
static size_t list_levels(const struct curves *curves, size_t line,
	const struct machine *machine, struct level levels[LEVELS_MOST])
{
	bool there[MEMORY_LEVELS] = { false };
	size_t count = 0;

	for (size_t i = 0; i < curves->lines[line].count; i++) {
		struct serving serving;

		if (point_serving(point_at(curves, line, i), &serving))
			there[serving.level] = there[serving.also] = true;
	}
	for (int l = LEVEL_UNKNOWN + 1; l < MEMORY_LEVELS; l++)
		if (there[l] && count < LEVELS_MOST)
			levels[count++] =
				level_of((enum memory_level)l, machine);
	return count;
}

/* ---- ends of levels --------------------------------------------------- */

bool levels_knees(const struct curves *curves, size_t line, struct knees *knees)
{
	size_t n = curves->lines[line].count, count = 0;
	double *x = xcalloc(2 * n + 1, sizeof *x), *y = x + n;
	bool rate = curves->results->metrics[0].better == MORE_IS_BETTER;

	for (size_t i = 0; i < n; i++) {
		struct digest digest;

		if (!digest_of(curves->results, point_at(curves, line, i), 0,
			    &digest) ||
			!(digest.median_all > 0))
			continue;
		double value = digest.headline > 0 ? digest.headline :
						     digest.median_all;
		x[count] = size_at(curves, line, i);
		y[count++] = rate ? 1 / value : value;
	}
	bool enough = count >= CURVE_LEAST;
	knees->count =
		enough ? steps_find(x, y, count, NULL, 0, knees->list) : 0;
	free(x);
	return enough;
}

/* Assigns each knee to one level, and the next knee to a later level. */
static void take_knees(struct level *levels, size_t count,
	const struct knees *knees)
{
	double sizes[LEVELS_MOST];
	size_t next = 0;

	for (size_t i = 0; i < count; i++)
		sizes[i] = levels[i].kernel;
	for (size_t i = 0; i + 1 < count; i++) {
		levels[i].high = levels[i].kernel > 0 ?
			levels[i].kernel * WITHIN :
			NAN;
		levels[i + 1].low = levels[i].kernel > 0 ?
			levels[i].kernel * BEYOND :
			NAN;
	}
	levels[0].low = 0;
	levels[count - 1].high = INFINITY;
	for (size_t k = 0; k < knees->count && next + 1 < count; k++) {
		const struct step *knee = &knees->list[k];
		/* The last level is the memory behind all caches. */
		size_t at = steps_nearest(sizes, count - 1, next,
			knee->capacity);

		levels[at].until = knee->capacity;
		levels[at].uncertain = knee->uncertain;
		levels[at].high = knee->start;
		levels[at + 1].low = knee->end;
		next = at + 1;
	}
}

/* ---- times of levels -------------------------------------------------- */

static void find_plateau(const struct curves *curves, size_t line,
	struct level *level)
{
	size_t n = curves->lines[line].count, count = 0, counted = 0;
	double *values = xcalloc(2 * n + 1, sizeof *values);
	double *cycles = values + n;

	for (size_t i = 0; i < n; i++) {
		const struct point *point = point_at(curves, line, i);
		double size = size_at(curves, line, i);
		struct digest digest;

		if (!(size >= level->low && size <= level->high) ||
			point->state != POINT_OK ||
			!digest_of(curves->results, point, 0, &digest) ||
			digest.quality == QUALITY_NOT_ENOUGH)
			continue;
		values[count++] = digest.headline;
		if (digest.has_cycles)
			cycles[counted++] = digest.cycles.median;
	}
	if (count)
		level->value = median_of(values, count);
	if (counted)
		level->cycles = median_of(cycles, counted);
	free(values);
}

size_t levels_of_line(const struct curves *curves, size_t line,
	const struct machine *machine, struct level levels[LEVELS_MOST])
{
	struct knees knees;

	/* Other parameters, like a stride, are in bytes too. */
	if (strcmp(curves->params[curves->across].name, "size") != 0)
		return 0;
	size_t count = list_levels(curves, line, machine, levels);
	if (!count)
		return 0;
	bool searched = levels_knees(curves, line, &knees);
	/* A virtual machine may have less of a cache than the kernel
	 * reports. */
	if (knees.count >= count && count < LEVELS_MOST &&
		strcmp(levels[count - 1].name,
			memory_level_name(LEVEL_MEMORY)) != 0)
		levels[count++] = level_of(LEVEL_MEMORY, machine);
	take_knees(levels, count, &knees);
	for (size_t i = 0; i < count; i++) {
		levels[i].searched = searched;
		find_plateau(curves, line, &levels[i]);
	}
	return count;
}
