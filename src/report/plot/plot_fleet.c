/* The heat map of a fleet. */
#include "plot_fleet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document.h"
#include "plot_internal.h"

enum {
	LEFT = 150, /* names of machines */
	TOP = 46,
	ROW = 15,
	CELL_MOST = 26,
	NUMBER_LEAST = 18, /* narrower cells have every fifth number */
	NAME_MOST = 20,
	KINDS = FLEET_WHOLE,
};

/* A ratio of 1.3, or its inverse, has the full shade. */
static const double full = 1.3;

static enum fleet_kind kind_of(size_t column)
{
	return column < KINDS ? FLEET_OVERALL + (unsigned)column :
				FLEET_SERIES;
}

static double ratio_of(const struct plot_fleet *plot, size_t machine,
	size_t column)
{
	const struct fleet *fleet = &plot->sessions->fleet;

	if (column < KINDS)
		return fleet_ratio(fleet, machine, kind_of(column));
	return fleet->ratio[machine * fleet->series_count +
		plot->series[column - KINDS]];
}

static bool is_outlier(const struct plot_fleet *plot, size_t machine,
	size_t column)
{
	const struct fleet *fleet = &plot->sessions->fleet;

	for (size_t i = 0; i < fleet->outlier_count; i++) {
		const struct fleet_outlier *outlier = &fleet->outliers[i];

		if (outlier->machine != machine)
			continue;
		if (column < KINDS ? outlier->kind == kind_of(column) :
				     outlier->kind == FLEET_SERIES &&
				outlier->series == plot->series[column - KINDS])
			return true;
	}
	return false;
}

static void add_title(const struct plot_fleet *plot, size_t machine,
	size_t column, double ratio, struct text *svg)
{
	const char *host = plot->sessions->machines[machine].name;
	struct text said = { 0 };

	text_add_safe(&said, host, strlen(host));
	if (column < KINDS)
		text_add(&said, ", %s",
			fleet_kind_name(kind_of(column)));
	else
		text_add(&said, ", series %zu", column - KINDS + 1);
	if (!isnan(ratio))
		text_add(&said, ": %.3f", ratio);
	text_add(svg, "<title>");
	document_escape(svg, said.chars);
	text_add(svg, "</title>");
	text_free(&said);
}

static void add_cell(const struct plot_fleet *plot, size_t row, size_t column,
	double width, struct text *svg)
{
	size_t machine = plot->machines[row];
	double ratio = ratio_of(plot, machine, column);
	double x = LEFT + width * (double)column, y = TOP + ROW * (double)row;

	if (!(ratio > 0) && kind_of(column) != FLEET_SURROUNDINGS)
		return;
	double shade = ratio > 0 ? fmin(fabs(log(ratio)) / log(full), 1) : 0;
	text_add(svg,
		"<g><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" "
		"fill=\"%s\" fill-opacity=\"%.2f\"/>",
		x, y, width - 1, ROW - 1, plot_colour[ratio > 1 ? 2 : 0],
		.06 + .84 * shade);
	if (is_outlier(plot, machine, column))
		text_add(svg,
			"<path d=\"M%.1f %.0fl8 8m0 -8l-8 8\" "
			"stroke=\"currentColor\" stroke-width=\"2\"/>",
			x + (width - 1) / 2 - 4, y + 3);
	add_title(plot, machine, column, ratio, svg);
	text_add(svg, "</g>\n");
}

static void add_heads(const struct plot_fleet *plot, double width,
	struct text *svg)
{
	size_t every = width < NUMBER_LEAST ? 5 : 1;
	char number[24];

	plot_label(svg, LEFT, 14, "start",
		"all = all series together, sc = scatter between launches, "
		"su = surroundings, numbers = series");
	for (size_t i = 0; i < KINDS; i++)
		plot_label(svg, LEFT + width * ((double)i + .5),
			TOP - (every > 1 && i == 1 ? 18 : 6), "middle",
			fleet_kind_head(kind_of(i)));
	for (size_t i = 1; i <= plot->series_count; i++) {
		if (i % every)
			continue;
		snprintf(number, sizeof number, "%zu", i);
		plot_label(svg, LEFT + width * ((double)(i + KINDS) - .5),
			TOP - 6, "middle", number);
	}
}

void plot_fleet(const struct plot_fleet *plot, struct text *svg)
{
	size_t columns = plot->series_count + KINDS;
	double width = fmin(CELL_MOST,
		(PLOT_WIDTH - LEFT - 2.) / (double)columns);

	plot_open(svg, TOP + ROW * (double)plot->machine_count + 4,
		"ratio of each machine to the median of its group");
	add_heads(plot, width, svg);
	for (size_t row = 0; row < plot->machine_count; row++) {
		const char *host =
			plot->sessions->machines[plot->machines[row]].name;
		struct text safe = { 0 }, name = { 0 };

		text_add_safe(&safe, host, strlen(host));
		text_add_cut(&name, text_chars(&safe), NAME_MOST);
		plot_label(svg, LEFT - 6, TOP + ROW * (double)row + 11, "end",
			text_chars(&name));
		for (size_t i = 0; i < columns; i++)
			add_cell(plot, row, i, width, svg);
		text_free(&safe);
		text_free(&name);
	}
	plot_close(svg);
}
