/*
 * Which part of the Lab screen lies where at which size.
 *
 *     120 x 37                              80 x 21
 *     list | form       | result            list | form
 *          | plot       | prediction             | plot
 *          | strip      | about
 *
 * Narrower than 110 columns there is no right column, lower than 30 rows no
 * strip and no prediction; narrower than 60 columns or lower than 15 the part
 * that has the focus takes the place of the others. Parts never overlap and
 * leave nothing of the body, at any size.
 */
#ifndef BENCHTOP_LAB_LAYOUT_H
#define BENCHTOP_LAB_LAYOUT_H

#include "grid.h"
#include "screen.h"

struct lab_layout {
	struct pane body;
	/* Those that are not there have no size. */
	struct pane list, form, plot, strip, result, prediction, about;
};

void lab_layout(struct lab_layout *, const struct pane *body, enum focus);

#endif
