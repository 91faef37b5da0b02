/* The processors as a map. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view_machine.h"
#include "view_sweep.h"

enum { LABEL = 5, SIZE = 6, CELL_LEAST = 3, CELL_MOST = 7 };

/* The middle one of the points that a level served, in the order the run has
 * first. */
static double level_time(const struct results *results, const char *name)
{
	const struct point *served[64];
	const char *order = point_value(results, results->points, "order");
	size_t count = 0;
	double time;

	for (size_t p = 0; p < results->point_count && count < 64; p++) {
		const struct point *point = &results->points[p];
		const char *level = point_note(point, "level");
		const char *way = point_value(results, point, "order");

		if (level && !strcmp(level, name) && order && way &&
			!strcmp(order, way))
			served[count++] = point;
	}
	return count && results_median(results, served[count / 2], 0, &time) ?
		time :
		NAN;
}

void machine_latencies(struct inspection *inspection,
	const struct session *session)
{
	const struct cpu_map *map = &inspection->map;
	const struct results *results = session_last(session, "mem.latency");

	if (results == inspection->latency)
		return;
	inspection->latency = results;
	for (size_t i = 0; i <= map->levels; i++)
		inspection->level_ns[i] = results && results->point_count ?
			level_time(results,
				i < map->levels ? map->level[i].name :
						  "memory") :
			NAN;
}

int machine_map_rows(const struct inspection *inspection)
{
	const struct cpu_map *map = &inspection->map;

	/* Processors, caches, memory, and who measures. */
	return map->cores ? (int)(map->threads + map->levels) + 2 : 0;
}

/* Columns of a core: a blank and the largest number, or more where there is
 * room. */
static int cell_width(const struct cpu_map *map, int columns)
{
	const struct cpu_map_core *last = &map->core[map->cores - 1];
	char number[16];
	int least = 1 +
		snprintf(number, sizeof number, "%d",
			last->cpu[last->threads - 1]);
	int fits = (columns - LABEL - SIZE) / (int)map->cores;

	least = least < CELL_LEAST ? CELL_LEAST : least;
	return fits < least ? least : fits > CELL_MOST ? CELL_MOST : fits;
}

static void draw_threads(const struct cpu_map *map, size_t thread, int width,
	size_t shown, int measures, const struct pane *row)
{
	pane_chars(row, 1, 0, ROLE_DIM, thread ? "smt" : "cpu");
	for (size_t i = 0; i < shown; i++) {
		const struct cpu_map_core *core = &map->core[i];
		bool here = core->cpu[thread] == measures;
		int column = LABEL + (int)i * width - here;

		if (thread >= core->threads)
			continue;
		/* A bracket takes the blank before the next number. */
		pane_text(row, column, 0, here ? ROLE_STRONG : ROLE_TEXT,
			here ? "[%d]" : "%d", core->cpu[thread]);
	}
}

/* Blocks that end where another cache begins. */
static void draw_level(const struct cpu_map_level *level, int width,
	size_t shown, const struct pane *row)
{
	struct text size = { 0 };

	pane_chars(row, 1, 0, ROLE_DIM, level->name);
	for (size_t i = 0; i < shown; i++) {
		bool goes_on =
			i + 1 < shown && level->share[i + 1] == level->share[i];
		int column = LABEL + (int)i * width;

		if (level->share[i] < 0)
			continue;
		for (int k = 0; k < width - !goes_on; k++)
			pane_glyph(row, column + k, 0, GLYPH_SHADE,
				ROLE_SERIES);
	}
	say_size(&size, level->size_bytes);
	if (level->size_bytes > 0)
		pane_right(row, 0, ROLE_TEXT, size.chars);
	text_free(&size);
}

static void draw_memory(double bytes, int width, size_t shown,
	const struct pane *row)
{
	struct text size = { 0 };

	pane_chars(row, 1, 0, ROLE_DIM, "mem");
	for (int i = 0; i < width * (int)shown - 1; i++)
		pane_glyph(row, LABEL + i, 0, GLYPH_SHADE_LIGHT, ROLE_SERIES_2);
	say_size(&size, bytes);
	pane_right(row, 0, ROLE_TEXT, size.chars);
	text_free(&size);
}

/* Beside the size, where there is room. */
static void draw_time(const struct inspection *inspection, size_t level,
	int column, int row, const struct pane *pane)
{
	double ns = inspection->level_ns[level];
	struct text time = { 0 };

	if (!inspection->latency || !isfinite(ns))
		return;
	unit_show(&time, UNIT_NS, ns);
	if (column + 2 + (int)time.length <= pane->columns)
		pane_chars(pane, column + 2, row, ROLE_STRONG, time.chars);
	text_free(&time);
}

static void say_caption(const struct cpu_map *map, size_t shown, int measures,
	struct text *text)
{
	size_t more = map->cores - shown + map->left_out;

	if (measures >= 0)
		text_add(text, "[%d] measures", measures);
	else
		text_add(text, "no run has chosen a processor yet");
	if (more)
		text_add(text, "; %zu more cores", more);
}

void machine_map(const struct inspection *inspection, int measures,
	double memory_bytes, const struct pane *pane)
{
	const struct cpu_map *map = &inspection->map;
	struct text caption = { 0 };
	int row = 0;

	if (!map->cores || pane->rows < machine_map_rows(inspection))
		return;
	int width = cell_width(map, pane->columns);
	int room = (pane->columns - LABEL - SIZE) / width;
	size_t shown = room < 1           ? 1 :
		(size_t)room < map->cores ? (size_t)room :
					    map->cores;
	struct pane line = pane_part(pane, 0, 0, LABEL + SIZE, 1);
	line.columns = LABEL + (int)shown * width + SIZE;
	if (line.columns > pane->columns - 1)
		line.columns = pane->columns - 1;
	for (size_t i = 0; i < map->threads; i++, line.row++, row++)
		draw_threads(map, i, width, shown, measures, &line);
	for (size_t i = 0; i < map->levels; i++, line.row++, row++) {
		draw_level(&map->level[i], width, shown, &line);
		draw_time(inspection, i, line.columns, row, pane);
	}
	draw_memory(memory_bytes, width, shown, &line);
	draw_time(inspection, map->levels, line.columns, row, pane);
	say_caption(map, shown, measures, &caption);
	pane_chars(pane, 1, row + 1, ROLE_DIM, caption.chars);
	text_free(&caption);
}
