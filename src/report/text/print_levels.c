/* The levels of a history. */
#include "print_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "figure.h"
#include "marks.h"

/* ---- a change among the runs ------------------------------------------ */

/* Adds 2025-11-20T09:15:00+0100 as "Nov 20 09:15", or as "2025-11-20" if the
 * runs are of several years. */
void say_day(const char *started, bool year, bool time, struct text *text)
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

static void say_step(const struct change *change, struct text *text)
{
	text_add(text, "%+.1f %%", history_step(change) * 100);
}

static void say_cause(const struct history *history, size_t run,
	struct text *text)
{
	size_t cause = history_cause(history, run);
	size_t away = cause > run ? cause - run : run - cause;

	if (cause == history->count) {
		text_add(text, " No recorded condition changed.");
		return;
	}
	text_add(text, " Changed ");
	if (away)
		text_add(text, "%zu run%s %s: ", away, away > 1 ? "s" : "",
			cause < run ? "before" : "after");
	else
		text_add(text, "here: ");
	history_say_differences(history, cause, text);
	text_add(text, ".");
}

void say_change(const struct history *history, size_t run,
	const struct change *change, struct text *text)
{
	double before = exp(change->before), after = exp(change->after);
	double width = fabs(after - before) / 10;

	text_add(text, "The level %s by %.1f %% here, from ",
		after > before ? "rises" : "falls",
		fabs(history_step(change)) * 100);
	figure_add(text, history->list->unit, before, width);
	text_add(text, " to ");
	figure_add(text, history->list->unit, after, width);
	text_add(text, " (p = %.2g).", change->p);
	say_cause(history, run, text);
	for (int i = HISTORY_CANARY; i < HISTORY_SERIES; i++) {
		enum history_what what = (enum history_what)i;
		const struct change *near = history_near(history, what, run);

		if (!near)
			continue;
		text_add(text, " The %s changed too: ",
			history_name(history, what));
		say_step(near, text);
		text_add(text, ". So the %s changed its speed.",
			what == HISTORY_CANARY ? "core" : "memory");
	}
}

/* ---- the table -------------------------------------------------------- */

static void name_series(const struct history *history, enum history_what what,
	struct text *text)
{
	const char *regime = history_regime_words(history);

	text_add(text, "%s", history_name(history, what));
	if (what == HISTORY_FIGURE)
		text_add(text, "%s%s", *regime ? ", " : "", regime);
}

static void add_series(const struct history *history, enum history_what what,
	bool year, bool time, struct columns *table)
{
	const struct history_series *series = &history->series[what];
	const struct change *last = history_last(history, what);
	double level = history_level(history, what);
	struct text name = { 0 }, figure = { 0 }, day = { 0 }, step = { 0 };

	name_series(history, what, &name);
	figure_add(&figure, history_unit(history, what), level,
		level * series->floor / 10);
	columns_row(table);
	columns_cell(table, 0, STYLE_PLAIN, "%s", name.chars);
	columns_cell(table, 1, STYLE_PLAIN, "%zu", series->count);
	columns_cell(table, 2, STYLE_BOLD, "%s", figure.chars);
	if (last) {
		say_day(history->list[series->runs[last->at]].started, year,
			time, &day);
		say_step(last, &step);
	}
	columns_cell(table, 3, STYLE_PLAIN, "%s", text_chars(&day));
	columns_cell(table, 4, last ? STYLE_ROUGH : STYLE_PLAIN, "%s",
		last                                  ? step.chars :
			series->count < CHANGES_LEAST ? "too few runs" :
							"none");
	columns_cell(table, 5, STYLE_PLAIN, "%.1f %%",
		expm1(series->floor) * 100);
	text_free(&name);
	text_free(&figure);
	text_free(&day);
	text_free(&step);
}

/* ---- the runs of a series as a strip ---------------------------------- */

enum { STRIP_LEAST = 10, STRIP_MOST = 40 };

/* The mean of the values in cell `i` of `cells`; NaN: none. */
static double cell_of(const struct history *history, enum history_what what,
	size_t i, size_t cells)
{
	size_t first = i * history->count / cells;
	size_t end = (i + 1) * history->count / cells, count = 0;
	double sum = 0;

	for (size_t run = first; run < end; run++) {
		double value = history_value(history, what, run);

		if (!(value > 0))
			continue;
		sum += value;
		count++;
	}
	return count ? sum / (double)count : NAN;
}

/* The lowest cell has the least value of the series, the highest the greatest,
 * but noise below the threshold does not fill them. */
static void add_strip(const struct history *history, enum history_what what,
	size_t cells, const struct text_layout *layout, struct text *text)
{
	struct range range = history_range(history, what, 0);
	double least = 4 * history->series[what].floor * range.high;
	double width = fmax(range.high - range.low, least);
	double low = (range.high + range.low - width) / 2;

	for (size_t i = 0; i < cells; i++) {
		double value = cell_of(history, what, i, cells);

		mark_level(text, layout,
			isnan(value) ? 0 :
				       .125 + .875 * (value - low) / width);
	}
}

static void add_strips(const struct history *history, struct columns *table,
	const struct text_layout *layout)
{
	int room = columns_fit(table, layout);
	size_t cells = (size_t)(room < STRIP_MOST ? room : STRIP_MOST), row = 0;

	if (!layout->bars || room < STRIP_LEAST || history->count < 2)
		return;
	if (cells > history->count)
		cells = history->count;
	size_t column = columns_add(table, "over time", COLUMN_LEFT,
		0);
	for (int i = 0; i < HISTORY_SERIES; i++) {
		struct text strip = { 0 };

		if (!history->series[i].count)
			continue;
		add_strip(history, (enum history_what)i, cells, layout, &strip);
		columns_cell_of(table, row++, column, STYLE_PLAIN,
			strip.chars);
		text_free(&strip);
	}
}

void print_levels(const struct history *history, bool year, bool time,
	const struct text_layout *layout, struct text *text)
{
	static const char *const heads[] = { "series", "runs", "level", "since",
		"change", "threshold" };
	struct columns table = { 0 };

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		columns_add(&table, heads[i],
			i == 1 || i == 2 || i == 5 ? COLUMN_RIGHT : COLUMN_LEFT,
			0);
	for (int i = 0; i < HISTORY_SERIES; i++)
		if (history->series[i].count)
			add_series(history, (enum history_what)i, year, time,
				&table);
	add_strips(history, &table, layout);
	if (table.rows) {
		text_add(text, "\n");
		columns_print(&table, layout, text);
	}
	if (history->series[HISTORY_FIGURE].count < CHANGES_LEAST)
		text_add(text,
			"  Changes are searched from %d counted runs on.\n",
			CHANGES_LEAST);
	columns_free(&table);
}
