/* Draws sliders and bars. */
#include "draw_slider.h"

#include <math.h>

enum { SLIDER_LEAST = 5 };

void draw_slider(const struct pane *pane, double place)
{
	int columns = pane->columns;

	if (columns < SLIDER_LEAST)
		return;
	place = fmin(fmax(place, 0), 1);
	pane_glyph(pane, 0, 0, GLYPH_RANGE_LEFT, ROLE_DIM);
	for (int i = 1; i < columns - 1; i++)
		pane_glyph(pane, i, 0, GLYPH_HORIZONTAL, ROLE_DIM);
	pane_glyph(pane, columns - 1, 0, GLYPH_RANGE_RIGHT, ROLE_DIM);
	pane_glyph(pane, 1 + (int)lround(place * (columns - 3)), 0, GLYPH_HERE,
		ROLE_STRONG);
}

void draw_bar(const struct pane *pane, double share, enum role role)
{
	double filled = fmin(fmax(share, 0), 1) * pane->columns * 8;
	int eighths = (int)lround(filled);

	/* A small share is still visible. */
	if (!eighths && share > 0)
		eighths = 1;
	for (int i = 0; i < pane->columns && eighths > 0; i++, eighths -= 8)
		pane_put(pane, i, 0,
			glyph_eighth_across(pane->grid->tier, eighths), role);
}
