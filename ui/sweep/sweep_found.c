/* What a run has found, in whole sentences; and in short beside a plot. */
#include <string.h>

#include "view_sweep.h"

/* Those about single points are cells of a table, and say nothing. */
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

/* The first to show: the selected one, or an earlier one where all that
 * follows has room. */
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

/* One below the other; Up and Down scroll where there is no room for all. */
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

/* "TLB1 105 [88, 128]": what is counted is whole, though steps of a curve lie
 * between. */
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

/* The rest of what was found: a value by its name, else the sentence. */
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
