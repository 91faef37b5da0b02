/*
 * Which part of the Lab screen lies where at which size.
 *
 *     120 x 40                              80 x 24
 *     title                                 title
 *     list | form       | result            list | form
 *          | plot       | prediction             | plot
 *          | strip      | about
 *     status                                status
 *     keys                                  keys
 *
 * Narrower than 110 columns there is no right column, lower than 30 rows no
 * strip and no prediction; narrower than 60 columns or lower than 15 the part
 * that has the focus takes the place of the others. Below 40 x 10 there is one
 * pane for a sentence. Parts never overlap and lie inside, at any size.
 */
#ifndef BENCHTOP_VIEW_LAYOUT_H
#define BENCHTOP_VIEW_LAYOUT_H

#include "grid.h"
#include "screen.h"

enum { LAYOUT_COLUMNS = 40, LAYOUT_ROWS = 10 };

struct layout {
	bool small; /* only `body` is there */
	struct pane title, body, status, keys;
	/* Inside the body; those that are not there have no size. */
	struct pane list, form, plot, strip, result, prediction, about;
};

void view_layout(struct layout *, const struct pane *whole, enum focus);

#endif
