/*
 * Views: pure functions from a screen to a grid. What they draw depends on
 * the screen's state and the grid's size and tier, on nothing else; what they
 * compute is kept in the screen's figures.
 */
#ifndef BENCHTOP_VIEW_H
#define BENCHTOP_VIEW_H

#include "screen.h"

enum { LAYOUT_COLUMNS = 40, LAYOUT_ROWS = 10 };

/* What every screen has, the body between the first row and the last two;
 * below 40 x 10 there is only the body, for a sentence. */
struct layout {
	bool small;
	struct pane title, body, status, keys;
};
void view_layout(struct layout *, const struct pane *whole);

/* Draws everything at the grid's size, which must be set. */
void view_draw(struct screen *, struct grid *);

void view_status(struct screen *, const struct pane *);
/* What its row cuts, whole, at the foot of a pane: until the next key. */
void view_whole_status(const struct screen *, const struct pane *);
void view_keys(const struct screen *, const struct pane *);
/* Takes the pane's size down, and scrolls back what is past its end. */
void view_page(struct screen *, const struct pane *);

/* Rows that a page takes at so many columns. */
int page_rows(const struct page *, int columns);
/* Scrolls a page, never so far that less than a paneful is left of it; by a
 * paneful less a row. */
void page_scroll(struct page *, int rows);
int page_paneful(const struct page *);

#endif
