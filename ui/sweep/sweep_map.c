/* A map: two swept quantities at once, a shade for each point. */
#include <math.h>
#include <string.h>

#include "amounts.h"
#include "draw_map.h"
#include "view_sweep.h"

enum { GUTTER = 9, LEGEND_ROWS = 5 };

/* Four steps between the minimum and the maximum; bounds[i] is the upper bound
 * of step i. The steps are equal in ratio if the maximum exceeds four times the
 * minimum. */
struct steps {
	double low, bounds[MAP_STEPS];
};

static struct steps steps_of(const struct scene *scene)
{
	struct steps steps = { .low = INFINITY };
	double high = -INFINITY;

	for (size_t i = 0; i < scene->results->point_count; i++) {
		double value = scene_value(scene, i);

		steps.low = fmin(steps.low, value);
		high = fmax(high, value);
	}
	bool wide = steps.low > 0 && high > 4 * steps.low;
	for (int i = 0; i < MAP_STEPS; i++) {
		double part = (i + 1.) / MAP_STEPS;

		steps.bounds[i] = wide ?
			steps.low * pow(high / steps.low, part) :
			steps.low + (high - steps.low) * part;
	}
	return steps;
}

static int step_of(const struct steps *steps, double value)
{
	int step = 0;

	while (step < MAP_STEPS - 1 && value > steps->bounds[step])
		step++;
	return step;
}

/* ---- positions -------------------------------------------------------- */

static struct map_cells cells_of(const struct swept *param, size_t i, int cells)
{
	return map_cells_of(param->count, i, cells);
}

static size_t index_of(const struct swept *param, double value)
{
	size_t i = 0;

	while (i + 1 < param->count && param->values[i] < value)
		i++;
	return i;
}

/* ---- drawing ---------------------------------------------------------- */

/* Writes a value of an axis; fractions of an octave are shortened. */
static void say_label(const struct swept *param, double value,
	struct text *label)
{
	struct text typed = { 0 };

	unit_write(&typed, param->unit, value);
	sweep_say_value(param, value, typed.chars, label);
	text_free(&typed);
}

/* Labels the vertical axis, from the bottom. A label needs a row of its own. */
static void draw_down(const struct scene *scene, const struct pane *pane)
{
	const struct swept *param = &scene->curves.params[scene->curves.down];

	for (size_t i = 0; i < param->count; i++) {
		struct map_cells cells = cells_of(param, i, pane->rows);
		struct pane row = pane_part(pane, 0,
			pane->rows - cells.first - cells.count, GUTTER - 1, 1);
		struct text label = { 0 };

		if (!cells.own)
			continue;
		say_label(param, param->values[i], &label);
		pane_right(&row, 0, ROLE_DIM, label.chars);
		text_free(&label);
	}
}

/* The column of a label, centred in its cells; -1 if there is no room. */
static int label_at(const struct swept *param, size_t i, int columns,
	const char *label)
{
	struct map_cells cells = cells_of(param, i, columns);
	int room = cells.count - text_columns(label);
	int at = cells.first + (room > 0 ? room / 2 : 0);

	return cells.own && at + text_columns(label) <= columns ? at : -1;
}

/* Labels every `every`-th value, or only tests the room for the labels. False:
 * two labels would touch. */
static bool label_across(const struct swept *param, size_t every, bool draw,
	const struct pane *pane)
{
	bool apart = true;
	int end = -1;

	for (size_t i = 0; i < param->count && apart; i += every) {
		struct text label = { 0 };

		say_label(param, param->values[i], &label);
		int at = label_at(param, i, pane->columns, label.chars);
		apart = at < 0 || at > end;
		if (at >= 0 && draw)
			pane_chars(pane, at, 0, ROLE_DIM, label.chars);
		if (at >= 0)
			end = at + text_columns(label.chars);
		text_free(&label);
	}
	return apart;
}

/* Labels every value of the horizontal axis, or every second or third. The
 * spacing is regular: a single missing label would look like a missing
 * measurement. */
static void draw_across(const struct scene *scene, const struct pane *pane)
{
	const struct swept *param = &scene->curves.params[scene->curves.across];
	size_t every = 1;

	while (every < param->count && !label_across(param, every, false, pane))
		every++;
	label_across(param, every, true, pane);
}

static struct pane cell_pane(const struct scene *scene, size_t point,
	const struct pane *plot)
{
	const struct curves *curves = &scene->curves;
	const struct swept *across = &curves->params[curves->across];
	const struct swept *down = &curves->params[curves->down];
	struct map_cells column = cells_of(across,
		index_of(across, curves_value(curves, curves->across, point)),
		plot->columns);
	struct map_cells row = cells_of(down,
		index_of(down, curves_value(curves, curves->down, point)),
		plot->rows);

	return pane_part(plot, column.first, plot->rows - row.first - row.count,
		column.count, row.count);
}

static void draw_cell(const struct scene *scene, const struct steps *steps,
	size_t point, const struct pane *plot)
{
	struct pane cell = cell_pane(scene, point, plot);
	double value = scene_value(scene, point);

	if (isfinite(value))
		map_fill(&cell, step_of(steps, value));
	for (int i = 0; i < cell.rows * cell.columns; i++)
		if (!isfinite(value) && scene->figures->points[point].visits)
			pane_put(&cell, i % cell.columns, i / cell.columns, 'x',
				ROLE_FLAGGED);
	pane_spot_all(&cell, "point %zu", point + 1);
}

/* Draws the cell under the probe as selected. */
static void draw_cursor(const struct scene *scene, const struct pane *plot)
{
	struct pane cell = cell_pane(scene, scene->point, plot);

	for (int row = 0; row < cell.rows; row++)
		pane_role(&cell, 0, row, cell.columns, ROLE_SELECT);
	if (cell.columns > 2)
		pane_put(&cell, cell.columns / 2, cell.rows / 2, 'O',
			ROLE_SELECT);
	pane_cursor(&cell, cell.columns / 2, cell.rows / 2);
}

static void draw_legend(const struct scene *scene, const struct steps *steps,
	const struct pane *pane)
{
	enum unit unit = scene->results->metrics[0].unit;
	int column = 0;

	for (int i = 0; i < MAP_STEPS; i++) {
		struct text text = { 0 };

		text_add(&text,
			!i                    ? "under " :
				i < MAP_STEPS - 1 ? "to " :
						"above");
		/* The last step needs no number: it begins where the previous
		 * one ends. */
		if (i < MAP_STEPS - 1)
			amount_short(&text, unit, steps->bounds[i]);
		column = map_legend(pane, column, i, text.chars);
		text_free(&text);
	}
}

/* With three or more swept quantities, the map shows a subset: points that
 * differ from the probe's point in these two only. */
static bool is_shown(const struct scene *scene, size_t point)
{
	const struct curves *curves = &scene->curves;
	const struct point *points = scene->results->points;

	for (int i = 0; i < (int)curves->param_count; i++) {
		size_t index = curves->params[i].index;

		if (i != curves->across && i != curves->down &&
			strcmp(points[point].values[index],
				points[scene->point].values[index]) != 0)
			return false;
	}
	return true;
}

/* Is the point in the probe's row? That row is drawn last, so that it stays
 * visible where several rows share cells. */
static bool is_beside_probe(const struct scene *scene, size_t point)
{
	const struct curves *curves = &scene->curves;

	return curves_value(curves, curves->down, point) ==
		curves_value(curves, curves->down, scene->point);
}

void sweep_map(const struct scene *scene, const struct pane *pane)
{
	int foot = pane->rows >= LEGEND_ROWS ? 3 : 2;
	struct pane plot = pane_part(pane, GUTTER, 0,
		pane->columns - GUTTER - 1, pane->rows - foot);
	struct pane axis = pane_part(pane, GUTTER, plot.rows, plot.columns, 1);
	struct pane legend =
		pane_part(pane, GUTTER, plot.rows + 1, plot.columns, foot - 2);
	struct pane probe = pane_part(pane, 1, pane->rows - 1, -1, 1);
	struct pane down = pane_part(pane, 0, 0, GUTTER, plot.rows);
	struct steps steps = steps_of(scene);

	for (int probes = 0; probes < 2; probes++)
		for (size_t i = 0; i < scene->results->point_count; i++)
			if (is_shown(scene, i) &&
				is_beside_probe(scene, i) == (probes == 1))
				draw_cell(scene, &steps, i, &plot);
	draw_cursor(scene, &plot);
	draw_down(scene, &down);
	draw_across(scene, &axis);
	if (legend.rows > 0)
		draw_legend(scene, &steps, &legend);
	sweep_probe(scene, &probe);
}
