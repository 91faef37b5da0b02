/* Points, joined. */
#include "draw_line.h"

#include <math.h>

#include "canvas.h"

enum { GUTTER = 9, LEAST_COLUMNS = 16, LEAST_ROWS = 4 };

static bool has_place(const struct line_view *view, size_t i)
{
	return isfinite(view->x[i]) && isfinite(view->y[i]) &&
		(view->y[i] > 0 || !view->up.logarithmic);
}

static void join(const struct line_view *view, const struct pane *plot)
{
	struct canvas canvas;

	canvas_begin(&canvas, plot);
	for (size_t i = 0; i < view->n; i++) {
		size_t from = i && has_place(view, i - 1) ? i - 1 : i;

		if (!has_place(view, i))
			continue;
		canvas_line(&canvas, axis_place(&view->across, view->x[from]),
			axis_place(&view->up, view->y[from]),
			axis_place(&view->across, view->x[i]),
			axis_place(&view->up, view->y[i]));
	}
	canvas_end(&canvas, ROLE_SERIES);
	for (size_t i = 0; i < view->n; i++) {
		double place = axis_place(&view->across, view->x[i]);

		if (!has_place(view, i) && isfinite(place))
			pane_put(plot, (int)lround(place * (plot->columns - 1)),
				plot->rows - 1, 'x', ROLE_FLAGGED);
	}
}

void draw_line(const struct line_view *view, const struct pane *pane)
{
	int rows = pane->rows - 2, columns = pane->columns - GUTTER - 1;
	struct pane plot = pane_part(pane, GUTTER, 0, columns, rows);
	struct pane upright = pane_part(pane, 0, 0, GUTTER, rows);
	struct pane axis = pane_part(pane, GUTTER, rows, columns + 1, 2);
	struct pane gutter = pane_part(pane, 0, rows + 1, GUTTER - 1, 1);
	struct ticks ticks;

	if (pane->columns < LEAST_COLUMNS || pane->rows < LEAST_ROWS)
		return;
	axis_draw_upright(&view->up, &upright);
	join(view, &plot);
	pane_glyph(pane, GUTTER - 1, rows, GLYPH_BOTTOM_LEFT, ROLE_FRAME);
	axis_draw(&view->across, &axis, columns);
	axis_ticks(&view->across, columns, &ticks);
	pane_right(&gutter, 0, ROLE_DIM, ticks.unit);
}
