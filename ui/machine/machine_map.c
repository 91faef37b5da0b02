/* Draws the processors as a map. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amounts.h"
#include "digest.h"
#include "memory_level.h"
#include "view_machine.h"

enum {
	LABEL = 5, /* columns */
	SIZE = 6,
	CELL_LEAST = 3,
	CELL_MOST = 7,
	CELL_NOW = 5 /* minimum width for "100%" */
};

/* The median latency of one point that the level serves: the middle one in the
 * order of the results. Only points with the access order of the first point
 * count. */
static double level_time(const struct results *results, enum memory_level level)
{
	const struct point *served[64];
	const char *order = point_value(results, results->points, "order");
	size_t count = 0;
	double time;

	for (size_t p = 0; p < results->point_count && count < 64; p++) {
		const struct point *point = &results->points[p];
		const char *way = point_value(results, point, "order");

		if (point_served_by(point, level) && order && way &&
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
	const struct results *results =
		session_last_providing(session, QUANTITY_LOCAL_LOAD);

	if (results == inspection->latency)
		return;
	inspection->latency = results;
	for (size_t i = 0; i <= map->levels; i++)
		inspection->level_ns[i] = results && results->point_count ?
			level_time(results,
				i < map->levels ?
					memory_level_named(map->level[i].name) :
					LEVEL_MEMORY) :
			NAN;
}

/* The width of a core in columns: a blank and the largest number, or more if
 * there is room. */
static int cell_width(const struct cpu_map *map, int columns)
{
	const struct cpu_map_core *last = &map->core[map->cores - 1];
	char number[16];
	int least = 1 +
		snprintf(number, sizeof number, "%d",
			last->cpu[last->threads - 1]);
	int fits = columns / (int)map->cores;

	least = least < CELL_LEAST ? CELL_LEAST : least;
	return fits < least ? least : fits > CELL_MOST ? CELL_MOST : fits;
}

/* The layout of the map at a given size. */
struct map_layout {
	int label;    /* columns before the first core */
	int width;    /* columns of a core */
	size_t shown; /* number of cores shown */
	int now;      /* rows of frequency and load: */
	bool words; /* as text, because cells are too narrow or too many */
};

/* Lays out the map and returns its rows. Processors, caches, memory and caption
 * are required: without room for them it returns 0. Frequency and load are
 * optional. */
static int lay_map(const struct inspection *inspection, int columns, int rows,
	struct map_layout *layout)
{
	const struct cpu_map *map = &inspection->map;
	int least = (int)(map->threads + map->levels) + 2;

	if (!map->cores || rows < least)
		return 0;
	layout->label = MAP_NOW_LABEL;
	layout->width = cell_width(map, columns - layout->label - SIZE);
	layout->now = machine_now_rows(inspection, false);
	layout->shown = map->cores;
	layout->words = layout->width < CELL_NOW || map->left_out ||
		layout->label + (int)map->cores * layout->width + SIZE >
			columns ||
		layout->now > rows - least;
	if (!layout->words)
		return least + layout->now;
	layout->label = LABEL;
	layout->width = cell_width(map, columns - LABEL - SIZE);
	int room = (columns - LABEL - SIZE) / layout->width;
	if (room < 1)
		layout->shown = 1;
	else if ((size_t)room < map->cores)
		layout->shown = (size_t)room;
	layout->now = machine_now_rows(inspection, true);
	if (layout->now > rows - least)
		layout->now = 0;
	return least + layout->now;
}

int machine_map_rows(const struct inspection *inspection, int columns, int rows)
{
	struct map_layout layout;

	return lay_map(inspection, columns, rows, &layout);
}

static void draw_threads(const struct cpu_map *map, size_t thread,
	const struct map_layout *layout, int measures, const struct pane *row)
{
	pane_chars(row, 1, 0, ROLE_DIM, thread ? "smt" : "cpu");
	for (size_t i = 0; i < layout->shown; i++) {
		const struct cpu_map_core *core = &map->core[i];
		bool here = core->cpu[thread] == measures;
		int column = layout->label + (int)i * layout->width - here;

		if (thread >= core->threads)
			continue;
		/* A bracket uses the blank before the next number. */
		pane_text(row, column, 0, here ? ROLE_STRONG : ROLE_TEXT,
			here ? "[%d]" : "%d", core->cpu[thread]);
	}
}

/* Draws a row of blocks; each block spans the cores that share a cache. */
static void draw_level(const struct cpu_map_level *level,
	const struct map_layout *layout, const struct pane *row)
{
	struct text size = { 0 };

	pane_chars(row, 1, 0, ROLE_DIM, level->name);
	for (size_t i = 0; i < layout->shown; i++) {
		bool goes_on = i + 1 < layout->shown &&
			level->share[i + 1] == level->share[i];
		int column = layout->label + (int)i * layout->width;

		if (level->share[i] < 0)
			continue;
		for (int k = 0; k < layout->width - !goes_on; k++)
			pane_glyph(row, column + k, 0, GLYPH_SHADE,
				ROLE_SERIES);
	}
	amount_size(&size, level->size_bytes);
	if (level->size_bytes > 0)
		pane_right(row, 0, ROLE_TEXT, size.chars);
	text_free(&size);
}

static void draw_memory(double bytes, const struct map_layout *layout,
	const struct pane *row)
{
	struct text size = { 0 };

	pane_chars(row, 1, 0, ROLE_DIM, "mem");
	for (int i = 0; i < layout->width * (int)layout->shown - 1; i++)
		pane_glyph(row, layout->label + i, 0, GLYPH_SHADE_LIGHT,
			ROLE_SERIES_2);
	amount_size(&size, bytes);
	pane_right(row, 0, ROLE_TEXT, size.chars);
	text_free(&size);
}

/* Draws the latency of a level beside its size, if there is room. */
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

static void say_caption(const struct inspection *inspection,
	const struct map_layout *layout, int measures, int room,
	struct text *text)
{
	const struct cpu_map *map = &inspection->map;
	size_t more = map->cores - layout->shown + map->left_out;
	struct text span = { 0 };

	if (measures >= 0)
		text_add(text, "[%d] measures", measures);
	else
		text_add(text, "no processor chosen yet");
	if (more)
		text_add(text, "; %zu more cores", more);
	if (layout->now)
		machine_say_span(inspection, &span);
	if (span.length && text->length + 2 + span.length <= (size_t)room)
		text_add(text, "; %s", span.chars);
	text_free(&span);
}

void machine_map(const struct inspection *inspection, int measures,
	double memory_bytes, const struct pane *pane)
{
	const struct cpu_map *map = &inspection->map;
	struct text caption = { 0 };
	struct map_layout layout;
	int row = 0;

	if (!lay_map(inspection, pane->columns, pane->rows, &layout))
		return;
	struct pane line = pane_part(pane, 0, 0, 0, 1);
	line.columns = layout.label + (int)layout.shown * layout.width + SIZE;
	if (line.columns > pane->columns - 1)
		line.columns = pane->columns - 1;
	for (size_t i = 0; i < map->threads; i++, line.row++, row++)
		draw_threads(map, i, &layout, measures, &line);
	struct pane now = pane_part(pane, 0, row, pane->columns - 1,
		layout.now);
	machine_now(inspection, measures, layout.words ? 0 : layout.width,
		&now);
	line.row += layout.now;
	row += layout.now;
	for (size_t i = 0; i < map->levels; i++, line.row++, row++) {
		draw_level(&map->level[i], &layout, &line);
		draw_time(inspection, i, line.columns, row, pane);
	}
	draw_memory(memory_bytes, &layout, &line);
	draw_time(inspection, map->levels, line.columns, row, pane);
	say_caption(inspection, &layout, measures, pane->columns - 2, &caption);
	pane_chars(pane, 1, row + 1, ROLE_DIM, caption.chars);
	text_free(&caption);
}
