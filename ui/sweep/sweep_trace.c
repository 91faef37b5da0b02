/* Draws a trace: the cost of each touch in recorded order, with named peaks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amounts.h"
#include "dots.h"
#include "draw_line.h"
#include "memory.h"
#include "sweep_trace.h"

enum { HEAD_ROWS = 8, SENTENCE_ROWS = 9 };
#define WIDE        20 /* range ratio from which a scale is logarithmic */
#define WIDE_LEVELS 5  /* the same for levels, which differ by ratios */

/* The trace's metric in the experiment's table. NULL if a file has a metric
 * that the experiment does not know. */
static const struct metric *row_of(const struct scene *scene)
{
	return metric_row(scene->experiment->metrics,
		scene->results->metrics[scene->trace_metric].name);
}

static bool is_events(const struct scene *scene)
{
	const struct metric *row = row_of(scene);

	return row && row->events;
}

/* Replaces the curve by the median at each x; the trace becomes dots. */
static void take_medians(struct trace *trace)
{
	struct dot *dots = xcalloc(trace->n + 1, sizeof *dots);

	for (size_t i = 0; i < trace->n; i++)
		dots[i] = (struct dot){ trace->x[i], trace->y[i] };
	trace->dot_count = trace->n;
	trace->dots_x = trace->x + 2 * trace->n;
	trace->dots_y = trace->x + 3 * trace->n;
	memcpy(trace->dots_x, trace->x, 2 * trace->n * sizeof *trace->x);
	trace->n = dots_medians(dots, trace->n, trace->x, trace->y);
	free(dots);
}

void trace_open(struct trace *trace, const struct scene *scene)
{
	const struct column *column = &scene->results->points[scene->point]
					       .series[scene->trace_metric]
					       .trace;
	const struct trace_point *points = column->data;

	*trace = (struct trace){ .n = column->count, .ordered = true };
	trace->x = xcalloc(4 * trace->n + 1, sizeof *trace->x);
	trace->y = trace->x + trace->n;
	for (size_t i = 0; i < trace->n; i++) {
		trace->x[i] = points[i].x;
		trace->y[i] = points[i].y;
		trace->ordered &= !i || points[i].x > points[i - 1].x;
	}
	if (trace->ordered)
		peaks_find(&trace->peaks, trace->y, trace->n);
	else
		take_medians(trace);
	trace->at =
		scene->options->touch < trace->n ? scene->options->touch : 0;
}

void trace_close(struct trace *trace)
{
	free(trace->x);
}

size_t trace_step(const struct trace *trace, const struct scene *scene)
{
	size_t step = trace->n / 100 >>
		(scene->options->zoom < 20 ? scene->options->zoom : 20);

	return step ? step : 1;
}

/* The first position at or beyond the end of a level. */
static size_t place_of(const struct trace *trace, double end)
{
	size_t at = 0;

	while (at + 1 < trace->n && trace->x[at] < end)
		at++;
	return at;
}

size_t trace_next_stop(const struct trace *trace,
	const struct cache_levels *levels, int steps)
{
	size_t stops = trace->ordered ? trace->peaks.count : levels->count;
	size_t best = trace->at;

	for (size_t i = 0; i < stops; i++) {
		size_t at = trace->ordered ?
			trace->peaks.at[i] :
			place_of(trace, level_end(&levels->list[i]));
		bool ahead = steps > 0 ? at > trace->at : at < trace->at;

		if (ahead &&
			(best == trace->at ||
				(steps > 0 ? at < best : at > best)))
			best = at;
	}
	return best;
}

/* ---- axes ------------------------------------------------------------- */

static struct axis hold(const double *values, size_t n, enum sweep_scale asked,
	double wide, enum unit unit, bool from_zero)
{
	double low = INFINITY, high = -INFINITY, positive = INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
		if (values[i] > 0)
			positive = fmin(positive, values[i]);
	}
	if (asked == SWEEP_LOG ||
		(asked == SWEEP_FITTING && low > 0 && high > wide * low))
		return axis_over(positive, high, true, unit);
	return axis_over(from_zero && low > 0 ? 0 : low, high, false, unit);
}

static struct axis across_of(const struct scene *scene,
	const struct trace *trace)
{
	const struct metric *row = row_of(scene);
	struct axis axis = hold(trace->x, trace->n,
		(trace->ordered || is_events(scene)) &&
				scene->options->across == SWEEP_FITTING ?
			SWEEP_LINEAR :
			scene->options->across,
		WIDE, row ? row->across_unit : UNIT_NONE, false);
	double half = (axis.high - axis.low) / 2 / exp2(scene->options->zoom);

	if (axis.logarithmic || !scene->options->zoom || !trace->n)
		return axis;
	double middle = fmin(fmax(trace->x[trace->at], axis.low + half),
		axis.high - half);
	return axis_over(middle - half, middle + half, false, axis.unit);
}

/* ---- words ------------------------------------------------------------ */

static const char *dots_are(const struct scene *scene)
{
	return is_events(scene) ? "a dot per event, of all launches" :
				  "a dot per launch, the line is the median";
}

static char name_of(size_t peak)
{
	return (char)('A' + peak);
}

static const char *across_name(const struct scene *scene)
{
	const struct metric *row = row_of(scene);

	return row && row->across ? row->across : "x";
}

static void say_x(const struct scene *scene, double x, struct text *text)
{
	const struct metric *row = row_of(scene);

	enum unit unit = row ? row->across_unit : UNIT_NONE;

	text_add(text, "%s ", across_name(scene));
	if (unit == UNIT_BYTES)
		amount_size(text, x);
	else if (unit == UNIT_NONE || unit == UNIT_COUNT)
		text_add(text, "%.10g", x);
	else
		unit_show(text, unit, x);
}

/* Writes "median 1.78 us; 2 above 4x the median, every 512; A 38.2 us, B 35.1
 * us". */
static void say_peaks(const struct scene *scene, const struct trace *trace,
	struct text *text)
{
	const struct peaks *peaks = &trace->peaks;
	enum unit unit = scene->results->metrics[scene->trace_metric].unit;

	text_add(text, "median ");
	amount_short(text, unit, peaks->median);
	if (!peaks->high)
		text_add(text, "; none above 4x the median");
	else
		text_add(text, "; %zu above 4x the median", peaks->high);
	if (peaks->every)
		text_add(text, ", every %zu", peaks->every);
	for (size_t i = 0; i < peaks->count; i++) {
		text_add(text, "%s%c ", i ? ", " : "; ", name_of(i));
		amount_short(text, unit, trace->y[peaks->at[i]]);
	}
}

static void say_found(const struct scene *scene, struct text *text)
{
	text_add(text, "found ");
	levels_say_knees(&scene->levels, text);
}

/* Writes "in L3, 3.2 x L2". */
static void say_level(const struct cache_levels *levels, double x, double y,
	struct text *text)
{
	const struct cache_level *here =
		levels->count ? level_serving(levels, x) : NULL;

	if (!here)
		return;
	text_add(text, "   in %s", here->name);
	if (here > levels->list && isfinite(here[-1].value))
		text_add(text, ", %.*g x %s", text_digits(y / here[-1].value),
			y / here[-1].value, here[-1].name);
}

static void draw_probe(const struct scene *scene, const struct trace *trace,
	const struct pane *pane)
{
	enum unit unit = scene->results->metrics[scene->trace_metric].unit;
	double y = trace->n ? trace->y[trace->at] : NAN;
	struct text text = { 0 };

	if (trace->n)
		say_x(scene, trace->x[trace->at], &text);
	text_add(&text, "  ");
	unit_show(&text, unit, y);
	if (trace->ordered && trace->peaks.median > 0)
		text_add(&text, "   %.3g x the median",
			y / trace->peaks.median);
	for (size_t i = 0; i < trace->peaks.count; i++)
		if (trace->peaks.at[i] == trace->at)
			text_add(&text, "   peak %c", name_of(i));
	if (scene->levels.traced && trace->n)
		say_level(&scene->levels, trace->x[trace->at], y, &text);
	pane_wrap(pane, 0, ROLE_STRONG, text.chars);
	/* Without levels the row above already explains the dots. */
	int used = text_columns(text.chars);
	if (scene->levels.traced && scene->levels.count &&
		used + 3 + text_columns(dots_are(scene)) <= pane->columns)
		pane_right(pane, 0, ROLE_DIM, dots_are(scene));
	text_free(&text);
}

/* ---- drawing ---------------------------------------------------------- */

/* Draws letters above the peaks. */
static void draw_names(const struct line_view *view, const struct trace *trace,
	const struct pane *plot)
{
	for (size_t i = 0; i < trace->peaks.count; i++) {
		size_t at = trace->peaks.at[i];
		int column =
			axis_cell(&view->across, trace->x[at], plot->columns);
		int row = plot->rows - 2 -
			axis_cell(&view->up, trace->y[at], plot->rows);

		pane_put(plot, column, row < 0 ? 0 : row, (uint32_t)name_of(i),
			ROLE_STRONG);
	}
}

/* Draws the names of the levels, or without levels the name of the horizontal
 * axis. */
static void draw_above(const struct scene *scene, const struct axis *across,
	const struct pane *names, const struct pane *pane)
{
	if (scene->levels.traced && scene->levels.count)
		sweep_level_names(scene, across, names);
	else
		pane_right(pane, 0, ROLE_DIM, across_name(scene));
}

static void draw_plot(const struct scene *scene, const struct trace *trace,
	const struct pane *pane)
{
	bool dots = trace->dot_count > 0;
	const struct line_series series[] = {
		{ .x = dots ? trace->dots_x : trace->x,
			.y = dots ? trace->dots_y : trace->y,
			.n = dots ? trace->dot_count : trace->n,
			.role = ROLE_SERIES,
			.scattered = true },
		{ .x = trace->x,
			.y = trace->y,
			.n = trace->n,
			.role = ROLE_SERIES_2 },
	};
	double ends[LEVELS_MOST];
	struct line_view view = {
		.series = series,
		/* Events have no line. */
		.count = dots && !is_events(scene) ? 2 : 1,
		.across = across_of(scene, trace),
		.up = hold(series->y, series->n, scene->options->up,
			scene->levels.traced ? WIDE_LEVELS : WIDE,
			scene->results->metrics[scene->trace_metric].unit,
			true),
		.levels = ends,
		.has_cursor = !scene->aside && trace->n > 0,
		.cursor_x = trace->n ? trace->x[trace->at] : 0,
		.cursor_y = trace->n ? trace->y[trace->at] : 0,
	};
	int head = pane->rows >= HEAD_ROWS ? 1 : 0;
	struct pane below =
		pane_part(pane, 0, head, pane->columns, pane->rows - head);
	struct pane plot = line_plot(&view, &below);
	struct ticks ticks;

	if (scene->levels.traced)
		view.level_count = sweep_level_ends(scene, &view.across, ends);
	draw_line(&view, &below);
	if (plot.rows > 2)
		draw_names(&view, trace, &plot);
	axis_ticks_upright(&view.up, plot.rows, &ticks);
	if (head) {
		struct pane unit = pane_part(pane, 0, 0,
			plot.column - pane->column - 2, 1);

		pane_right(&unit, 0, ROLE_DIM, ticks.unit);
		draw_above(scene, &view.across,
			&(struct pane){ plot.grid, plot.column, pane->row,
				plot.columns, 1 },
			pane);
	}
}

void sweep_trace(const struct scene *scene, const struct pane *pane)
{
	int probe_rows = scene->aside ? 0 : 1;
	int foot = probe_rows + (pane->rows >= SENTENCE_ROWS);
	struct pane plot =
		pane_part(pane, 0, 0, pane->columns, pane->rows - foot);
	struct pane sentence = pane_part(pane, 1, pane->rows - foot, -1, 1);
	struct pane probe = pane_part(pane, 1, pane->rows - 1, -1, 1);
	struct trace trace;
	struct text text = { 0 };

	trace_open(&trace, scene);
	draw_plot(scene, &trace, &plot);
	if (trace.ordered)
		say_peaks(scene, &trace, &text);
	else if (scene->levels.traced && scene->levels.count)
		say_found(scene, &text);
	else
		text_add(&text, "%s", dots_are(scene));
	if (foot > probe_rows)
		pane_wrap(&sentence, 0, ROLE_DIM, text.chars);
	if (!scene->aside)
		draw_probe(scene, &trace, &probe);
	text_free(&text);
	trace_close(&trace);
}
