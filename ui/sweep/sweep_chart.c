/* Lines: figures along a parameter, with the levels of memory and the probe. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "amounts.h"
#include "draw_line.h"
#include "memory.h"
#include "view_sweep.h"

enum {
	LABELS_ROOM = 50, /* from this many columns: lines have labels */
	LABEL_MOST = 24,  /* maximum columns of a label */
	HEAD_ROWS = 8,    /* from this many rows: a head above the plot */
	KNEES_ROWS = 13,  /* from this many rows: the knees below the plot */
};

/* ---- the lines -------------------------------------------------------- */

/* The data of one line. x owns the memory of y, low and high. */
struct drawn {
	double *x, *y, *low, *high;
	bool *doubtful;
	char *label;
};

static char *make_label(const struct scene *scene, const struct curve *line,
	double last)
{
	struct text text = { 0 };

	if (*line->label)
		text_add(&text, "%s ", line->label);
	if (isfinite(last))
		amount_short(&text, scene->results->metrics[0].unit, last);
	char *label = xstrdup(text_chars(&text));
	text_free(&text);
	return label;
}

static void take_line(const struct scene *scene, const struct curve *line,
	struct drawn *drawn)
{
	bool marks = scene_mostly_clean(scene);
	double last = NAN;

	drawn->x = xcalloc(4 * line->count + 1, sizeof(double));
	drawn->y = drawn->x + line->count;
	drawn->low = drawn->y + line->count;
	drawn->high = drawn->low + line->count;
	drawn->doubtful = xcalloc(line->count + 1, sizeof(bool));
	for (size_t i = 0; i < line->count; i++) {
		size_t point = line->points[i];
		const struct point_figures *row =
			&scene->figures->points[point];

		drawn->x[i] = curves_value(&scene->curves, scene->curves.across,
			point);
		drawn->y[i] = scene_value(scene, point);
		drawn->low[i] = row->low;
		drawn->high[i] = row->high;
		drawn->doubtful[i] = marks && !row->any;
		/* A point without visits is not measured yet and is omitted. A
		 * published figure has no visits either, but it has a value. */
		if (!row->visits && !isfinite(drawn->y[i]))
			drawn->x[i] = NAN;
		if (isfinite(drawn->y[i]))
			last = drawn->y[i];
	}
	drawn->label = make_label(scene, line, last);
}

static void free_drawn(struct drawn *drawn, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(drawn[i].x);
		free(drawn[i].doubtful);
		free(drawn[i].label);
	}
	free(drawn);
}

/* The colour changes with each line and the dash every few lines; the
 * combination repeats after 16. The line under the probe is drawn last, on
 * top. */
static void list_series(const struct scene *scene, const struct drawn *drawn,
	bool labels, struct line_series *series)
{
	size_t count = scene->curves.line_count;

	for (size_t k = 0; k < count; k++) {
		size_t i = (scene->line + 1 + k) % count;

		series[k] = (struct line_series){
			.x = drawn[i].x,
			.y = drawn[i].y,
			.low = scene->options->intervals ? drawn[i].low : NULL,
			.high = drawn[i].high,
			.doubtful = drawn[i].doubtful,
			.n = scene->curves.lines[i].count,
			.role = (enum role)(ROLE_SERIES + i % 4),
			.dash = (enum dash)((i + i / 4) % DASHES),
			.label = labels ? drawn[i].label : NULL,
		};
	}
}

/* ---- above the plot --------------------------------------------------- */

/* Writes the longest name of a level that fits `room`; "" if none fits. */
static void name_level(const struct cache_levels *levels,
	const struct cache_level *level, int room, struct text *name)
{
	enum { PLAIN, SIZED, TIMED };

	for (int way = TIMED; way >= PLAIN; way--) {
		text_clear(name);
		text_add(name, "%s", level->name);
		if (way >= SIZED && level_size(level) > 0) {
			text_add_char(name, ' ');
			level_say_end(levels, level_size(level), name);
		}
		if (way == TIMED && isfinite(level->value)) {
			text_add(name, "  ");
			amount_short(name, levels->unit, level->value);
		}
		if (text_columns(name->chars) <= room)
			return;
	}
	text_clear(name);
}

/* Draws each name centred over the level's range of sizes. */
void sweep_level_names(const struct scene *scene, const struct axis *axis,
	const struct pane *row)
{
	int from = 0;

	for (size_t i = 0; i < scene->levels.count; i++) {
		const struct cache_level *level = &scene->levels.list[i];
		double end = level_end(level);
		int to = end > 0 ? axis_cell(axis, end, row->columns) :
				   row->columns;
		struct text name = { 0 };

		to = to > row->columns ? row->columns : to;
		name_level(&scene->levels, level, to - from - 1, &name);
		int width = text_columns(text_chars(&name));
		pane_chars(row, from + (to - from - width + 1) / 2, 0, ROLE_DIM,
			text_chars(&name));
		text_free(&name);
		from = to > from ? to : from;
	}
}

size_t sweep_level_ends(const struct scene *scene, const struct axis *axis,
	double ends[LEVELS_MOST])
{
	size_t count = 0;

	for (size_t i = 0; i < scene->levels.count; i++) {
		double end = level_end(&scene->levels.list[i]);

		if (end > axis->low && end < axis->high)
			ends[count++] = end;
	}
	return count;
}

static void draw_head(const struct scene *scene, const struct line_view *view,
	const struct pane *pane, const struct pane *plot)
{
	int gutter = plot->column - pane->column;
	struct pane left = pane_part(pane, 0, 0, gutter - 2, 1);
	struct pane names = pane_part(pane, gutter, 0, plot->columns, 1);
	struct ticks ticks;

	axis_ticks_upright(&view->up, plot->rows, &ticks);
	pane_right(&left, 0, ROLE_DIM, ticks.unit);
	sweep_level_names(scene, &view->across, &names);
}

/* ---- below the plot --------------------------------------------------- */

static void say_knees(const struct cache_levels *levels, struct text *text)
{
	struct text knees = { 0 };

	levels_say_knees(levels, &knees);
	if (knees.length)
		text_add(text, "knees %s", knees.chars);
	else
		text_add(text, "%s",
			levels->live ? "knees: at the end of the run" :
				levels->searched ?
				       "no knee found" :
				       "too few sizes for knees: 12 at least");
	text_free(&knees);
}

static void draw_knees(const struct scene *scene, const struct pane *row)
{
	const struct finding *knee = curves_knee(&scene->curves);
	struct text text = { 0 };

	if (scene->levels.count || scene->levels.by_size) {
		say_knees(&scene->levels, &text);
	} else if (knee) {
		text_add(&text, "knee ");
		amount_short(&text, knee->unit, knee->value);
	}
	pane_wrap(row, 0, ROLE_DIM, text_chars(&text));
	text_free(&text);
}

/* ---- the whole chart -------------------------------------------------- */

/* The point of the probe's line that is nearest to a column. */
static size_t nearest_to(const struct scene *scene, const struct axis *axis,
	int column, int columns)
{
	const struct curve *line = &scene->curves.lines[scene->line];
	size_t best = line->points[0];
	int least = INT_MAX;

	for (size_t i = 0; i < line->count; i++) {
		double x = curves_value(&scene->curves, scene->curves.across,
			line->points[i]);
		int off = abs(axis_cell(axis, x, columns) - column);

		if (off >= least)
			continue;
		least = off;
		best = line->points[i];
	}
	return best;
}

/* A click moves the probe to the nearest point. */
static void add_spots(const struct scene *scene, const struct axis *axis,
	const struct pane *plot)
{
	size_t before = SIZE_MAX;
	int from = 0;

	for (int column = 0; column <= plot->columns; column++) {
		size_t point = column < plot->columns ?
			nearest_to(scene, axis, column, plot->columns) :
			SIZE_MAX;

		if (point != before && column > from) {
			struct pane part = pane_part(plot, from, 0,
				column - from, plot->rows);

			pane_spot_all(&part, "point %zu", before + 1);
		}
		if (point != before)
			from = column;
		before = point;
	}
}

static int label_columns(const struct drawn *drawn, size_t count, int room)
{
	int most = 0;

	for (size_t i = 0; i < count; i++) {
		int width = text_columns(drawn[i].label);

		most = width > most ? width : most;
	}
	most = most > LABEL_MOST ? LABEL_MOST : most;
	return room < LABELS_ROOM ? 0 : most + 1;
}

static void draw_lines(const struct scene *scene, const struct drawn *drawn,
	const struct pane *pane)
{
	size_t count = scene->curves.line_count;
	struct line_series *series = xcalloc(count, sizeof *series);
	const struct finding *knee = curves_knee(&scene->curves);
	double ends[LEVELS_MOST];
	struct axis across = scene_across(scene);
	struct line_view view = {
		.series = series,
		.count = count,
		.across = across,
		.up = scene_up(scene, &across),
		.levels = ends,
		.right = label_columns(drawn, count, pane->columns),
		.has_cursor = true,
		.cursor_x = curves_value(&scene->curves, scene->curves.across,
			scene->point),
		.cursor_y = scene_value(scene, scene->point),
	};
	int head = pane->rows >= HEAD_ROWS ? 1 : 0;
	struct pane below =
		pane_part(pane, 0, head, pane->columns, pane->rows - head);
	struct pane plot = line_plot(&view, &below);

	view.level_count = sweep_level_ends(scene, &across, ends);
	if (!scene->levels.count && knee)
		ends[view.level_count++] = knee->value;
	list_series(scene, drawn, view.right > 0, series);
	draw_line(&view, &below);
	if (head)
		draw_head(scene, &view, pane, &plot);
	add_spots(scene, &across, &plot);
	free(series);
}

void sweep_chart(const struct scene *scene, const struct pane *pane)
{
	size_t count = scene->curves.line_count;
	struct drawn *drawn = xcalloc(count, sizeof *drawn);
	int foot = pane->rows >= KNEES_ROWS ? 2 : 1;
	struct pane lines =
		pane_part(pane, 0, 0, pane->columns, pane->rows - foot);
	struct pane knees = pane_part(pane, 1, pane->rows - 2, -1, 1);
	struct pane probe = pane_part(pane, 1, pane->rows - 1, -1, 1);

	for (size_t i = 0; i < count; i++)
		take_line(scene, &scene->curves.lines[i], &drawn[i]);
	draw_lines(scene, drawn, &lines);
	if (foot > 1)
		draw_knees(scene, &knees);
	sweep_probe(scene, &probe);
	free_drawn(drawn, count);
}
