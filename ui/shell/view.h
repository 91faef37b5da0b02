/*
 * Views: pure functions from a screen to a grid. Their output depends only on
 * the screen's state and on the grid's size and tier. Computed values are
 * cached in the screen's figures.
 */
#ifndef BENCHTOP_VIEW_H
#define BENCHTOP_VIEW_H

#include "screen.h"

enum { LAYOUT_COLUMNS = 40, LAYOUT_ROWS = 10 };

/* The common layout: the body is between the first row and the last two. Below
 * 40 x 10 there is only a body, for one sentence. */
struct layout {
	bool small;
	struct pane title, body, status, keys;
};
void view_layout(struct layout *, const struct pane *whole);

/* Draws the whole screen at the grid's size, which must be set. */
void view_draw(struct screen *, struct grid *);

void view_status(struct screen *, const struct pane *);
/* If the row truncates the message or the hint, draws all of it at the bottom
 * of a pane, until the next key. */
void view_whole_status(const struct screen *, const struct pane *);
void view_keys(const struct screen *, const struct pane *);
/* Draws the tour, or its offer, in the last rows of the body. These rows are
 * removed from the body, so that the tour hides nothing. */
void view_tour(const struct screen *, struct pane *body);
/* Draws the page. Stores the pane's size in it, and scrolls back if the page is
 * past its end. */
void view_page(struct screen *, const struct pane *);

/* The number of rows of a page at this width. */
int page_rows(const struct page *, int columns);
/* page_scroll() scrolls a page, but the last pane stays full. page_paneful() is
 * the scroll step: the rows of a pane less one. */
void page_scroll(struct page *, int rows);
int page_paneful(const struct page *);

#endif
