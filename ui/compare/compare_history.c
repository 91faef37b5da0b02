/* A history: a plot of the runs, their levels and changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands_internal.h"
#include "draw_line.h"
#include "memory.h"
#include "print_levels.h"
#include "quantile.h"
#include "view_compare.h"

/* Of the counted runs, and of those that are listed only; `each` runs are one
 * dot. The last arrays are a line along each level, interrupted by NaN. */
struct curve {
	size_t each, dots;
	double *x, *y, *low, *high;
	double *level_x, *level_y;
	size_t levels;
};

static const struct history_series *figure_of(const struct history *history)
{
	return &history->series[HISTORY_FIGURE];
}

static void add_level(struct curve *curve, double x, double y)
{
	curve->level_x[curve->levels] = x;
	curve->level_y[curve->levels++] = y;
}

static void add_levels(const struct history *history, enum history_what what,
	struct curve *curve)
{
	for (size_t i = 0; i < history_stretches(history, what); i++) {
		const struct history_stretch stretch =
			history_stretch(history, what, i);

		add_level(curve, (double)stretch.first + 1, stretch.level);
		add_level(curve, (double)stretch.last + 1, stretch.level);
		add_level(curve, NAN, NAN);
	}
}

static void add_run(const struct history *history, enum history_what what,
	size_t run, struct curve *curve)
{
	const struct kept_figure *figure = history_figure(history, run);
	bool interval = what == HISTORY_FIGURE &&
		history_counts(history, run) && figure->has_interval &&
		figure->interval.low > 0;
	size_t i = curve->dots++;

	curve->x[i] = (double)run + 1;
	curve->y[i] = history_value(history, what, run);
	curve->low[i] = interval ? figure->interval.low : NAN;
	curve->high[i] = interval ? figure->interval.high : NAN;
}

/* The median of some runs. An interval of each would cover it. */
static void add_block(const struct history *history, enum history_what what,
	size_t first, size_t end, struct curve *curve)
{
	double *values = xcalloc(end - first, sizeof *values);
	size_t n = 0, i = curve->dots++;

	for (size_t run = first; run < end; run++) {
		double value = history_value(history, what, run);

		if (!isnan(value))
			values[n++] = value;
	}
	curve->x[i] = (double)(first + 1 + end) / 2;
	curve->y[i] = n ? median_of(values, n) : NAN;
	curve->low[i] = curve->high[i] = NAN;
	free(values);
}

/* A column has place for two dots. */
static void make_curve(const struct history *history, enum history_what what,
	size_t columns, struct curve *curve)
{
	size_t n = history->count, levels = 3 * (n + 1);

	*curve = (struct curve){ .each = n / (2 * columns + 1) + 1 };
	curve->x = xcalloc(4 * n + 2 * levels + 1, sizeof *curve->x);
	curve->y = curve->x + n;
	curve->low = curve->y + n;
	curve->high = curve->low + n;
	curve->level_x = curve->high + n;
	curve->level_y = curve->level_x + levels;
	for (size_t i = 0; i < n; i += curve->each) {
		size_t end = i + curve->each < n ? i + curve->each : n;

		if (curve->each == 1)
			add_run(history, what, i, curve);
		else
			add_block(history, what, i, end, curve);
	}
	add_levels(history, what, curve);
}

/* The range of the values, with some room for intervals. */
static struct axis up_of(const struct history *history, enum history_what what)
{
	enum unit unit = history_unit(history, what);
	struct range range = history_range(history, what, 0);
	double room = (range.high - range.low) / 15;

	return isnan(range.low) ?
		axis_over(0, 1, false, unit) :
		axis_over(range.low - room, range.high + room, false, unit);
}

static void draw_plot(const struct history *history, enum history_what what,
	size_t run, const struct pane *pane)
{
	struct text across = { 0 };
	struct curve curve;

	make_curve(history, what, (size_t)pane->columns, &curve);
	const struct history_series *counted = &history->series[what];
	const struct changes *changes = &counted->changes;
	double *borders = xcalloc(changes->count + 1, sizeof *borders);
	for (size_t i = 0; i < changes->count; i++)
		borders[i] = (double)counted->runs[changes->list[i].at] + .5;
	const struct line_series series[] = {
		{ .x = curve.level_x,
			.y = curve.level_y,
			.n = curve.levels,
			.role = ROLE_SERIES_2 },
		{ .x = curve.x,
			.y = curve.y,
			.low = curve.low,
			.high = curve.high,
			.n = curve.dots,
			.role = ROLE_SERIES,
			.scattered = true },
	};
	struct line_view view = {
		.series = series,
		.count = 2,
		.across = axis_over(1, (double)history->count, false,
			UNIT_COUNT),
		.up = up_of(history, what),
		.levels = borders,
		.level_count = changes->count,
		.has_cursor = true,
		.cursor_x = (double)run + 1,
		.cursor_y = history_value(history, what, run),
	};
	struct pane plot = line_plot(&view, pane);
	struct pane below = pane_part(pane, 0, 1, pane->columns,
		pane->rows - 1);
	struct ticks ticks;
	draw_line(&view, &below);
	axis_ticks_upright(&view.up, plot.rows, &ticks);
	pane_chars(pane, 1, 0, ROLE_DIM, ticks.unit);
	if (what != HISTORY_FIGURE)
		pane_chars(pane, 1 + text_columns(ticks.unit) + 1, 0, ROLE_DIM,
			history_name(history, what));
	if (curve.each > 1)
		text_add(&across, "a dot: the median of %zu runs   ",
			curve.each);
	text_add(&across, "run");
	pane_right(pane, 0, ROLE_DIM, across.chars);
	text_free(&across);
	free(borders);
	free(curve.x);
}

/* The figure and, if there is room, below it the canary and the memory ruler,
 * which show whether the machine changed. */
static void draw_plots(const struct history *history, size_t run,
	const struct pane *pane)
{
	enum { FIGURE_LEAST = 12, BELOW = 6 };
	int rows = pane->rows;

	for (int i = HISTORY_SERIES; --i > HISTORY_FIGURE;) {
		if (!history->series[i].count || rows < FIGURE_LEAST + BELOW)
			continue;
		rows -= BELOW;
		struct pane part =
			pane_part(pane, 0, rows, pane->columns, BELOW);
		draw_plot(history, (enum history_what)i, run, &part);
	}
	struct pane figure = pane_part(pane, 0, 0, pane->columns, rows);
	draw_plot(history, HISTORY_FIGURE, run, &figure);
}

/* ---- words ------------------------------------------------------------ */

static void say_run(const struct history *history, size_t run,
	struct text *text)
{
	const struct kept_point *point = &history->list[run];
	const char *kernel = point->surroundings->value[SURROUNDING_KERNEL];

	text_add(text, "run %zu of %zu, ", run + 1, history->count);
	say_day(point->started, true, true, text);
	text_add(text, ": ");
	unit_show(text, point->unit, history_figure(history, run)->median);
	if (!history_counts(history, run))
		text_add(text, ", not counted");
	if (kernel)
		text_add(text, ", kernel %s", kernel);
}

static void say_nearest(const struct history *history, size_t run,
	struct text *text)
{
	const struct change *change =
		history_nearest(history, HISTORY_FIGURE, run);
	const struct history_series *series = figure_of(history);

	if (series->count < CHANGES_LEAST) {
		text_add(text, "Changes are searched from %d counted runs on.",
			CHANGES_LEAST);
		return;
	}
	if (!change) {
		text_add(text, "The level of the %zu counted runs does not "
			"change.", series->count);
		return;
	}
	size_t at = series->runs[change->at];
	text_add(text, "Run %zu, ", at + 1);
	say_day(history->list[at].started, true, false, text);
	text_add(text, ": ");
	say_change(history, at, change, text);
}

void compare_history_say(const struct screen *screen, struct text *text)
{
	const struct history *history = screen->lab->many.history;
	size_t count = figure_of(history)->changes.count;

	text_add(text, "%zu run%s, %zu change%s", history->count,
		history->count == 1 ? "" : "s", count, count == 1 ? "" : "s");
}

/* ---- the whole -------------------------------------------------------- */

/* The selected run; at first the last. */
static size_t selected(struct screen *screen)
{
	struct compare_model *model = model_of(screen);
	const struct many *many = &screen->lab->many;

	if (model->run_serial != many->serial) {
		model->run_serial = many->serial;
		model->run = many->history->count - 1;
	}
	return model->run;
}

/* The setting and, if there is room, of which regime the medians are. */
static void add_title(const struct history *history, int columns,
	struct text *title)
{
	enum { BORDER = 6 };
	const char *regime = history_regime_words(history);
	struct text median = { 0 };

	history_say_title(history, title);
	text_add(&median, ", median %s", regime);
	int width = text_columns(text_chars(title)) +
		text_columns(median.chars);
	if (*regime && width + BORDER <= columns)
		text_add(title, "%s", median.chars);
	text_free(&median);
}

void compare_history_draw(struct screen *screen, const struct pane *plot,
	const struct pane *below)
{
	const struct history *history = screen->lab->many.history;
	size_t run = selected(screen);
	struct text title = { 0 }, right = { 0 }, text = { 0 };

	add_title(history, plot->columns, &title);
	compare_history_say(screen, &right);
	struct pane inside = pane_frame(plot, title.chars, right.chars);
	draw_plots(history, run, &inside);
	if (below->rows >= 3) {
		struct pane frame = pane_frame(below, "The nearest change",
			NULL);
		struct pane words = pane_part(&frame, 1, 0, -1, frame.rows);

		say_run(history, run, &text);
		int used = pane_wrap(&words, 0, ROLE_STRONG, text.chars);
		text_clear(&text);
		say_nearest(history, run, &text);
		used += pane_wrap(&words, used, ROLE_TEXT, text.chars);
		text_clear(&text);
		history_say_regime(history, &text);
		pane_wrap(&words, used, ROLE_DIM, text_chars(&text));
	}
	text_free(&title);
	text_free(&right);
	text_free(&text);
}

void compare_history_move(struct screen *screen, int steps)
{
	const struct history *history = screen->lab->many.history;
	struct compare_model *model = model_of(screen);
	struct text text = { 0 };

	model->run = (size_t)moved((int)selected(screen), steps,
		(int)history->count);
	say_run(history, model->run, &text);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	screen->message_read = true;
	text_free(&text);
}
