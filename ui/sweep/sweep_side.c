/* The pane beside the chart: the levels found, and a comparison of the
 * lines. */
#include <math.h>
#include <string.h>

#include "amounts.h"
#include "draw_slider.h"
#include "draw_table.h"
#include "view_sweep.h"

/* ---- levels ----------------------------------------------------------- */

static void size_cell(const struct cache_levels *levels, struct table *table,
	enum role role, double size)
{
	struct text text = { 0 };

	if (size > 0)
		level_say_end(levels, size, &text);
	table_cell(table, role, "%s", text_chars(&text));
	text_free(&text);
}

/* Writes a number with three digits and no exponent. */
static void add_short(struct text *text, double value)
{
	text_add(text, value >= 100 ? "%.0f" : "%.3g", value);
}

static void add_row(const struct cache_levels *levels,
	const struct cache_level *level, double scale, struct table *table)
{
	struct text time = { 0 };

	if (isfinite(level->value))
		add_short(&time, level->value / scale);
	table_cell(table, ROLE_STRONG, "%s", level->name);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&time));
	size_cell(levels, table, ROLE_STRONG, level->knee);
	size_cell(levels, table, ROLE_TEXT, level->nominal);
	if (!levels->traced)
		size_cell(levels, table, ROLE_TEXT, level->found);
	text_free(&time);
}

static int draw_levels(const struct scene *scene, const struct pane *pane)
{
	const struct cache_levels *levels = &scene->levels;
	struct table table = { .columns = levels->traced ? 4 : 5,
		.right = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 };
	double scale;
	const char *unit =
		unit_prefix(levels->unit, levels->list[0].value, &scale);

	table_cell(&table, ROLE_DIM, "%s", "");
	table_cell(&table, ROLE_DIM, "%s", unit);
	table_cell(&table, ROLE_DIM, "%s", levels->traced ? "found" : "knee");
	table_cell(&table, ROLE_DIM, "%s", levels->by);
	if (!levels->traced)
		table_cell(&table, ROLE_DIM, "found");
	for (size_t i = 0; i < scene->levels.count; i++)
		add_row(levels, &levels->list[i], scale, &table);
	draw_table(&table, pane, 0);
	table_free(&table);
	return (int)scene->levels.count + 1;
}

/* Writes "L3 effective: 8 % of the kernel's value". */
static int draw_verdicts(const struct scene *scene, const struct pane *pane,
	int row)
{
	for (size_t i = 0; i < scene->levels.count; i++) {
		const struct cache_level *level = &scene->levels.list[i];
		struct text text = { 0 }, verdict = { 0 };

		level_verdict(level, &verdict);
		if (verdict.length) {
			text_add(&text, "%s %s", level->name, verdict.chars);
			if (*verdict.chars == 'e')
				text_add(&text,
					": %.0f %% of the kernel's value",
					100 * level->knee / level->nominal);
			row += pane_wrap(pane, row, ROLE_TEXT, text.chars);
		}
		text_free(&text);
		text_free(&verdict);
	}
	return row;
}

/* ---- lines ------------------------------------------------------------ */

/* The value of a line at the probe's position; NaN if there is none. */
static double value_there(const struct scene *scene, size_t line)
{
	const struct curves *curves = &scene->curves;
	double x = curves_value(curves, curves->across, scene->point);

	for (size_t i = 0; i < curves->lines[line].count; i++) {
		size_t point = curves->lines[line].points[i];

		if (curves_value(curves, curves->across, point) == x)
			return scene_value(scene, point);
	}
	return NAN;
}

/* Draws the line's name, its value, the ratio to the probe's value, and a
 * bar. */
static void draw_line_there(const struct scene *scene, size_t line, double most,
	const struct pane *pane)
{
	double value = value_there(scene, line);
	double own = scene_value(scene, scene->point);
	struct pane bar = pane_part(pane, 0, 1, pane->columns, 1);
	struct text text = { 0 };

	amount_short(&text, scene->results->metrics[0].unit, value);
	if (line != scene->line && isfinite(own))
		text_add(&text, ", %.2f x", value / own);
	pane_chars(pane, 0, 0, line == scene->line ? ROLE_STRONG : ROLE_TEXT,
		scene->curves.lines[line].label);
	pane_right(pane, 0, ROLE_TEXT, text.chars);
	draw_bar(&bar, value / most, (enum role)(ROLE_SERIES + line % 4));
	text_free(&text);
}

static void draw_compared(const struct scene *scene, const struct pane *pane,
	int row)
{
	size_t count = scene->curves.line_count;
	double most = 0;

	for (size_t k = 0; k < count; k++)
		most = fmax(most, value_there(scene, k));
	for (size_t k = 0; k < count && row + 1 < pane->rows; k++) {
		struct pane part = pane_part(pane, 0, row, pane->columns, 2);

		if (!isfinite(value_there(scene, k)))
			continue;
		draw_line_there(scene, k, most, &part);
		row += 2;
	}
}

void sweep_side(const struct scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 1, 0, -1, pane->rows);
	int row = 0;

	if (scene->levels.traced && scene->levels.count) {
		row = draw_levels(scene, &inner);
		row = draw_verdicts(scene, &inner, row);
		sweep_found_aside(scene, &inner, row + 1);
		return;
	}
	if (!scene_can(scene, SWEEP_LINES)) {
		row = pane_wrap(&inner, 0, ROLE_TEXT,
			scene->experiment->question);
		sweep_found_aside(scene, &inner, row + 1);
		return;
	}
	if (scene->levels.count) {
		row = draw_levels(scene, &inner);
		row = draw_verdicts(scene, &inner, row) + 1;
	}
	if (scene->curves.line_count > 1) {
		draw_compared(scene, &inner, row);
	} else if (!row) {
		row = pane_wrap(&inner, 0, ROLE_TEXT,
			scene->experiment->question);
		sweep_found_aside(scene, &inner, row + 1);
	}
}
