/* Levels of memory: from the kernel, from findings, and from the line
 * itself. */
#include "sweep_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "memory.h"
#include "memory_level.h"
#include "quality.h"
#include "quantile.h"
#include "session.h"

static bool says_levels(const struct curves *curves)
{
	/* The unit bytes is not enough: a stride is in bytes too. */
	if (curves->across < 0 ||
		strcmp(curves->params[curves->across].name, "size") != 0)
		return false;
	for (size_t i = 0; i < curves->results->point_count; i++)
		if (point_note(&curves->results->points[i], "level"))
			return true;
	return false;
}

/* ---- known sizes ------------------------------------------------------ */

static void add_level(struct cache_levels *levels, const char *name,
	double nominal)
{
	struct cache_level *level = &levels->list[levels->count];

	if (levels->count == LEVELS_MOST)
		return;
	*level = (struct cache_level){ .nominal = nominal,
		.value = NAN,
		.times = 1 };
	snprintf(level->name, sizeof level->name, "%s", name);
	levels->count++;
}

/* The session's machine if known, else this machine if it was read already.
 * Reading it takes longer than a drawing may. */
static const struct machine *machine_of(const struct screen *screen)
{
	const struct lab *lab = screen->lab;

	return machine_is_known(&lab->session->machine) ?
		&lab->session->machine :
		lab->machine_known ? &lab->machine :
				     NULL;
}

static void list_caches(struct cache_levels *levels,
	const struct screen *screen)
{
	const struct machine *machine = machine_of(screen);

	for (size_t i = 0; machine && i < machine->cache_count; i++)
		if (strcmp(machine->caches[i].name, "L1i") != 0 &&
			levels->count < LEVELS_MOST - 1)
			add_level(levels, machine->caches[i].name,
				machine->caches[i].size_bytes);
	if (!levels->count)
		for (int i = 0; i < 3; i++)
			add_level(levels,
				memory_level_name(
					(enum memory_level)(LEVEL_L1 + i)),
				0);
}

static void take_found(struct cache_level *level, const struct finding *finding)
{
	level->found = level->low = level->high = finding->value;
	if (finding->has_interval) {
		level->low = finding->interval.low;
		level->high = finding->interval.high;
	}
}

static void take_findings(struct cache_levels *levels,
	const struct session *session)
{
	const struct results *results =
		session_last_providing(session, QUANTITY_CACHE_SIZES);

	for (size_t i = 0; results && i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		for (size_t k = 0; k < levels->count; k++) {
			struct cache_level *level = &levels->list[k];

			if (strcmp(level->name, finding->name) != 0 ||
				!finding->has_value || !(finding->value > 0) ||
				finding->uncertain)
				continue;
			take_found(level, finding);
		}
	}
}

static void fit_to_line(struct cache_levels *levels,
	const struct results *results, const struct curve *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (levels_fit_to_point(levels, results, line->points[i]))
			return;
}

/* ---- the line's own knees and medians --------------------------------- */

/* The median of a point; NaN if it has not enough data for a knee or a
 * level. */
static double sound_value(const struct figures *figures, size_t point)
{
	const struct point_figures *row = &figures->points[point];
	bool sound = row->any && row->quality != QUALITY_NOT_ENOUGH;

	return sound ? row->median : NAN;
}

/* Assigns each knee to the level with the nearest end. */
static void take_knees(struct cache_levels *levels, const struct knees *knees)
{
	double ends[LEVELS_MOST];
	size_t next = 0;

	for (size_t i = 0; i < levels->count; i++)
		ends[i] = level_end(&levels->list[i]);
	for (size_t i = 0; i < knees->count && next < levels->count; i++) {
		const struct step *step = &knees->list[i];
		size_t at = steps_nearest(ends, levels->count, next,
			step->capacity);
		struct cache_level *level = &levels->list[at];

		level->knee = step->capacity / level->times;
		level->knee_low = step->least / level->times;
		level->knee_high = step->most / level->times;
		level->knee_uncertain = step->uncertain;
		next = at + 1;
	}
}

void levels_found(struct cache_levels *levels, const struct screen *screen)
{
	*levels = (struct cache_levels){ .by = "kernel", .ends = UNIT_BYTES };
	list_caches(levels, screen);
	take_findings(levels, screen->lab->session);
	if (!levels_have_found(levels))
		levels->count = 0;
}

/* The median over the part of a curve that a level serves. For memory, only the
 * larger half counts: part of a smaller array is still in a cache. */
static void find_value(struct cache_level *level,
	const struct cache_level *const *serving, const double *y, size_t n)
{
	double *values = xcalloc(n + 1, sizeof *values);
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(y[i]) && serving[i] == level)
			values[count++] = y[i];
	size_t first = level_end(level) > 0 ? 0 : count / 2;
	if (count)
		level->value = median_of(values + first, count - first);
	free(values);
}

/* Finds each level's median from the points of a line. */
static void find_values_of_line(struct cache_levels *levels,
	const struct curves *curves, const struct curve *line,
	const struct figures *figures)
{
	double *y = xcalloc(line->count + 1, sizeof *y);
	const struct cache_level **serving =
		xcalloc(line->count + 1, sizeof *serving);

	for (size_t i = 0; i < line->count; i++) {
		size_t point = line->points[i];

		y[i] = sound_value(figures, point);
		serving[i] = level_serving_point(levels, curves->results, point,
			curves_value(curves, curves->across, point));
	}
	for (size_t i = 0; i < levels->count; i++)
		find_value(&levels->list[i], serving, y, line->count);
	free(serving);
	free(y);
}

static void find_values_of_trace(struct cache_levels *levels, const double *x,
	const double *y, size_t n)
{
	const struct cache_level **serving = xcalloc(n + 1, sizeof *serving);

	for (size_t i = 0; i < n; i++)
		serving[i] = level_serving(levels, x[i]);
	for (size_t i = 0; i < levels->count; i++)
		find_value(&levels->list[i], serving, y, n);
	free(serving);
}

/* Drops caches with neither a known size nor a knee. Without any cache, nothing
 * shows which sizes memory serves. */
static void drop_unknown(struct cache_levels *levels)
{
	size_t kept = 0;

	for (size_t i = 0; i < levels->count; i++) {
		const struct cache_level *level = &levels->list[i];

		if (level_end(level) > 0 || level->knee > 0 ||
			(kept && i + 1 == levels->count))
			levels->list[kept++] = *level;
	}
	levels->count = kept;
}

static void take_own(struct cache_levels *levels, const struct results *results,
	const struct finding *knee)
{
	const char *expected = NULL;
	struct cache_level *level = &levels->list[0];

	for (size_t i = 0; i < results->point_count && !expected; i++)
		expected = point_note(&results->points[i], "expected");
	add_level(levels, "cache", expected ? strtod(expected, NULL) : 0);
	add_level(levels, "disk", 0);
	level->found = level->knee = knee->value;
	level->knee_low = knee->has_interval ? knee->interval.low : knee->value;
	level->knee_high =
		knee->has_interval ? knee->interval.high : knee->value;
	level->low = level->knee_low;
	level->high = level->knee_high;
	levels->searched = true;
	levels->by = "model";
}

void levels_of(struct cache_levels *levels, const struct screen *screen,
	const struct curves *curves, size_t line, const struct figures *figures)
{
	struct knees knees;
	const struct finding *knee = curves_knee(curves);

	*levels = (struct cache_levels){ .by = "kernel",
		.ends = UNIT_BYTES,
		.unit = curves->results->metrics[0].unit };
	if (line >= curves->line_count)
		return;
	levels->live = figures->live;
	levels->by_size = says_levels(curves);
	if (levels->by_size) {
		list_caches(levels, screen);
		take_findings(levels, screen->lab->session);
		fit_to_line(levels, curves->results, &curves->lines[line]);
		if (!figures->live) {
			levels->searched = levels_knees(curves, line, &knees);
			take_knees(levels, &knees);
		}
		add_level(levels, memory_level_name(LEVEL_MEMORY), 0);
		drop_unknown(levels);
	} else if (knee && knee->unit == UNIT_BYTES) {
		take_own(levels, curves->results, knee);
	}
	find_values_of_line(levels, curves, &curves->lines[line], figures);
}

/* ---- what a run has found along a trace ------------------------------- */

static const struct finding *finding_named(const struct results *results,
	const char *name)
{
	for (size_t i = 0; i < results->findings.count; i++) {
		const struct finding *finding = &results->findings.list[i];

		if (!strcmp(finding->name, name) && finding->has_value &&
			finding->value > 0)
			return finding;
	}
	return NULL;
}

static double nominal_of(const struct screen *screen, const char *name)
{
	const struct machine *machine = machine_of(screen);

	for (size_t i = 0; machine && i < machine->cache_count; i++)
		if (!strcmp(machine->caches[i].name, name))
			return machine->caches[i].size_bytes;
	return 0;
}

/* Adds a level that the run has found. Levels known only to the kernel are
 * omitted. */
static void add_found(struct cache_levels *levels, const struct screen *screen,
	const struct finding *finding)
{
	struct cache_level *level = &levels->list[levels->count];

	if (levels->count == LEVELS_MOST - 1)
		return;
	add_level(levels, finding->name, nominal_of(screen, finding->name));
	take_found(level, finding);
	level->knee = level->found;
	level->knee_low = level->low;
	level->knee_high = level->high;
	level->knee_uncertain = finding->uncertain;
}

/* Is there such a level? The kernel reports caches only, so a level of the TLB
 * is always assumed to exist. */
static bool is_expected(const struct cache_levels *levels,
	const struct screen *screen, const char *name)
{
	return levels->ends != UNIT_BYTES || nominal_of(screen, name) > 0;
}

void levels_of_trace(struct cache_levels *levels, const struct screen *screen,
	const struct results *results, const struct metric *row,
	const double *x, const double *y, size_t n)
{
	const char *names = row->levels;
	char name[sizeof levels->list->name];
	bool unseen = false;
	int used;

	*levels = (struct cache_levels){ .by = "kernel",
		.traced = true,
		.searched = true,
		.ends = row->across_unit,
		.unit = row->unit };
	for (; sscanf(names, "%7s%n", name, &used) == 1; names += used) {
		const struct finding *finding = finding_named(results, name);
		bool last = !names[used];

		if (finding)
			add_found(levels, screen, finding);
		/* An unseen cache may follow the found ones. The last name is
		 * what follows all of them, so it is not a cache. */
		if (!last)
			unseen = !finding && is_expected(levels, screen, name);
	}
	if (levels->count)
		add_level(levels, unseen ? "beyond" : name, 0);
	find_values_of_trace(levels, x, y, n);
}
