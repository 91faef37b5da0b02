/* Draws a framed list on top of other content. */
#include "draw_popup.h"

enum { GAP = 2, ROWS_MOST = 10 };
#define WIDE_PART .7

static int widest(const char *const *lines, size_t count)
{
	int most = 1;

	for (size_t i = 0; i < count; i++) {
		int columns = text_columns(lines[i]);

		most = columns > most ? columns : most;
	}
	return most;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

void draw_popup(const struct pane *pane, const char *title,
	const char *const *lines, size_t count, int chosen)
{
	int room = pane->columns - 4;
	int rows = least(pane->rows - 2, ROWS_MOST);
	int width = least(widest(lines, count), room) + GAP;

	if (room < 1 || rows < 1 || !count)
		return;
	int across =
		least((room + GAP) / width, ((int)count + rows - 1) / rows);
	across = across < 1 ? 1 : across;
	rows = least(rows, ((int)count + across - 1) / across);
	size_t shown = (size_t)least(rows * across, (int)count);
	int columns = across * width - GAP + 4;
	int least_columns = text_columns(title) + 8;

	columns = least(columns < least_columns ? least_columns : columns,
		pane->columns);
	/* The remains of covered text beside the popup would seem to be part of
	 * it. */
	if (columns > pane->columns * WIDE_PART)
		columns = pane->columns;
	struct pane box =
		pane_part(pane, 0, pane->rows - rows - 2, columns, rows + 2);
	struct text more = { 0 };
	if (shown < count)
		text_add(&more, "%zu more", count - shown);
	pane_clear(&box);
	struct pane inside = pane_frame(&box, title, text_chars(&more));
	for (size_t i = 0; i < shown; i++) {
		struct pane cell = pane_part(&inside, 1 + (int)i / rows * width,
			(int)i % rows, width - GAP, 1);

		pane_chars(&cell, 0, 0, ROLE_TEXT, lines[i]);
		if ((int)i == chosen)
			pane_role(&cell, 0, 0, cell.columns, ROLE_SELECT);
	}
	text_free(&more);
}
