/* The run's findings: whole sentences, or short values beside a plot. */
#include <string.h>

#include "view_sweep.h"

/* Findings about single points are cells of a table and have no sentence. */
static bool is_said(const struct finding *finding)
{
	return finding->sentence && *finding->sentence;
}

bool sweep_has_findings(const struct results *results)
{
	for (size_t i = 0; i < results->findings.count; i++)
		if (is_said(&results->findings.list[i]))
			return true;
	return false;
}

static int rows_of(const char *sentence, int columns)
{
	size_t length;
	int rows = 0;

	while (text_line(&sentence, columns, &length))
		rows++;
	return rows;
}

/* The first finding to show. It is the selected one, or an earlier one if all
 * that follow it fit. */
static size_t first_of(const struct findings *findings, size_t selected,
	const struct pane *pane)
{
	size_t first = findings->count;
	int used = 0;

	while (first > 0) {
		const struct finding *finding = &findings->list[first - 1];

		if (is_said(finding))
			used += rows_of(finding->sentence, pane->columns);
		if (used > pane->rows)
			break;
		first--;
	}
	return selected < first ? selected : first;
}

/* Draws the sentences in order. Up and Down scroll if not all of them fit. */
void sweep_findings(const struct scene *scene, const struct pane *pane)
{
	const struct findings *findings = &scene->results->findings;
	struct pane inner = pane_part(pane, 1, 0, -1, pane->rows);
	size_t selected = scene->options->finding;
	int row = 0;

	for (size_t i = first_of(findings, selected, &inner);
		i < findings->count && row < inner.rows; i++) {
		const struct finding *finding = &findings->list[i];

		if (is_said(finding))
			row += pane_wrap(&inner, row, ROLE_TEXT,
				finding->sentence);
	}
}

static bool is_level(const struct cache_levels *levels, const char *name)
{
	for (size_t i = 0; i < levels->count; i++)
		if (!strncmp(levels->list[i].name, name,
			    sizeof levels->list[i].name - 1))
			return true;
	return false;
}

/* Writes "TLB1 105 [88, 128]". A count is rounded to a whole number, although
 * the steps of a curve lie between whole numbers. */
static void say_value(const struct finding *finding, struct text *text)
{
	bool counted = finding->unit == UNIT_COUNT;
	double low = finding->interval.low, high = finding->interval.high;

	text_add(text, "%s ", finding->name);
	if (counted)
		text_add(text, "%.0f", finding->value);
	else
		unit_show(text, finding->unit, finding->value);
	if (!finding->has_interval)
		return;
	text_add_char(text, ' ');
	if (counted)
		text_add(text, "[%.0f, %.0f]", low, high);
	else
		unit_show_interval(text, finding->unit, low, high,
			finding->value);
}

/* Draws the findings that are not levels. Beside a trace's levels, a finding
 * with a value appears as name and value; otherwise its sentence appears. */
int sweep_found_aside(const struct scene *scene, const struct pane *pane,
	int row)
{
	static const struct findings none;
	const struct findings *findings =
		scene->results ? &scene->results->findings : &none;
	bool traced = scene->levels.traced;

	for (size_t i = 0; i < findings->count && row < pane->rows; i++) {
		const struct finding *finding = &findings->list[i];
		struct text text = { 0 };

		if (!is_said(finding) ||
			is_level(&scene->levels, finding->name))
			continue;
		if (traced && finding->has_value) {
			say_value(finding, &text);
		} else {
			text_add(&text, "%s", finding->sentence);
		}
		row += pane_wrap(pane, row, ROLE_TEXT, text.chars);
		text_free(&text);
	}
	return row;
}
