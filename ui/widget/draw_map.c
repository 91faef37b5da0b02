/* Draws the parts of heat maps. */
#include "draw_map.h"

static const struct {
	enum glyph glyph;
	enum role role;
} looks[MAP_STEPS] = {
	{ GLYPH_SHADE_LIGHT, ROLE_SERIES },
	{ GLYPH_SHADE, ROLE_SERIES_4 },
	{ GLYPH_SHADE_DARK, ROLE_SERIES_3 },
	{ GLYPH_FULL, ROLE_SERIES_2 },
};

struct map_cells map_cells_of(size_t values, size_t i, int cells)
{
	int count = (int)values;
	int first = (int)((long)i * cells / count);
	int next = (int)((long)(i + 1) * cells / count);

	return next > first ? (struct map_cells){ first, next - first, true } :
			      (struct map_cells){ first, 1, false };
}

void map_fill(const struct pane *cell, int step)
{
	for (int row = 0; row < cell->rows; row++)
		for (int column = 0; column < cell->columns; column++)
			pane_glyph(cell, column, row, looks[step].glyph,
				looks[step].role);
}

int map_legend(const struct pane *pane, int column, int step, const char *label)
{
	if (column + 2 + text_columns(label) > pane->columns)
		return column;
	pane_glyph(pane, column, 0, looks[step].glyph, looks[step].role);
	return column + 5 + pane_chars(pane, column + 2, 0, ROLE_DIM, label);
}
