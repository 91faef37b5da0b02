/* Draws line plots. */
#include "draw_line.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

enum { GUTTER = 9, LEAST_COLUMNS = 16, LEAST_ROWS = 4 };

struct pane line_plot(const struct line_view *view, const struct pane *pane)
{
	return pane_part(pane, GUTTER, 0,
		pane->columns - GUTTER - 1 - view->right, pane->rows - 2);
}

static bool has_place(const struct line_view *view,
	const struct line_series *series, size_t i)
{
	return isfinite(series->x[i]) && isfinite(series->y[i]) &&
		(series->y[i] > 0 || !view->up.logarithmic);
}

/* ---- the lines -------------------------------------------------------- */

static void join(const struct line_view *view, const struct line_series *series,
	struct canvas *canvas)
{
	canvas_pen(canvas, series->role, series->dash);
	for (size_t i = 0; i < series->n; i++) {
		bool joined = i && !series->scattered &&
			has_place(view, series, i - 1);
		size_t from = joined ? i - 1 : i;

		if (!has_place(view, series, i))
			continue;
		canvas_line(canvas, axis_place(&view->across, series->x[from]),
			axis_place(&view->up, series->y[from]),
			axis_place(&view->across, series->x[i]),
			axis_place(&view->up, series->y[i]));
	}
}

static void draw_intervals(const struct line_view *view,
	const struct line_series *series, struct canvas *canvas)
{
	canvas_pen(canvas, series->role, DASH_SOLID);
	for (size_t i = 0; series->low && i < series->n; i++) {
		double across = axis_place(&view->across, series->x[i]);

		if (!has_place(view, series, i) || !isfinite(series->low[i]))
			continue;
		canvas_line(canvas, across,
			axis_place(&view->up, series->low[i]), across,
			axis_place(&view->up, series->high[i]));
	}
}

static void mark(const struct line_view *view, const struct line_series *series,
	const struct pane *plot)
{
	for (size_t i = 0; i < series->n; i++) {
		bool placed = has_place(view, series, i);
		int row = placed ?
			axis_cell(&view->up, series->y[i], plot->rows) :
			0;

		if ((placed && !(series->doubtful && series->doubtful[i])) ||
			!isfinite(series->x[i]))
			continue;
		pane_put(plot,
			axis_cell(&view->across, series->x[i], plot->columns),
			plot->rows - 1 - row,
			series->sign ? (uint32_t)series->sign : 'x',
			series->sign ? series->role : ROLE_FLAGGED);
	}
}

static void draw_levels(const struct line_view *view, const struct pane *plot)
{
	for (size_t i = 0; i < view->level_count; i++) {
		int column = axis_cell(&view->across, view->levels[i],
			plot->columns);

		for (int row = 0; row < plot->rows; row++)
			pane_glyph(plot, column, row, GLYPH_LEVEL, ROLE_FRAME);
	}
}

/* ---- the labels ------------------------------------------------------- */

struct ending {
	const struct line_series *series;
	int row; /* -1: no label is drawn */
};

static int by_row(const void *a, const void *b)
{
	return ((const struct ending *)a)->row -
		((const struct ending *)b)->row;
}

/* Finds the row where each labelled line ends, sorted from the top. */
static size_t find_endings(const struct line_view *view, int rows,
	struct ending *endings)
{
	size_t count = 0;

	for (size_t k = 0; k < view->count; k++) {
		const struct line_series *series = &view->series[k];
		size_t last = series->n;

		while (last && !has_place(view, series, last - 1))
			last--;
		if (!series->label || !last)
			continue;
		int up = axis_cell(&view->up, series->y[last - 1], rows);
		up = up < 0 ? 0 : up >= rows ? rows - 1 : up;
		endings[count++] = (struct ending){ series, rows - 1 - up };
	}
	qsort(endings, count, sizeof *endings, by_row);
	return count;
}

/* Gives each label its own row: moves labels down where ends coincide, then up
 * from the floor. */
static void make_room(struct ending *endings, size_t count, int rows)
{
	int floor = rows;

	for (size_t i = 1; i < count; i++)
		if (endings[i].row <= endings[i - 1].row)
			endings[i].row = endings[i - 1].row + 1;
	for (size_t i = count; i-- > 0;) {
		if (endings[i].row >= floor)
			endings[i].row = floor - 1;
		floor = endings[i].row;
	}
}

/* With more lines than rows, draws one label per row: the first that ends
 * there. The line on top always keeps its label. */
static void thin_out(const struct line_view *view, struct ending *endings,
	size_t count)
{
	const struct line_series *top = &view->series[view->count - 1];
	int kept = -1, top_row = -1;

	for (size_t i = 0; i < count; i++)
		if (endings[i].series == top)
			top_row = endings[i].row;
	for (size_t i = 0; i < count; i++) {
		int row = endings[i].row;

		if (endings[i].series != top && (row == kept || row == top_row))
			endings[i].row = -1;
		else
			kept = row;
	}
}

static void draw_labels(const struct line_view *view, const struct pane *pane,
	int rows)
{
	struct ending *endings = xcalloc(view->count + 1, sizeof *endings);
	size_t count = find_endings(view, rows, endings);

	if ((int)count <= rows)
		make_room(endings, count, rows);
	else
		thin_out(view, endings, count);
	for (size_t i = 0; i < count; i++)
		if (endings[i].row >= 0)
			pane_chars(pane, 0, endings[i].row,
				endings[i].series->role,
				endings[i].series->label);
	free(endings);
}

/* ---- the whole plot --------------------------------------------------- */

static void draw_cursor(const struct line_view *view, const struct pane *plot,
	const struct pane *axis)
{
	int column = axis_cell(&view->across, view->cursor_x, plot->columns);
	int up = axis_cell(&view->up, view->cursor_y, plot->rows);
	bool placed = isfinite(view->cursor_y) && up >= 0 && up < plot->rows;

	if (!view->has_cursor || !isfinite(view->cursor_x))
		return;
	pane_glyph(axis, column, 0, GLYPH_HERE, ROLE_STRONG);
	if (placed)
		pane_put(plot, column, plot->rows - 1 - up, 'O', ROLE_STRONG);
	if (placed)
		pane_cursor(plot, column, plot->rows - 1 - up);
	else
		pane_cursor(axis, column, 0);
}

void draw_line(const struct line_view *view, const struct pane *pane)
{
	struct pane plot = line_plot(view, pane);
	int rows = plot.rows;
	struct pane upright = pane_part(pane, 0, 0, GUTTER, rows);
	struct pane axis = pane_part(pane, GUTTER, rows, plot.columns + 1, 2);
	struct pane gutter = pane_part(pane, 0, rows + 1, GUTTER - 1, 1);
	struct pane labels = pane_part(pane, GUTTER + plot.columns + 1, 0,
		view->right, rows);
	struct canvas canvas;
	struct ticks ticks;

	if (plot.columns < LEAST_COLUMNS - GUTTER - 1 ||
		pane->rows < LEAST_ROWS)
		return;
	axis_draw_upright(&view->up, &upright);
	draw_levels(view, &plot);
	canvas_begin(&canvas, &plot);
	for (size_t i = 0; i < view->count; i++) {
		join(view, &view->series[i], &canvas);
		draw_intervals(view, &view->series[i], &canvas);
	}
	canvas_end(&canvas);
	for (size_t i = 0; i < view->count; i++)
		mark(view, &view->series[i], &plot);
	draw_labels(view, &labels, rows);
	pane_glyph(pane, GUTTER - 1, rows, GLYPH_BOTTOM_LEFT, ROLE_FRAME);
	axis_draw(&view->across, &axis, plot.columns);
	axis_ticks(&view->across, plot.columns, &ticks);
	pane_right(&gutter, 0, ROLE_DIM, ticks.unit);
	draw_cursor(view, &plot, &axis);
}
