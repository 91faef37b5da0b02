/* One setting over the stored sessions, as plain text. */
#include "print_history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "digest.h"
#include "figure.h"
#include "print_levels.h"
#include "quality.h"
#include "text_axis.h"

enum { AXIS_LEAST = 16, AXIS_MOST = 41, DAY = 10, YEAR = 4 };
/* Rows of a history that is printed whole, and last rows of a longer one. */
enum { ROWS_MOST = 40, ROWS_LAST = 20 };

/* ---- cells ------------------------------------------------------------ */

static bool same_day(const struct kept_point *a, const struct kept_point *b)
{
	return !strncmp(a->started, b->started, DAY);
}

/* True if two runs are of the same day, so that dates need times. */
static bool has_times(const struct history *history)
{
	for (size_t i = 1; i < history->count; i++)
		if (same_day(&history->list[i - 1], &history->list[i]))
			return true;
	return false;
}

/* True if all runs are of the same year as the last. */
static bool one_year(const struct history *history)
{
	const char *last = history->list[history->count - 1].started;

	for (size_t i = 0; i < history->count; i++)
		if (strncmp(history->list[i].started, last, YEAR) != 0)
			return false;
	return true;
}

static const char *kernel_of(const struct kept_point *point)
{
	const char *kernel = point->surroundings->value[SURROUNDING_KERNEL];

	return kernel ? kernel : "";
}

/* The length of the version up to the first '-', where the suffix of the
 * distribution begins. */
static int kernel_length(const struct kept_point *point)
{
	return (int)strcspn(kernel_of(point), "-");
}

/* True if two successive kernels differ only in the distribution's suffix. */
static bool needs_whole_kernel(const struct history *history)
{
	const struct kept_point *list = history->list;

	for (size_t i = 1; i < history->count; i++) {
		int length = kernel_length(&list[i]);
		const char *is = kernel_of(&list[i]);
		const char *was = kernel_of(&list[i - 1]);

		if (strcmp(is, was) != 0 &&
			length == kernel_length(&list[i - 1]) &&
			!strncmp(is, was, (size_t)length))
			return true;
	}
	return false;
}

/* ---- the table -------------------------------------------------------- */

struct sheet {
	const struct history *history;
	struct text_axis axis; /* no columns: none */
	struct columns table;
	bool year, time; /* of the dates */
	bool whole;      /* every run is shown */
};

/* Why a run is not counted. */
static const char *doubt(const struct history *history,
	const struct kept_point *point)
{
	if (history->regime != REGIME_SHARED &&
		point->quality == QUALITY_SHARED_CORE)
		return quality_is_crowd(point->others) &&
				!kept_point_has(point, "threads=1") ?
			"other tasks" :
			"shared core";
	if (!kept_point_counts(point))
		return "not enough data";
	return point->headline.median > 0 ? "alone" : "not above 0";
}

/* States why a run is not counted, and on which side of the axis it lies. */
static void say_doubt(const struct sheet *sheet, size_t run, struct text *text)
{
	const struct kept_point *point = &sheet->history->list[run];
	double median = point->headline.median;

	if (history_counts(sheet->history, run))
		return;
	if (sheet->axis.columns)
		text_add(text, "%s",
			median > sheet->axis.high       ? "> " :
				median < sheet->axis.low ? "< " :
							   "");
	text_add(text, "%s, not counted", doubt(sheet->history, point));
}

/* Is the run among the last, or does a level begin or end at it? */
static bool is_shown(const struct sheet *sheet, size_t run)
{
	const struct history *history = sheet->history;

	return sheet->whole || run + ROWS_LAST >= history->count ||
		history_change(history, HISTORY_FIGURE, run) ||
		history_change(history, HISTORY_FIGURE, run + 1);
}

static void add_sentence(struct sheet *sheet, struct text *text)
{
	columns_row(&sheet->table);
	columns_say(&sheet->table, 0, text->chars);
	text_free(text);
}

/* In front of all runs, if their regime needs an explanation. */
static void explain_regime(struct sheet *sheet)
{
	struct text text = { 0 };

	history_say_regime(sheet->history, &text);
	if (text.length)
		add_sentence(sheet, &text);
}

/* In front of the first run of a new level. */
static void mark_change(struct sheet *sheet, size_t run)
{
	const struct change *change =
		history_change(sheet->history, HISTORY_FIGURE, run);
	struct text text = { 0 };

	if (!change)
		return;
	say_change(sheet->history, run, change, &text);
	add_sentence(sheet, &text);
}

/* In front of the first run that is shown again. */
static void mark_hidden(struct sheet *sheet, size_t runs)
{
	struct text text = { 0 };

	if (!runs)
		return;
	text_add(&text, "(%zu run%s; -v shows all)", runs, runs > 1 ? "s" : "");
	add_sentence(sheet, &text);
}

static void add_row(struct sheet *sheet, size_t run, bool whole)
{
	const struct kept_point *point = &sheet->history->list[run];
	const struct kept_figure *figure = history_figure(sheet->history, run);
	struct columns *table = &sheet->table;
	bool counts = history_counts(sheet->history, run);
	struct text day = { 0 }, median = { 0 }, half = { 0 }, cell = { 0 };
	const struct summary summary = {
		.median = figure->median,
		.has_interval = figure->has_interval,
		.interval = { .low = figure->interval.low,
			.high = figure->interval.high },
	};
	size_t column = 0;

	mark_change(sheet, run);
	say_day(point->started, sheet->year, sheet->time, &day);
	unit_show(&median, point->unit, figure->median);
	figure_half(&half, summary_half(&summary));
	columns_row(table);
	columns_cell(table, column++, STYLE_PLAIN, "%s", day.chars);
	columns_cell(table, column++, counts ? STYLE_BOLD : STYLE_PLAIN, "%s",
		median.chars);
	columns_cell(table, column++, STYLE_PLAIN, "%s", text_chars(&half));
	if (isfinite(point->alone))
		columns_cell(table, column, STYLE_PLAIN, "%.0f %%",
			point->alone * 100);
	column++;
	columns_cell(table, column++, STYLE_PLAIN, "%.*s",
		whole ? 80 : kernel_length(point), kernel_of(point));
	if (sheet->axis.columns && counts)
		text_axis_point(&sheet->axis, figure->median, &cell);
	if (sheet->axis.columns)
		columns_cell(table, column++, STYLE_PLAIN, "%s",
			text_chars(&cell));
	text_clear(&cell);
	say_doubt(sheet, run, &cell);
	columns_cell(table, column, STYLE_ROUGH, "%s", text_chars(&cell));
	text_free(&day);
	text_free(&median);
	text_free(&half);
	text_free(&cell);
}

static void fill(struct sheet *sheet)
{
	const struct history *history = sheet->history;
	struct columns *table = &sheet->table;
	bool whole = needs_whole_kernel(history);
	struct text head = { 0 };

	columns_free(table);
	columns_add(table, "day", COLUMN_LEFT, 0);
	columns_add(table,
		history->regime == REGIME_SHARED ? "shared median" : "median",
		COLUMN_RIGHT, 0);
	columns_add(table, "95 %", COLUMN_RIGHT, 0);
	columns_add(table, "alone", COLUMN_RIGHT, 2);
	columns_add(table, "kernel", COLUMN_LEFT, 1);
	if (sheet->axis.columns) {
		text_axis_figures_head(&sheet->axis, history->list[0].unit,
			&head);
		columns_add(table, head.chars, COLUMN_LEFT, 0);
	}
	columns_add(table, "", COLUMN_LEFT, 0);
	explain_regime(sheet);
	size_t hidden = 0;
	for (size_t i = 0; i < history->count; i++) {
		if (!is_shown(sheet, i)) {
			hidden++;
			continue;
		}
		mark_hidden(sheet, hidden);
		hidden = 0;
		add_row(sheet, i, whole);
	}
	text_free(&head);
}

/* The setting, and of which regime the medians are. */
static void print_heading(const struct history *history, struct text *text)
{
	const char *regime = history_regime_words(history);

	text_add(text, "  ");
	history_say_title(history, text);
	text_add(text, "%s%s\n", *regime ? ", median " : "", regime);
}

void print_history(const struct history *history,
	const struct text_layout *layout, struct text *text)
{
	struct sheet sheet = { .history = history,
		.year = !one_year(history),
		.time = has_times(history),
		.whole = layout->verbose || history->count <= ROWS_MOST };
	const struct range range = history_range(history, HISTORY_FIGURE, 0);

	print_heading(history, text);
	fill(&sheet);
	/* Reserve two columns after the axis for "<" or ">". */
	int room = columns_fit(&sheet.table, layout) - 2;
	if (layout->bars && range.high > 0 && room >= AXIS_LEAST)
		sheet.axis = text_axis_figures(range.low, range.high,
			history->list->unit,
			room < AXIS_MOST ? room : AXIS_MOST, layout->utf8);
	fill(&sheet);
	columns_print(&sheet.table, layout, text);
	columns_free(&sheet.table);
	print_levels(history, sheet.year, sheet.time, layout, text);
}
