/* Collects the data for one drawing of the Sweep screen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sweep_trace.h"
#include "view_sweep.h"

enum { LINES_MOST = 8 }; /* beyond, a map is clearer */
#define WIDE_ACROSS 20   /* range ratio from which a scale is logarithmic */
#define WIDE_UP     5

struct sweep_options *sweep_options(struct screen *screen)
{
	void **kept = &screen->kept[VIEW_SWEEP];

	if (!*kept)
		*kept = xcalloc(1, sizeof(struct sweep_options));
	return *kept;
}

void sweep_release(struct screen *screen)
{
	struct sweep_options *options = screen->kept[VIEW_SWEEP];

	if (options)
		free(options->asked);
	free(options);
	screen->kept[VIEW_SWEEP] = NULL;
}

/* ---- what can be drawn ------------------------------------------------ */

static size_t trace_points(const struct results *results, size_t point,
	unsigned metric)
{
	return results->points[point].series[metric].trace.count;
}

/* Selects the point's trace number n, modulo the count of traces. */
static void take_trace(struct scene *scene, size_t n)
{
	const struct results *results = scene->results;
	size_t seen = 0;

	for (unsigned i = 0; i < results->metric_count; i++) {
		if (results->metrics[i].kind != METRIC_TRACE ||
			!trace_points(results, scene->point, i))
			continue;
		if (seen++ == n % scene->trace_count)
			scene->trace_metric = i;
	}
}

/* Counts the traces of the selected point and selects one of them. */
static void find_traces(struct scene *scene)
{
	const struct results *results = scene->results;

	for (unsigned i = 0; i < results->metric_count; i++)
		if (results->metrics[i].kind == METRIC_TRACE &&
			trace_points(results, scene->point, i))
			scene->trace_count++;
	if (scene->trace_count)
		take_trace(scene, scene->options->trace);
}

static bool has_map(const struct screen *screen, const struct results *results)
{
	const struct sweep_options *options = screen->kept[VIEW_SWEEP];
	struct curves curves;

	curves_of(&curves, screen_descriptor(screen), results,
		options ? options->asked : NULL);
	bool map = curves.down >= 0;
	curves_free(&curves);
	return map;
}

static size_t traces_of(const struct screen *screen,
	const struct results *results)
{
	size_t point = screen_point(screen, results), traces = 0;

	for (unsigned i = 0; i < results->metric_count; i++)
		traces += results->metrics[i].kind == METRIC_TRACE &&
			trace_points(results, point, i) > 0;
	return traces;
}

/* With several points, a trace is drawn only on request. */
static bool draws_trace(const struct screen *screen,
	const struct results *results)
{
	const struct sweep_options *options = screen->kept[VIEW_SWEEP];
	enum sweep_kind kind = options ? options->kind : SWEEP_AUTO;

	return kind == SWEEP_TRACE ||
		(kind != SWEEP_TABLE && results->point_count == 1);
}

bool sweep_offers(const struct screen *screen, const char *word)
{
	bool live;
	const struct results *results = screen_results(screen, &live);

	if (!results || !results->point_count)
		return false;
	if (!strcmp(word, "map"))
		return has_map(screen, results);
	if (!strcmp(word, "trace"))
		return traces_of(screen, results) > 0;
	if (!strcmp(word, "next-trace"))
		return draws_trace(screen, results) &&
			traces_of(screen, results) > 1;
	return true;
}

/* Finds the levels of the trace, if the experiment lists their names. */
static void find_trace_levels(struct scene *scene)
{
	const struct metric *row = metric_row(scene->experiment->metrics,
		scene->results->metrics[scene->trace_metric].name);
	struct trace trace;

	if (!row || !row->levels)
		return;
	trace_open(&trace, scene);
	levels_of_trace(&scene->levels, scene->screen, scene->results, row,
		trace.x, trace.y, trace.n);
	trace_close(&trace);
}

void scene_next_trace(const struct scene *scene, struct scene *next)
{
	*next = *scene;
	next->levels = (struct cache_levels){ 0 };
	next->aside = true;
	take_trace(next, scene->options->trace + 1);
	find_trace_levels(next);
}

bool scene_can(const struct scene *scene, enum sweep_kind kind)
{
	bool several = scene->figures && scene->curves.param_count > 0 &&
		scene->figures->point_count == scene->results->point_count;

	if (!scene->results)
		return false;
	switch (kind) {
	case SWEEP_LINES:
		return several && scene->curves.across >= 0;
	case SWEEP_MAP:
		return several && scene->curves.down >= 0;
	case SWEEP_BARS:
		return several;
	case SWEEP_TABLE:
		return several ||
			(scene->results->point_count == 1 &&
				sweep_has_findings(scene->results));
	case SWEEP_TRACE:
		return scene->trace_count > 0;
	case SWEEP_AUTO:
	case SWEEP_NOTHING:
		break;
	}
	return false;
}

static enum sweep_kind fitting(const struct scene *scene)
{
	static const enum sweep_kind order[] = { SWEEP_LINES, SWEEP_BARS,
		SWEEP_TRACE };

	if (scene_can(scene, scene->options->kind))
		return scene->options->kind;
	if (scene_can(scene, SWEEP_MAP) &&
		scene->curves.line_count > LINES_MOST)
		return SWEEP_MAP;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (scene_can(scene, order[i]))
			return order[i];
	return SWEEP_NOTHING;
}

void scene_open(struct scene *scene, struct screen *screen,
	int histogram_columns)
{
	*scene = (struct scene){ .screen = screen,
		.options = sweep_options(screen),
		.experiment = screen_descriptor(screen),
		.kind = SWEEP_NOTHING };
	scene->results = screen_results(screen, &scene->live);
	if (!scene->results || !scene->results->point_count)
		return;
	scene->figures = screen_figures(screen, histogram_columns);
	scene->point = screen_point(screen, scene->results);
	curves_of(&scene->curves, scene->experiment, scene->results,
		scene->options->asked);
	curves_find(&scene->curves, scene->point, &scene->line, &scene->at);
	find_traces(scene);
	scene->kind = fitting(scene);
	levels_found(&scene->found, screen);
	if (scene->kind == SWEEP_TRACE)
		find_trace_levels(scene);
	if (!scene->levels.traced && scene_can(scene, SWEEP_LINES))
		levels_of(&scene->levels, screen, &scene->curves, scene->line,
			scene->figures);
}

void scene_close(struct scene *scene)
{
	curves_free(&scene->curves);
}

double scene_value(const struct scene *scene, size_t point)
{
	const struct point_figures *row = &scene->figures->points[point];

	return row->any ? row->median : row->all;
}

bool scene_mostly_clean(const struct scene *scene)
{
	size_t flagged = 0, measured = 0;

	for (size_t i = 0; i < scene->results->point_count; i++) {
		measured += scene->figures->points[i].visits > 0;
		flagged += scene->figures->points[i].visits > 0 &&
			!scene->figures->points[i].any;
	}
	return 2 * flagged <= measured;
}

/* ---- axes ------------------------------------------------------------- */

static bool is_log(enum sweep_scale asked, double low, double high, double wide)
{
	return asked == SWEEP_LOG ||
		(asked == SWEEP_FITTING && low > 0 && high > wide * low);
}

/* Narrows the range to the part around the probe, within its ends. */
static void zoom_in(const struct scene *scene, bool logarithmic, double *low,
	double *high)
{
	double at = curves_value(&scene->curves, scene->curves.across,
		scene->point);
	double from = logarithmic ? log(*low) : *low;
	double to = logarithmic ? log(*high) : *high;
	double half = (to - from) / 2 / exp2(scene->options->zoom);

	if (logarithmic)
		at = at > 0 ? log(at) : from;
	double middle = fmin(fmax(at, from + half), to - half);
	*low = logarithmic ? exp(middle - half) : middle - half;
	*high = logarithmic ? exp(middle + half) : middle + half;
}

struct axis scene_across(const struct scene *scene)
{
	const struct swept *param = &scene->curves.params[scene->curves.across];
	double low = param->values[0], high = param->values[param->count - 1];
	size_t first = 0;

	/* A logarithmic axis has no zero; zero is drawn at its floor. */
	while (first + 2 < param->count && !(param->values[first] > 0))
		first++;
	bool logarithmic = is_log(scene->options->across, param->values[first],
		high, WIDE_ACROSS);
	if (logarithmic)
		low = param->values[first];
	logarithmic &= low > 0;
	if (scene->options->zoom)
		zoom_in(scene, logarithmic, &low, &high);
	return axis_over(low, high, logarithmic, param->unit);
}

static void widen(double value, double *low, double *high)
{
	if (!isfinite(value))
		return;
	*low = fmin(*low, value);
	*high = fmax(*high, value);
}

struct axis scene_up(const struct scene *scene, const struct axis *across)
{
	const struct results *results = scene->results;
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < results->point_count; i++) {
		const struct point_figures *row = &scene->figures->points[i];
		double place = across ?
			axis_place(across,
				curves_value(&scene->curves,
					scene->curves.across, i)) :
			0;

		if (place < -.01 || place > 1.01)
			continue;
		widen(scene_value(scene, i), &low, &high);
		if (scene->options->intervals) {
			widen(row->low, &low, &high);
			widen(row->high, &low, &high);
		}
	}
	enum unit unit = results->metrics[0].unit;
	if (is_log(scene->options->up, low, high, WIDE_UP) && low > 0)
		return axis_over(low / 1.1, high * 1.1, true, unit);
	double room = (high - low) * .05;
	if (low > 0 && low < high / 2)
		return axis_over(0, high + room, false, unit);
	return axis_over(low - room, high + room, false, unit);
}
