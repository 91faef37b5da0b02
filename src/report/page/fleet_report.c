/* The HTML report of a fleet. */
#include "fleet_report.h"

#include <math.h>
#include <string.h>

#include "document.h"
#include "figure.h"
#include "plot_fleet.h"

enum { SERIES_OF_OUTLIER = 4, DIFFERENCES = 4 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void add_safe(struct text *text, const char *chars)
{
	text_add_safe(text, chars, strlen(chars));
}

/* ---- the lead --------------------------------------------------------- */

static void add_lead(struct document *document,
	const struct fleet_sessions *sessions)
{
	size_t sick = fleet_sick(&sessions->fleet);
	struct text said = { 0 };

	fleet_say_counts(sessions, &said);
	text_add(&said, ": ");
	if (sick)
		text_add(&said, "%zu machine%s from the others.", sick,
			sick == 1 ? " differs" : "s differ");
	else
		text_add(&said, "%s.", fleet_no_outlier(sessions));
	document_paragraph(document, said.chars);
	text_clear(&said);
	fleet_say_left_out(sessions, &said);
	if (said.length)
		document_paragraph(document, said.chars);
	text_free(&said);
	document_said(document, "Rule",
		"A machine is compared with its group, the machines of the "
		"same model, firmware and kernel, if these are at least three, "
		"else with all. It is an outlier if Student's distribution, "
		"with the median and the median absolute deviation of the "
		"logarithms, gives p below .001 after Holm's adjustment over "
		"all tests of its kind, and if its figure is away by at least "
		"twice the spread expected of good machines. If nine tenths of "
		"the machines are alike, the surroundings of the others are "
		"outliers. A ratio above 1 is slower than the median machine, "
		"or a higher figure if no direction is better.");
}

/* ---- the heat map ----------------------------------------------------- */

static void add_map(struct document *document,
	const struct fleet_sessions *sessions, const struct fleet_order *order)
{
	struct plot_fleet plot = {
		.sessions = sessions,
		.machines = order->machines,
		.series = order->series,
		.machine_count =
			least(sessions->machine_count, FLEET_REPORT_ROWS),
		.series_count =
			least(sessions->series_count, FLEET_REPORT_COLUMNS),
	};
	size_t sick = fleet_sick(&sessions->fleet);
	struct text svg = { 0 }, caption = { 0 };

	plot_fleet(&plot, &svg);
	text_add(&caption,
		"Ratio of each machine to the median of its group: red is slower, "
		"blue faster, full colour from 1.3 on; a cross marks an "
		"outlier. Outliers are first. Left out: %zu machines, %zu of "
		"them outliers, and %zu series.",
		sessions->machine_count - plot.machine_count,
		sick - least(sick, plot.machine_count),
		sessions->series_count - plot.series_count);
	document_heading(document, 2, "map", "Machines and series");
	document_figure(document, svg.chars, "", caption.chars);
	text_free(&svg);
	text_free(&caption);
}

/* ---- outliers --------------------------------------------------------- */

static void add_outliers(struct document *document,
	const struct fleet_sessions *sessions, const struct fleet_order *order)
{
	static const struct column_head heads[] = {
		{ "machine", false, false },
		{ "ratio in", false, true },
		{ "differs from most machines in", false, true },
	};
	size_t sick = fleet_sick(&sessions->fleet);
	size_t shown = least(sick, FLEET_REPORT_OUTLIERS);
	struct text text = { 0 };

	if (!shown)
		return;
	document_heading(document, 2, "outliers", "Outliers");
	text_add(&text, "Machines that differ from the others; %zu more left "
		"out.", sick - shown);
	document_table_begin(document, text.chars, heads, 3);
	for (size_t i = 0; i < shown; i++) {
		size_t machine = order->machines[i];

		text_clear(&text);
		add_safe(&text, sessions->machines[machine].name);
		document_cell(document, text_chars(&text));
		text_clear(&text);
		fleet_say_outliers(sessions, machine, SERIES_OF_OUTLIER, &text);
		document_cell(document, text_chars(&text));
		text_clear(&text);
		fleet_say_differences(sessions, machine, DIFFERENCES, &text);
		document_cell(document,
			text.length ? text.chars : "nothing that is recorded");
	}
	document_table_end(document);
	text_free(&text);
}

/* ---- groups ----------------------------------------------------------- */

static void add_groups(struct document *document,
	const struct fleet_sessions *sessions)
{
	static const struct column_head heads[] = {
		{ "machines", true, false },
		{ "ratio", true, false },
		{ "alike in, or unlike the first group", false, true },
	};
	const struct fleet *fleet = &sessions->fleet;
	size_t shown = least(fleet->group_count, FLEET_REPORT_OUTLIERS);
	struct text text = { 0 };

	if (shown < 2)
		return;
	document_heading(document, 2, "groups", "Groups");
	text_add(&text, "Alike machines: of one model, firmware and kernel. "
		"The ratio is that of their median to the fleet's, over all "
		"series; %zu more left out.", fleet->group_count - shown);
	document_table_begin(document, text.chars, heads, 3);
	for (size_t i = 0; i < shown; i++) {
		text_clear(&text);
		text_add(&text, "%zu", fleet->groups[i].machines);
		document_cell(document, text.chars);
		text_clear(&text);
		text_add(&text, "%.3f", fleet->groups[i].ratio);
		document_cell(document, text.chars);
		text_clear(&text);
		fleet_say_group(sessions, i, &text);
		document_cell(document, text_chars(&text));
	}
	document_table_end(document);
	text_free(&text);
}

/* ---- series ----------------------------------------------------------- */

static void figure_cell(struct document *document, enum unit unit, double value)
{
	struct text text = { 0 };

	figure_add(&text, unit, value, 0);
	document_cell(document, text_chars(&text));
	text_free(&text);
}

/* A variance of logarithms as a standard deviation in percent. */
static void sd_cell(struct document *document, double variance)
{
	struct text text = { 0 };

	if (isnan(variance))
		text_add(&text, "-");
	else
		text_add(&text, "%.2g %%", sqrt(variance) * 100);
	document_cell(document, text.chars);
	text_free(&text);
}

static void add_series_row(struct document *document,
	const struct fleet_sessions *sessions, size_t number, size_t i)
{
	const struct fleet_series *series = &sessions->fleet.series[i];
	const struct fleet_title *title = &sessions->series[i];
	bool rate = title->is_rate;
	struct text text = { 0 };

	text_add(&text, "%zu", number);
	document_cell(document, text.chars);
	text_clear(&text);
	fleet_say_title(title, &text);
	document_cell(document, text.chars);
	text_clear(&text);
	text_add(&text, "%zu", series->machines);
	document_cell(document, text.chars);
	text_clear(&text);
	text_add(&text, "%zu", fleet_shared(sessions, i));
	document_cell(document, text.chars);
	figure_cell(document, title->unit, fleet_centre(sessions, i));
	figure_cell(document, title->unit,
		rate ? 1 / series->high : series->low);
	figure_cell(document, title->unit,
		rate ? 1 / series->low : series->high);
	sd_cell(document, series->split.machine);
	sd_cell(document, series->split.run);
	sd_cell(document, series->split.launch);
	text_free(&text);
}

static void add_series(struct document *document,
	const struct fleet_sessions *sessions, const struct fleet_order *order)
{
	static const struct column_head heads[] = {
		{ "no.", true, false },
		{ "series", false, false },
		{ "machines", true, false },
		{ "shared", true, false },
		{ "median", true, false },
		{ "q05", true, false },
		{ "q95", true, false },
		{ "sd machines", true, false },
		{ "sd runs", true, false },
		{ "sd launches", true, false },
	};
	size_t shown = least(sessions->series_count, FLEET_REPORT_SERIES);
	struct text caption = { 0 };

	text_add(&caption,
		"Machines, and those whose figures are of a shared core; "
		"median and quantiles .05 and .95 of the machines, and the "
		"parts of the standard deviation that come from machines, runs "
		"and launches; %zu more series left out.",
		sessions->series_count - shown);
	document_heading(document, 2, "series", "Series");
	document_table_begin(document, caption.chars, heads, 10);
	for (size_t i = 0; i < shown; i++)
		add_series_row(document, sessions, i + 1, order->series[i]);
	document_table_end(document);
	text_free(&caption);
}

void fleet_report(const struct fleet_sessions *sessions, struct text *out)
{
	struct fleet_order order;
	struct document document;

	fleet_order_find(sessions, &order);
	document_begin(&document, DOCUMENT_HTML, "Measurements of a fleet",
		out);
	add_lead(&document, sessions);
	add_map(&document, sessions, &order);
	add_outliers(&document, sessions, &order);
	add_groups(&document, sessions);
	add_series(&document, sessions, &order);
	document_end(&document);
	fleet_order_free(&order);
}
