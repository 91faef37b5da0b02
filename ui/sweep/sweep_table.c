/* The points in rows: bars with intervals, or figures. */
#include <math.h>
#include <string.h>

#include "amounts.h"
#include "draw_slider.h"
#include "draw_table.h"
#include "finding_table.h"
#include "quality.h"
#include "view_sweep.h"

enum { BAR_LEAST = 10, AXIS_ROWS = 2, AXIS_FROM = 7, PARAMS_MOST = 8 };

/* ---- rows of bars and table ------------------------------------------- */

/* The first point to show; it keeps the probe's point in view. */
static size_t first_row(const struct scene *scene, int rows)
{
	size_t count = scene->results->point_count, room = (size_t)rows;

	if (rows < 1 || count <= room || scene->point < room / 2)
		return 0;
	return scene->point + room / 2 >= count ? count - room :
						  scene->point - room / 2;
}

/* The end of the rows in view, below the head. */
static size_t last_row(const struct scene *scene, size_t first,
	const struct pane *rows)
{
	size_t count = scene->results->point_count;
	size_t room = rows->rows > 1 ? (size_t)rows->rows - 1 : 0;

	return count - first < room ? count : first + room;
}

static void add_value(struct table *table, const struct scene *scene,
	size_t point)
{
	const struct point_figures *row = &scene->figures->points[point];
	struct text value = { 0 };

	if (scene->results->points[point].state == POINT_UNAVAILABLE) {
		text_add(&value, "unavailable");
	} else if (isfinite(scene_value(scene, point))) {
		text_add(&value, "%s", row->any ? "" : "~");
		unit_show(&value, scene->results->metrics[0].unit,
			scene_value(scene, point));
	}
	table_cell(table, row->any ? ROLE_STRONG : ROLE_DIM, "%s",
		text_chars(&value));
	text_free(&value);
}

static void add_name(struct table *table, const struct scene *scene,
	size_t point)
{
	struct text name = { 0 };

	point_describe(scene->results, &scene->results->points[point], true,
		&name);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&name));
	text_free(&name);
}

static void add_half(struct table *table, const struct point_figures *row)
{
	struct text text = { 0 };

	if (isfinite(row->half))
		amount_half_width(&text, row->half, row->by_cycles);
	table_cell(table, ROLE_DIM, "%s", text_chars(&text));
	text_free(&text);
}

static void select_row(const struct scene *scene, const struct pane *pane,
	size_t first, int columns)
{
	int rows = pane->rows - 1;
	size_t count = scene->results->point_count;

	for (int i = 0; i < rows && first + (size_t)i < count; i++)
		pane_spot(pane, 0, i + 1, pane->columns, "point %zu",
			first + (size_t)i + 1);
	int row = (int)(scene->point - first) + 1;
	pane_role(pane, 0, row, columns, ROLE_SELECT);
	pane_cursor(pane, 0, row);
}

/* ---- bars ------------------------------------------------------------- */

static struct axis bar_axis(const struct scene *scene)
{
	struct axis axis = scene_up(scene, NULL);

	/* The length of a bar shows a ratio only if it begins at zero. */
	if (!axis.logarithmic && axis.low > 0)
		axis.low = 0;
	if (scene->options->up == SWEEP_FITTING && axis.low > 0)
		axis = axis_over(0, axis.high, false, axis.unit);
	/* Bars always have their intervals. */
	for (size_t i = 0; i < scene->results->point_count; i++) {
		double high = scene->figures->points[i].high;

		if (isfinite(high))
			axis.high = fmax(axis.high, high);
	}
	return axis;
}

static void draw_bar_of(const struct scene *scene, size_t point,
	const struct axis *axis, const struct pane *bar)
{
	const struct point_figures *row = &scene->figures->points[point];
	double value = scene_value(scene, point);

	if (!isfinite(value))
		return;
	draw_bar(bar, axis_place(axis, value),
		row->any ? ROLE_SERIES : ROLE_FLAGGED);
	if (!isfinite(row->low))
		return;
	int low = axis_cell(axis, row->low, bar->columns);
	int high = axis_cell(axis, row->high, bar->columns);
	/* An interval within one cell is shown in figures only. */
	for (int i = low; i <= high && low < high; i++)
		pane_glyph(bar, i, 0,
			i == low          ? GLYPH_RANGE_LEFT :
				i == high ? GLYPH_RANGE_RIGHT :
					    GLYPH_HORIZONTAL,
			ROLE_STRONG);
}

static void fill_bars(const struct scene *scene, struct table *table,
	size_t first, size_t end)
{
	*table = (struct table){ .columns = 3,
		.right = 1u << 1 | 1u << 2,
		.first_least = scene->figures->name_columns };
	table_cell(table, ROLE_DIM, "point");
	table_cell(table, ROLE_DIM, "median");
	table_cell(table, ROLE_DIM, "95 %%");
	for (size_t i = first; i < end; i++) {
		add_name(table, scene, i);
		add_value(table, scene, i);
		add_half(table, &scene->figures->points[i]);
	}
}

void sweep_bars(const struct scene *scene, const struct pane *pane)
{
	bool scale = pane->rows >= AXIS_FROM;
	int foot = 1 + (scale ? AXIS_ROWS : 0);
	struct pane rows = pane_part(pane, 1, 0, -1, pane->rows - foot);
	struct pane probe = pane_part(pane, 1, pane->rows - 1, -1, 1);
	int count = (int)scene->results->point_count;

	/* The axis is directly below the last bar. */
	if (rows.rows > count + 1)
		rows.rows = count + 1;
	size_t first = first_row(scene, rows.rows - 1);
	struct axis axis = bar_axis(scene);
	struct table table;

	fill_bars(scene, &table, first, last_row(scene, first, &rows));
	int used = draw_table(&table, &rows, 0) + 2;
	table_free(&table);
	struct pane bars =
		pane_part(&rows, used, 1, rows.columns - used, rows.rows - 1);
	for (int i = 0; bars.columns >= BAR_LEAST && i < bars.rows &&
		first + (size_t)i < scene->results->point_count;
		i++) {
		struct pane bar = pane_part(&bars, 0, i, bars.columns, 1);

		draw_bar_of(scene, first + (size_t)i, &axis, &bar);
	}
	if (scale && bars.columns >= BAR_LEAST) {
		struct pane below = pane_part(pane, 1 + used, rows.rows,
			bars.columns, AXIS_ROWS);

		struct pane left = pane_part(pane, 0, rows.rows + 1, used, 1);
		struct ticks ticks;

		axis_draw(&axis, &below, bars.columns);
		axis_ticks(&axis, bars.columns, &ticks);
		pane_right(&left, 0, ROLE_DIM, ticks.unit);
	}
	select_row(scene, &rows, first, used - 2);
	sweep_probe(scene, &probe);
}

/* ---- the table -------------------------------------------------------- */

static void add_interval(struct table *table, const struct scene *scene,
	size_t point)
{
	const struct point_figures *row = &scene->figures->points[point];
	struct text text = { 0 };

	if (isfinite(row->low))
		unit_show_interval(&text, scene->results->metrics[0].unit,
			row->low, row->high, row->median);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&text));
	text_free(&text);
}

/* Writes the number of launches that drew this point. Each launch draws a new
 * layout; expensive points are measured in only some launches. */
static void add_draws(struct table *table, const struct scene *scene,
	size_t draws)
{
	size_t launches = scene->results->launch_count;

	if (draws < launches)
		table_cell(table, ROLE_DIM, "%zu of %zu", draws, launches);
	else
		table_cell(table, ROLE_DIM, "%zu", draws);
}

static bool has_levels(const struct scene *scene)
{
	struct text said = { 0 };

	for (size_t i = 0; i < scene->results->point_count && !said.length; i++)
		levels_say_serving(&scene->found, scene->results, i, &said);
	bool any = said.length;
	text_free(&said);
	return any;
}

static void add_param(const struct scene *scene, struct table *table,
	const struct point *point, const struct swept *swept)
{
	size_t at = (size_t)(point - scene->results->points);
	struct text text = { 0 };

	sweep_say_value(swept, swept->numeric ? swept->at[at] : NAN,
		point->values[swept->index], &text);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&text));
	text_free(&text);
}

/* Adds a column for each swept parameter. Without a point, adds their names as
 * the head. */
static int add_params(const struct scene *scene, struct table *table,
	const struct point *point)
{
	const struct curves *curves = &scene->curves;
	size_t count = curves->param_count < PARAMS_MOST ? curves->param_count :
							   PARAMS_MOST;

	for (size_t i = 0; i < count; i++) {
		const struct swept *swept = &curves->params[i];

		if (point)
			add_param(scene, table, point, swept);
		else
			table_cell(table, ROLE_DIM, "%s", swept->name);
		if (swept->numeric)
			table->right |= 1u << i;
	}
	return (int)count;
}

static void add_head(const struct scene *scene, struct table *table,
	bool levels)
{
	static const char *const heads[] = { "median", "95 %", "launches",
		"served by", "quality", "shared", "trials", "95 % range" };
	enum { SERVED_BY = 3, HEADS = sizeof heads / sizeof *heads };
	int columns = add_params(scene, table, NULL);

	for (int i = 0; i < HEADS; i++) {
		if (i == SERVED_BY && !levels)
			continue;
		table_cell(table, ROLE_DIM, "%s", heads[i]);
		table->right |= (i == SERVED_BY ? 0u : 1u) << columns++;
	}
	table->columns = columns;
}

static void add_quality(struct table *table, const struct point_figures *row)
{
	table_cell(table, row->doubtful ? ROLE_WARN : ROLE_DIM, "%s",
		row->trials ? quality_word(row->quality) : "");
}

static void add_shared(struct table *table, const struct point_figures *row)
{
	struct text shared = { 0 };

	amount_percent(&shared, row->shared);
	table_cell(table, ROLE_DIM, "%s", text_chars(&shared));
	text_free(&shared);
}

/* Columns that are dropped first for lack of room are last. */
static void fill_table(const struct scene *scene, struct table *table,
	size_t first, size_t end)
{
	bool levels = has_levels(scene);

	*table = (struct table){ .columns = 0 };
	add_head(scene, table, levels);
	for (size_t i = first; i < end; i++) {
		const struct point *point = &scene->results->points[i];
		const struct point_figures *row = &scene->figures->points[i];
		struct text level = { 0 };

		levels_say_serving(&scene->found, scene->results, i, &level);
		add_params(scene, table, point);
		add_value(table, scene, i);
		add_half(table, row);
		add_draws(table, scene, row->draws);
		if (levels)
			table_cell(table, ROLE_TEXT, "%s", text_chars(&level));
		text_free(&level);
		add_quality(table, row);
		add_shared(table, row);
		table_cell(table, ROLE_DIM, "%zu", row->trials);
		add_interval(table, scene, i);
	}
}

/* The headline of each point, then its findings. Columns that are dropped first
 * for lack of room are last. */
static void fill_found(const struct scene *scene,
	const struct finding_table *found, struct table *table, size_t first,
	size_t end)
{
	enum { MEDIAN = 1, HALF, QUALITY, HEADLINE = 3 };
	_Static_assert((int)FINDING_COLUMNS_MOST + (int)HEADLINE <=
			(int)TABLE_COLUMNS, "a place for each");

	*table = (struct table){ .columns = (int)found->columns + HEADLINE,
		.right = 1u << MEDIAN | 1u << HALF | 1u << QUALITY,
		.first_least = (int)found->name_length };
	table_cell(table, ROLE_DIM, "%s", finding_table_cell(found, 0, 0));
	table_cell(table, ROLE_DIM, "median");
	table_cell(table, ROLE_DIM, "95 %%");
	table_cell(table, ROLE_DIM, "quality");
	for (size_t c = 1; c < found->columns; c++)
		table_cell(table, ROLE_DIM, "%s",
			finding_table_cell(found, 0, c));
	for (size_t i = first; i < end; i++) {
		size_t row = finding_table_row(found, i);

		table_cell(table, ROLE_TEXT, "%s",
			finding_table_name(found, i));
		add_value(table, scene, i);
		add_half(table, &scene->figures->points[i]);
		add_quality(table, &scene->figures->points[i]);
		for (size_t c = 1; c < found->columns; c++)
			table_cell(table, ROLE_TEXT, "%s",
				row ? finding_table_cell(found, row, c) : "");
	}
}

void sweep_table(const struct scene *scene, const struct pane *pane)
{
	if (scene->results->point_count == 1) {
		sweep_findings(scene, pane);
		return;
	}
	struct pane rows = pane_part(pane, 1, 0, -1, pane->rows - 1);
	struct pane probe = pane_part(pane, 1, pane->rows - 1, -1, 1);
	size_t first = first_row(scene, rows.rows - 1);
	size_t end = last_row(scene, first, &rows);
	struct finding_table found;
	struct table table;

	if (finding_table_make(scene->results, &found))
		fill_found(scene, &found, &table, first, end);
	else
		fill_table(scene, &table, first, end);
	finding_table_free(&found);
	select_row(scene, &rows, first, draw_table(&table, &rows, 0));
	table_free(&table);
	sweep_probe(scene, &probe);
}
