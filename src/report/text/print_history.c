/* One setting over the stored sessions, as plain text. */
#include "print_history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "digest.h"
#include "figure.h"
#include "text_axis.h"

enum { AXIS_LEAST = 16, AXIS_MOST = 41, DAY = 10, YEAR = 4 };

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

/* Adds 2025-11-20T09:15:00+0100 as "Nov 20 09:15", or as "2025-11-20" if the
 * runs are of several years. */
static void say_day(const char *started, bool year, bool time,
	struct text *text)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	long month = strtol(started + 5, NULL, 10);

	if (strlen(started) < 16 || month < 1 || month > 12) {
		text_add(text, "unknown");
		return;
	}
	if (year)
		text_add(text, "%.10s", started);
	else
		text_add(text, "%.3s %.2s", months + 3 * (month - 1),
			started + 8);
	if (time)
		text_add(text, " %.5s", started + 11);
}

/* The length of the version up to the first '-', where the suffix of the
 * distribution begins. */
static int kernel_length(const struct kept_point *point)
{
	return (int)strcspn(point->kernel, "-");
}

/* True if two successive kernels differ only in the distribution's suffix. */
static bool needs_whole_kernel(const struct history *history)
{
	const struct kept_point *list = history->list;

	for (size_t i = 1; i < history->count; i++) {
		int length = kernel_length(&list[i]);

		if (strcmp(list[i].kernel, list[i - 1].kernel) != 0 &&
			length == kernel_length(&list[i - 1]) &&
			!strncmp(list[i].kernel, list[i - 1].kernel,
				(size_t)length))
			return true;
	}
	return false;
}

/* ---- the table -------------------------------------------------------- */

struct sheet {
	const struct history *history;
	struct text_axis axis; /* no columns: none */
	struct columns table;
};

/* States why a run is not counted, and on which side of the axis it lies. */
static void say_doubt(const struct sheet *sheet, const struct kept_point *point,
	struct text *text)
{
	if (kept_point_counts(point))
		return;
	if (sheet->axis.columns)
		text_add(text, "%s",
			point->median > sheet->axis.high       ? "> " :
				point->median < sheet->axis.low ? "< " :
								  "");
	text_add(text, "%s, not counted",
		point->quality == QUALITY_SHARED_CORE ? "shared" :
							"not enough data");
}

static void add_row(struct sheet *sheet, const struct kept_point *point,
	bool year, bool time, bool whole)
{
	struct columns *table = &sheet->table;
	bool counts = kept_point_counts(point);
	struct text day = { 0 }, median = { 0 }, half = { 0 }, cell = { 0 };
	const struct summary summary = {
		.median = point->median,
		.has_interval = point->has_interval,
		.interval = { .low = point->interval.low,
			.high = point->interval.high },
	};
	size_t column = 0;

	say_day(point->started, year, time, &day);
	unit_show(&median, point->unit, point->median);
	figure_half(&half, &summary);
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
		whole ? 80 : kernel_length(point), point->kernel);
	if (sheet->axis.columns && counts)
		text_axis_point(&sheet->axis, point->median, &cell);
	if (sheet->axis.columns)
		columns_cell(table, column++, STYLE_PLAIN, "%s",
			text_chars(&cell));
	text_clear(&cell);
	say_doubt(sheet, point, &cell);
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
	bool time = has_times(history), year = !one_year(history);
	bool whole = needs_whole_kernel(history);
	struct text head = { 0 };

	columns_free(table);
	columns_add(table, "day", COLUMN_LEFT, 0);
	columns_add(table, "median", COLUMN_RIGHT, 0);
	columns_add(table, "95 %", COLUMN_RIGHT, 0);
	columns_add(table, "alone", COLUMN_RIGHT, 2);
	columns_add(table, "kernel", COLUMN_LEFT, 1);
	if (sheet->axis.columns) {
		text_axis_figures_head(&sheet->axis, history->list[0].unit,
			&head);
		columns_add(table, head.chars, COLUMN_LEFT, 0);
	}
	columns_add(table, "", COLUMN_LEFT, 0);
	for (size_t i = 0; i < history->count; i++)
		add_row(sheet, &history->list[i], year, time, whole);
	text_free(&head);
}

static bool find_range(const struct history *history, double *low,
	double *high)
{
	*low = INFINITY;
	*high = 0;
	for (size_t i = 0; i < history->count; i++) {
		const struct kept_point *point = &history->list[i];

		if (!kept_point_counts(point) || !(point->median > 0))
			continue;
		*low = fmin(*low, point->median);
		*high = fmax(*high, point->median);
	}
	return *high > 0;
}

void print_history(const struct history *history,
	const struct text_layout *layout, struct text *text)
{
	const struct kept_point *first = history->list;
	struct sheet sheet = { .history = history };
	double low, high;

	if (!history->count)
		return;
	text_add(text, "  %s%s%s\n", history->experiment,
		*first->setting ? " " : "", first->setting);
	fill(&sheet);
	/* Reserve two columns after the axis for "<" or ">". */
	int room = columns_fit(&sheet.table, layout) - 2;
	if (layout->bars && find_range(history, &low, &high) &&
		room >= AXIS_LEAST)
		sheet.axis = text_axis_figures(low, high, first->unit,
			room < AXIS_MOST ? room : AXIS_MOST, layout->utf8);
	fill(&sheet);
	columns_print(&sheet.table, layout, text);
	columns_free(&sheet.table);
}
