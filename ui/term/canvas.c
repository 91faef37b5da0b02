/* Draws dots and lines. */
#include "canvas.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

void canvas_begin(struct canvas *canvas, const struct pane *pane)
{
	size_t cells = pane->columns > 0 && pane->rows > 0 ?
		(size_t)pane->columns * (size_t)pane->rows :
		0;

	*canvas = (struct canvas){ .pane = *pane, .role = ROLE_SERIES };
	canvas->dots = xcalloc(cells + 1, sizeof *canvas->dots);
	canvas->roles = xcalloc(cells + 1, sizeof *canvas->roles);
}

void canvas_pen(struct canvas *canvas, enum role role, enum dash dash)
{
	canvas->role = role;
	canvas->dash = dash;
	canvas->run = 0;
}

/* A column is two dots wide: shorter dashes would be invisible in the tiers
 * without braille. */
static bool is_down(const struct canvas *canvas)
{
	static const struct {
		int length;
		const char *dots;
	} patterns[DASHES] = {
		[DASH_SOLID] = { 1, "#" },
		[DASH_DASHED] = { 10, "######...." },
		[DASH_DOTTED] = { 4, "#..." },
		[DASH_MIXED] = { 14, "######...#...." },
	};

	return patterns[canvas->dash].dots[lround(canvas->run) %
		       patterns[canvas->dash].length] == '#';
}

static void set(struct canvas *canvas, int x, int y)
{
	int columns = canvas->pane.columns, rows = canvas->pane.rows;

	if (x < 0 || y < 0 || x >= 2 * columns || y >= 4 * rows)
		return;
	canvas->dots[y / 4 * columns + x / 2] |=
		(uint8_t)(1u << (y % 4 * 2 + x % 2));
	canvas->roles[y / 4 * columns + x / 2] = (uint8_t)canvas->role;
}

/* Limits coordinates far outside the pane, which bounds the number of steps. */
static double near(double part)
{
	return fmin(fmax(part, -1), 2);
}

static double dot_column(const struct canvas *canvas, double across)
{
	return near(across) * (2 * canvas->pane.columns - 1);
}

static double dot_row(const struct canvas *canvas, double up)
{
	return (1 - near(up)) * (4 * canvas->pane.rows - 1);
}

void canvas_line(struct canvas *canvas, double across, double up,
	double to_across, double to_up)
{
	double x = dot_column(canvas, across), y = dot_row(canvas, up);
	double dx = dot_column(canvas, to_across) - x;
	double dy = dot_row(canvas, to_up) - y;
	double length = fmax(fabs(dx), fabs(dy));
	int steps = (int)ceil(length);

	for (int i = 0; i <= steps; i++) {
		double part = steps ? (double)i / steps : 0;

		/* A line starts at the end of the previous line: its first dot
		 * does not advance the pattern. */
		if (i)
			canvas->run += length / steps;
		if (!is_down(canvas))
			continue;
		set(canvas, (int)lround(x + part * dx),
			(int)lround(y + part * dy));
	}
}

void canvas_end(struct canvas *canvas)
{
	const struct pane *pane = &canvas->pane;

	for (int row = 0; row < pane->rows; row++)
		for (int column = 0; column < pane->columns; column++) {
			int cell = row * pane->columns + column;

			if (canvas->dots[cell])
				pane_put(pane, column, row,
					glyph_dots(pane->grid->tier,
						canvas->dots[cell]),
					(enum role)canvas->roles[cell]);
		}
	free(canvas->dots);
	free(canvas->roles);
	canvas->dots = canvas->roles = NULL;
}
