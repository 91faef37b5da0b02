/* Draws frequency and load of the processors, as rows of the map or as text. */
#include <math.h>
#include <stdio.h>

#include "view_machine.h"

/* A processor with at least this load is not idle. */
static const double notable = .1;
/* A smaller load would be displayed as 0 %. */
static const double shown_least = .005;

static double core_hz(const struct cpu_now *now,
	const struct cpu_map_core *core)
{
	double hz = 0;

	/* Threads of a core share one clock, and a sleeping thread reports an
	 * old rate. So take the highest. */
	for (size_t i = 0; i < core->threads; i++)
		if (core->cpu[i] < CPUS_MAX)
			hz = fmax(hz, now->hz[core->cpu[i]]);
	return hz;
}

static double busy_of(const struct cpu_now *now, size_t cpu)
{
	return cpu < CPUS_MAX ? now->busy[cpu] : NAN;
}

/* Is the frequency of any processor known? */
static bool knows_hz(const struct cpu_now *now)
{
	for (size_t i = 0; i < CPUS_MAX; i++)
		if (now->hz[i] > 0)
			return true;
	return false;
}

static bool knows_busy(const struct cpu_now *now)
{
	return now->span_s > 0;
}

/* ---- rows of the map -------------------------------------------------- */

static int busy_rows(const struct inspection *inspection)
{
	return knows_busy(&inspection->now) ? (int)inspection->map.threads : 0;
}

static void draw_hz(const struct inspection *inspection, int width,
	const struct pane *row)
{
	const struct cpu_map *map = &inspection->map;

	pane_chars(row, 1, 0, ROLE_DIM, "GHz");
	for (size_t i = 0; i < map->cores; i++) {
		double hz = core_hz(&inspection->now, &map->core[i]);

		if (hz > 0)
			pane_text(row, MAP_NOW_LABEL + (int)i * width, 0,
				ROLE_TEXT, "%.1f", hz / 1e9);
	}
}

static void draw_busy(const struct inspection *inspection, size_t thread,
	int width, const struct pane *row)
{
	const struct cpu_map *map = &inspection->map;

	pane_chars(row, thread ? 2 : 1, 0, ROLE_DIM, thread ? "smt" : "busy");
	for (size_t i = 0; i < map->cores; i++) {
		const struct cpu_map_core *core = &map->core[i];
		double busy = thread < core->threads ?
			busy_of(&inspection->now, (size_t)core->cpu[thread]) :
			NAN;

		if (!isnan(busy))
			pane_text(row, MAP_NOW_LABEL + (int)i * width, 0,
				busy < notable ? ROLE_TEXT : ROLE_STRONG,
				"%.0f%%", busy * 100);
	}
}

/* ---- text ------------------------------------------------------------- */

static void say_hz(const struct cpu_now *now, int measures, struct text *text)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < CPUS_MAX; i++) {
		if (!(now->hz[i] > 0))
			continue;
		least = fmin(least, now->hz[i]);
		most = fmax(most, now->hz[i]);
	}
	/* The difference is below the displayed precision. */
	if (most - least < .05e9) {
		text_add(text, "%.1f, each processor", most / 1e9);
		return;
	}
	text_add(text, "%.1f to %.1f", least / 1e9, most / 1e9);
	if (measures >= 0 && measures < CPUS_MAX && now->hz[measures] > 0)
		text_add(text, ", cpu %d %.1f", measures,
			now->hz[measures] / 1e9);
}

/* The processor that follows `last` in order of falling load; equal loads in
 * order of number. -1: there is none. */
static int next_busiest(const struct cpu_now *now, int last)
{
	int best = -1;

	for (int i = 0; i < CPUS_MAX; i++) {
		double busy = now->busy[i];
		bool behind = last < 0 || busy < now->busy[last] ||
			(i > last && !(busy > now->busy[last]));

		if (!isnan(busy) && behind &&
			(best < 0 || busy > now->busy[best]))
			best = i;
	}
	return best;
}

static void say_rest(const struct cpu_now *now, int busiest, struct text *text)
{
	text_clear(text);
	if (busiest >= 0)
		text_add(text, ", rest up to %.0f%%", now->busy[busiest] * 100);
}

/* Writes "24% cpu 11, 6% cpu 6, rest up to 4%": the busiest first, as many as
 * fit, but at least one. */
static void say_busy(const struct cpu_now *now, int room, struct text *text)
{
	int next = next_busiest(now, -1);
	struct text more = { 0 }, rest = { 0 };
	bool fits = true;

	if (next < 0 || now->busy[next] < shown_least) {
		text_add(text, "0%%, each processor");
		return;
	}
	text_add(text, "%.0f%% cpu %d", now->busy[next] * 100, next);
	while (fits && (next = next_busiest(now, next)) >= 0) {
		text_clear(&more);
		text_add(&more, ", %.0f%% cpu %d", now->busy[next] * 100, next);
		say_rest(now, next_busiest(now, next), &rest);
		fits = now->busy[next] >= shown_least &&
			text->length + more.length + rest.length <=
				(size_t)room;
		if (!fits)
			say_rest(now, next, &more);
		if (text->length + more.length <= (size_t)room)
			text_add(text, "%s", more.chars);
	}
	text_free(&more);
	text_free(&rest);
}

static void draw_words(const struct inspection *inspection, int measures,
	const struct pane *pane)
{
	const struct cpu_now *now = &inspection->now;
	struct text text = { 0 };
	int row = 0;

	if (knows_hz(now)) {
		pane_chars(pane, 1, row, ROLE_DIM, "GHz");
		say_hz(now, measures, &text);
		pane_chars(pane, MAP_NOW_LABEL, row++, ROLE_TEXT, text.chars);
	}
	text_clear(&text);
	if (knows_busy(now)) {
		pane_chars(pane, 1, row, ROLE_DIM, "busy");
		say_busy(now, pane->columns - MAP_NOW_LABEL, &text);
		pane_chars(pane, MAP_NOW_LABEL, row, ROLE_TEXT,
			text_chars(&text));
	}
	text_free(&text);
}

/* ---- both ------------------------------------------------------------- */

int machine_now_rows(const struct inspection *inspection, bool in_words)
{
	const struct cpu_now *now = &inspection->now;

	return knows_hz(now) +
		(in_words ? knows_busy(now) : busy_rows(inspection));
}

void machine_now(const struct inspection *inspection, int measures,
	int cell_width, const struct pane *pane)
{
	struct pane row = pane_part(pane, 0, 0, pane->columns, 1);

	if (!cell_width) {
		draw_words(inspection, measures, pane);
		return;
	}
	if (knows_hz(&inspection->now)) {
		draw_hz(inspection, cell_width, &row);
		row.row++;
	}
	for (int i = 0; i < busy_rows(inspection); i++, row.row++)
		draw_busy(inspection, (size_t)i, cell_width, &row);
}

void machine_say_span(const struct inspection *inspection, struct text *text)
{
	double span_s = inspection->now.span_s;

	if (!knows_busy(&inspection->now))
		return;
	if (span_s < 120)
		text_add(text, "busy over %.0f s", span_s);
	else if (span_s < 120 * 60)
		text_add(text, "busy over %.0f min", span_s / 60);
	else
		text_add(text, "busy over %.0f h", span_s / 3600);
}
