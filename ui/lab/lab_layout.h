/*
 * The layout of the Lab screen: position and size of each pane.
 *
 *     120 x 37                              80 x 21
 *     list | form       | result            list | form
 *          | plot       | prediction             | plot
 *          | strip      | about
 *
 * Below 110 columns the right column is absent; below 30 rows the strip and
 * the prediction are absent. Below 15 rows the form and the plot share one
 * place, and the form has it while it has the focus. Below 60 columns there
 * is one column. It holds list, form and plot from 26 rows, else only the pane
 * with the focus. The panes never overlap, and together they cover the whole
 * body at any size.
 */
#ifndef BENCHTOP_LAB_LAYOUT_H
#define BENCHTOP_LAB_LAYOUT_H

#include "grid.h"
#include "screen.h"

struct lab_layout {
	struct pane body;
	/* An absent pane has size 0. */
	struct pane list, form, plot, strip, result, prediction, about;
};

void lab_layout(struct lab_layout *, const struct pane *body, enum focus);

#endif
