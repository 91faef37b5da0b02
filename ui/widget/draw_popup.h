/*
 * A popup: a framed list on top of a pane, at its lower left, as small as its
 * content.
 */
#ifndef BENCHTOP_DRAW_POPUP_H
#define BENCHTOP_DRAW_POPUP_H

#include "grid.h"

/* Shows as many lines as fit, side by side in columns if they are short, and
 * prints the number of omitted lines. `chosen` is the selected line, or -1. */
void draw_popup(const struct pane *, const char *title,
	const char *const *lines, size_t count, int chosen);

#endif
