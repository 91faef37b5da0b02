/* The HTML report of a history. */
#include "history_report.h"

#include <math.h>

#include "document.h"
#include "figure.h"
#include "plot_history.h"
#include "print_levels.h"

static const struct history_series *figure_of(const struct history *history)
{
	return &history->series[HISTORY_FIGURE];
}

/* Adds a cell, and clears the text. */
static void cell(struct document *document, struct text *text)
{
	document_cell(document, text_chars(text));
	text_clear(text);
}

/* ---- the lead and the plot -------------------------------------------- */

static void add_lead(struct document *document, const struct history *history)
{
	size_t counted = figure_of(history)->count;
	size_t changes = figure_of(history)->changes.count;
	struct text said = { 0 };

	text_add(&said, "%zu run%s, %zu of them counted: ", history->count,
		history->count == 1 ? "" : "s", counted);
	if (counted < CHANGES_LEAST)
		text_add(&said, "changes are searched from %d counted runs on.",
			CHANGES_LEAST);
	else if (changes)
		text_add(&said, "the level changes %zu time%s.", changes,
			changes == 1 ? "" : "s");
	else
		text_add(&said, "the level does not change.");
	document_paragraph(document, said.chars);
	text_clear(&said);
	history_say_regime(history, &said);
	if (said.length)
		document_said(document, "Regime", said.chars);
	text_free(&said);
	document_said(document, "Rule",
		"E-divisive with means on logarithms. A change has at least "
		"three runs on each side, exceeds the noise of successive runs "
		"and 1 %, and has a p below 2.5 % in a permutation test. The "
		"figure, the canary and the memory ruler together stay below "
		"5 % (Holm).");
}

static void add_plot(struct document *document, const struct history *history)
{
	size_t count = history->count;
	struct text svg = { 0 }, caption = { 0 };

	plot_history(history, HISTORY_FIGURE, &svg);
	text_add(&caption,
		"A dot per run%s, a cross for a run that does not count, a "
		"line along each level, a dashed border at each change.",
		count > PLOT_HISTORY_INTERVALS ? "" : " with its interval");
	if (count > PLOT_HISTORY_RUNS)
		text_add(&caption, " Left out: the first %zu runs.",
			count - PLOT_HISTORY_RUNS);
	document_heading(document, 2, "plot", "The runs");
	document_figure(document, svg.chars, "", caption.chars);
	text_free(&svg);
	text_free(&caption);
}

/* The canary or the memory ruler in the same runs. */
static void add_plot_below(struct document *document,
	const struct history *history, enum history_what what)
{
	struct text svg = { 0 }, caption = { 0 };

	if (!history->series[what].count)
		return;
	plot_history(history, what, &svg);
	text_add(&caption,
		"The %s beside the trials of the same runs. If it changes with "
		"the figure, the %s changed its speed.",
		history_name(history, what),
		what == HISTORY_CANARY ? "core" : "memory");
	document_figure(document, svg.chars, "", caption.chars);
	text_free(&svg);
	text_free(&caption);
}

/* ---- changes ---------------------------------------------------------- */

static void add_changes(struct document *document,
	const struct history *history)
{
	static const struct column_head heads[] = {
		{ "run", true, false },
		{ "day", false, false },
		{ "step", true, false },
		{ "change", false, true },
	};
	const struct history_series *series = figure_of(history);
	struct text text = { 0 };

	if (!series->changes.count)
		return;
	document_heading(document, 2, "changes", "Changes");
	document_table_begin(document, "Changes of the level.", heads, 4);
	for (size_t i = 0; i < series->changes.count; i++) {
		const struct change *change = &series->changes.list[i];
		size_t run = series->runs[change->at];

		text_add(&text, "%zu", run + 1);
		cell(document, &text);
		say_day(history->list[run].started, true, true, &text);
		cell(document, &text);
		text_add(&text, "%+.1f %%", history_step(change) * 100);
		cell(document, &text);
		say_change(history, run, change, &text);
		cell(document, &text);
	}
	document_table_end(document);
	text_free(&text);
}

/* ---- series ----------------------------------------------------------- */

static void add_series(struct document *document, const struct history *history)
{
	static const struct column_head heads[] = {
		{ "series", false, false },
		{ "runs", true, false },
		{ "level", true, false },
		{ "changes", true, false },
		{ "threshold", true, false },
	};
	struct text text = { 0 };

	document_heading(document, 2, "series", "Series");
	document_table_begin(document,
		"The present level of each series. A change must exceed the "
		"threshold.",
		heads, 5);
	for (int i = 0; i < HISTORY_SERIES; i++) {
		enum history_what what = (enum history_what)i;
		const struct history_series *series = &history->series[i];

		if (!series->count)
			continue;
		text_add(&text, "%s", history_name(history, what));
		cell(document, &text);
		text_add(&text, "%zu", series->count);
		cell(document, &text);
		figure_add(&text,
			history_unit(history, what),
			history_level(history, what), 0);
		cell(document, &text);
		text_add(&text, "%zu", series->changes.count);
		cell(document, &text);
		text_add(&text, "%.1f %%", expm1(series->floor) * 100);
		cell(document, &text);
	}
	document_table_end(document);
	text_free(&text);
}

/* ---- runs ------------------------------------------------------------- */

static void add_run(struct document *document, const struct history *history,
	size_t run)
{
	const struct kept_point *point = &history->list[run];
	const struct kept_figure *figure = history_figure(history, run);
	const char *kernel = point->surroundings->value[SURROUNDING_KERNEL];
	struct text text = { 0 };

	text_add(&text, "%zu", run + 1);
	cell(document, &text);
	say_day(point->started, true, true, &text);
	cell(document, &text);
	figure_add(&text, point->unit, figure->median, 0);
	cell(document, &text);
	if (figure->has_interval) {
		figure_number(&text, point->unit, figure->interval.low,
			figure->interval.high);
		text_add(&text, " .. ");
		figure_add(&text, point->unit, figure->interval.high, 0);
	}
	cell(document, &text);
	text_add(&text, "%s", history_counts(history, run) ? "yes" : "no");
	cell(document, &text);
	text_add(&text, "%s", kernel ? kernel : "");
	cell(document, &text);
	text_free(&text);
}

static void add_runs(struct document *document, const struct history *history)
{
	struct text median = { 0 };
	const char *regime = history_regime_words(history);

	text_add(&median, "median%s%s", *regime ? " " : "", regime);
	const struct column_head heads[] = {
		{ "run", true, false },
		{ "day", false, false },
		{ median.chars, true, false },
		{ "95 %", true, false },
		{ "counted", false, false },
		{ "kernel", false, false },
	};
	size_t count = history->count;
	size_t first = count > HISTORY_REPORT_RUNS ?
		count - HISTORY_REPORT_RUNS :
		0;
	struct text caption = { 0 };

	text_add(&caption, "The runs");
	if (first)
		text_add(&caption, "; %zu earlier ones left out", first);
	text_add_char(&caption, '.');
	document_heading(document, 2, "runs", "Figures of the runs");
	document_table_begin(document, caption.chars, heads, 6);
	for (size_t i = first; i < count; i++)
		add_run(document, history, i);
	document_table_end(document);
	text_free(&caption);
	text_free(&median);
}

void history_report(const struct history *history, struct text *out)
{
	struct document document;
	struct text title = { 0 };

	text_add(&title, "History of ");
	history_say_title(history, &title);
	document_begin(&document, DOCUMENT_HTML, title.chars, out);
	add_lead(&document, history);
	add_plot(&document, history);
	add_plot_below(&document, history, HISTORY_CANARY);
	add_plot_below(&document, history, HISTORY_RULER);
	add_changes(&document, history);
	add_series(&document, history);
	add_runs(&document, history);
	document_end(&document);
	text_free(&title);
}
