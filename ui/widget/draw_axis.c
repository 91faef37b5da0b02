/* Draws axes with ticks and labels. */
#include "draw_axis.h"

#include <string.h>

void axis_draw(const struct axis *axis, const struct pane *pane, int columns)
{
	struct ticks ticks;
	int end = -1, labels = 0;

	axis_ticks(axis, columns, &ticks);
	for (int i = 0; i < columns; i++)
		pane_glyph(pane, i, 0, GLYPH_HORIZONTAL, ROLE_FRAME);
	for (size_t i = 0; i < ticks.count; i++) {
		const char *label = ticks.list[i].label;
		int width = (int)strlen(label);
		int column = axis_cell(axis, ticks.list[i].value, columns);
		int begin = column - width / 2;

		/* At the ends a label is moved inwards instead of cut. If it
		 * would then no longer touch its tick, it is drawn only while
		 * the axis has fewer than two labels. */
		begin = begin + width > pane->columns ? pane->columns - width :
							begin;
		begin = begin < 0 ? 0 : begin;
		pane_glyph(pane, column, 0, GLYPH_TICK_DOWN, ROLE_FRAME);
		if (begin <= end || (begin + width <= column && labels >= 2))
			continue;
		labels++;
		end = begin + pane_chars(pane, begin, 1, ROLE_DIM, label);
	}
}

void axis_draw_upright(const struct axis *axis, const struct pane *pane)
{
	struct ticks ticks;
	struct pane labels = pane_part(pane, 0, 0, -2, pane->rows);

	axis_ticks_upright(axis, pane->rows, &ticks);
	for (int row = 0; row < pane->rows; row++)
		pane_glyph(pane, pane->columns - 1, row, GLYPH_VERTICAL,
			ROLE_FRAME);
	for (size_t i = 0; i < ticks.count; i++) {
		int row = pane->rows - 1 -
			axis_cell(axis, ticks.list[i].value, pane->rows);

		pane_right(&labels, row, ROLE_DIM, ticks.list[i].label);
		pane_glyph(pane, pane->columns - 1, row, GLYPH_TICK_LEFT,
			ROLE_FRAME);
	}
}
