/* A fleet as plain text. */
#include "print_fleet.h"

#include <math.h>

#include "columns.h"
#include "figure.h"

/* Rows without -v. */
enum {
	SERIES_OF_OUTLIER = 4,
	SERIES_MOST = 40,
	GROUPS_MOST = 8,
	DIFFERENCES = 3
};

/* ---- outliers --------------------------------------------------------- */

static void add_p(double p, struct text *text)
{
	if (isnan(p))
		text_add(text, "-");
	else if (p < 1e-6)
		text_add(text, "<0.000001");
	else
		text_add(text, "%.6f", p);
}

static void add_outlier(const struct fleet_sessions *sessions,
	const struct fleet_outlier *outlier, bool first, struct columns *table)
{
	struct text what = { 0 }, p = { 0 };

	fleet_say_outlier(sessions, outlier, &what);
	fleet_say_regime(sessions, outlier, &what);
	add_p(outlier->p, &p);
	columns_row(table);
	if (first)
		columns_cell(table, 0, STYLE_BOLD, "%s",
			sessions->machines[outlier->machine].name);
	columns_cell(table, 1, outlier->ratio > 1 ? STYLE_DOUBT : STYLE_PLAIN,
		"%.3f", outlier->ratio);
	columns_cell(table, 2, STYLE_PLAIN, "%s", p.chars);
	columns_say(table, 3, what.chars);
	text_free(&what);
	text_free(&p);
}

/* Ends the rows of a machine. */
static void add_differences(const struct fleet_sessions *sessions,
	size_t machine, size_t hidden, struct columns *table)
{
	struct text text = { 0 };

	if (hidden) {
		text_add(&text, "and %zu more series (-v shows all)", hidden);
		columns_row(table);
		columns_say(table, 3, text.chars);
		text_clear(&text);
	}
	fleet_say_differences(sessions, machine, DIFFERENCES, &text);
	if (text.length) {
		columns_row(table);
		columns_say(table, 3, text.chars);
	}
	text_free(&text);
}

static void print_outliers(const struct fleet_sessions *sessions,
	const struct text_layout *layout, struct text *text)
{
	const struct fleet *fleet = &sessions->fleet;
	size_t most = layout->verbose ? sessions->series_count :
					SERIES_OF_OUTLIER;
	struct columns table = { 0 };
	size_t shown = 0, hidden = 0;

	columns_add(&table, "machine", COLUMN_LEFT, 0);
	columns_add(&table, "ratio", COLUMN_RIGHT, 0);
	columns_add(&table, "p", COLUMN_RIGHT, 1);
	columns_add(&table, "in", COLUMN_LEFT, 0);
	for (size_t i = 0; i < fleet->outlier_count; i++) {
		const struct fleet_outlier *outlier = &fleet->outliers[i];
		bool first = !i || outlier[-1].machine != outlier->machine;
		bool last = i + 1 == fleet->outlier_count ||
			outlier[1].machine != outlier->machine;

		if (first)
			shown = hidden = 0;
		if (outlier->kind == FLEET_SERIES && shown++ >= most)
			hidden++;
		else
			add_outlier(sessions, outlier, first, &table);
		if (last)
			add_differences(sessions, outlier->machine, hidden,
				&table);
	}
	columns_print(&table, layout, text);
	columns_free(&table);
}

/* ---- groups ----------------------------------------------------------- */

static void add_group(const struct fleet_sessions *sessions, size_t i,
	struct columns *table)
{
	const struct fleet_group *group = &sessions->fleet.groups[i];
	struct text said = { 0 };

	columns_row(table);
	columns_cell(table, 0, STYLE_PLAIN, "%zu", group->machines);
	columns_cell(table, 1, STYLE_PLAIN, "%.3f", group->ratio);
	fleet_say_group(sessions, i, &said);
	columns_say(table, 2, said.chars);
	text_free(&said);
}

/* If not all machines are alike. */
static void print_groups(const struct fleet_sessions *sessions,
	const struct text_layout *layout, struct text *text)
{
	size_t count = sessions->fleet.group_count;
	size_t shown =
		layout->verbose || count <= GROUPS_MOST ? count : GROUPS_MOST;
	struct columns table = { 0 };

	if (count < 2)
		return;
	columns_add(&table, "alike", COLUMN_RIGHT, 0);
	columns_add(&table, "ratio", COLUMN_RIGHT, 0);
	columns_add(&table, "group", COLUMN_LEFT, 0);
	for (size_t i = 0; i < shown; i++)
		add_group(sessions, i, &table);
	columns_print(&table, layout, text);
	columns_free(&table);
	if (shown < count)
		text_add(text, "  (%zu more groups; -v shows all)\n",
			count - shown);
	text_add(text, "\n");
}

/* ---- series ----------------------------------------------------------- */

/* A standard deviation of logarithms, as a percentage. */
static void cell_sd(struct columns *table, size_t column, double variance)
{
	if (isnan(variance))
		columns_cell(table, column, STYLE_PLAIN, "-");
	else
		columns_cell(table, column, STYLE_PLAIN, "%.2g %%",
			sqrt(variance) * 100);
}

static void add_series(const struct fleet_sessions *sessions, size_t i,
	bool regimes, struct columns *table)
{
	const struct fleet_series *series = &sessions->fleet.series[i];
	const struct fleet_title *title = &sessions->series[i];
	struct text name = { 0 }, median = { 0 };
	size_t column = 0;

	fleet_say_title(title, &name);
	figure_add(&median, title->unit, fleet_centre(sessions, i), 0);
	columns_row(table);
	columns_cell(table, column++, STYLE_PLAIN, "%zu", series->machines);
	if (regimes)
		columns_cell(table, column++, STYLE_PLAIN, "%zu",
			fleet_shared(sessions, i));
	columns_cell(table, column++, STYLE_BOLD, "%s", median.chars);
	cell_sd(table, column++, series->split.machine);
	cell_sd(table, column++, series->split.run);
	cell_sd(table, column++, series->split.launch);
	columns_say(table, column, name.chars);
	text_free(&name);
	text_free(&median);
}

static void print_series(const struct fleet_sessions *sessions,
	const struct text_layout *layout, struct text *text)
{
	size_t count = sessions->series_count;
	size_t shown =
		layout->verbose || count <= SERIES_MOST ? count : SERIES_MOST;
	struct columns table = { 0 };
	bool regimes = false;

	for (size_t i = 0; i < count && !regimes; i++)
		regimes = fleet_shared(sessions, i) > 0;
	columns_add(&table, "machines", COLUMN_RIGHT, 0);
	if (regimes)
		columns_add(&table, "shared", COLUMN_RIGHT, 0);
	columns_add(&table, "median", COLUMN_RIGHT, 0);
	columns_add(&table, "sd machine", COLUMN_RIGHT, 1);
	columns_add(&table, "run", COLUMN_RIGHT, 2);
	columns_add(&table, "launch", COLUMN_RIGHT, 2);
	columns_add(&table, "series", COLUMN_LEFT, 0);
	for (size_t i = 0; i < shown; i++)
		add_series(sessions, i, regimes, &table);
	columns_print(&table, layout, text);
	columns_free(&table);
	if (shown < count)
		text_add(text, "  (%zu more series; -v shows all)\n",
			count - shown);
}

static void print_left_out(const struct fleet_sessions *sessions,
	struct text *text)
{
	if (!sessions->left_out_count)
		return;
	text_add(text, "  ");
	fleet_say_left_out(sessions, text);
	text_add(text, "\n\n");
}

/* A machine with few series has only tests of each. */
static void print_untested(const struct fleet_sessions *sessions,
	struct text *text)
{
	static const enum fleet_kind kinds[] = { FLEET_OVERALL, FLEET_SCATTER };
	bool any = false;

	if (sessions->machine_count < FLEET_LEAST)
		return;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t untested = 0;

		for (size_t m = 0; m < sessions->machine_count; m++)
			untested += isnan(fleet_ratio(&sessions->fleet, m,
				kinds[i]));
		if (!untested)
			continue;
		if (!any)
			text_add(text, "  not tested, with fewer than %d "
				"series to compare:\n",
				FLEET_LEAST);
		any = true;
		text_add(text, "    %s on %zu of %zu machines\n",
			fleet_kind_words(kinds[i]), untested,
			sessions->machine_count);
	}
	text_add(text, "%s", any ? "\n" : "");
}

void print_fleet(const struct fleet_sessions *sessions,
	const struct text_layout *layout, struct text *text)
{
	size_t outliers = fleet_sick(&sessions->fleet);

	fleet_say_counts(sessions, text);
	text_add(text, "\n\n");
	if (outliers) {
		print_outliers(sessions, layout, text);
		text_add(text, "\n  %zu of %zu machines differ%s from the "
			"others; a ratio above 1 is slower\n\n",
			outliers, sessions->machine_count,
			outliers == 1 ? "s" : "");
	} else {
		text_add(text, "  %s\n\n", fleet_no_outlier(sessions));
	}
	print_left_out(sessions, text);
	print_untested(sessions, text);
	print_groups(sessions, layout, text);
	print_series(sessions, layout, text);
}
