/*
 * A popup: a framed list that lies on top of a pane, at its lower left, as
 * small as what is in it.
 */
#ifndef BENCHTOP_DRAW_POPUP_H
#define BENCHTOP_DRAW_POPUP_H

#include "grid.h"

/* Shows as many of the lines as there is room for, in columns side by side
 * where they are short, and says how many there are more. `chosen` is the
 * selected one, or -1. */
void draw_popup(const struct pane *, const char *title,
	const char *const *lines, size_t count, int chosen);

#endif
