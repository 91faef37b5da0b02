/*
 * The medians of the launches of a run over time: does it drift?
 */
#ifndef BENCHTOP_DRAW_STRIP_H
#define BENCHTOP_DRAW_STRIP_H

#include "grid.h"
#include "unit.h"

struct strip_view {
	const double *medians, *at_s; /* NaN: nothing clean in that launch */
	size_t n;
	enum unit unit;
};

void draw_strip(const struct strip_view *, const struct pane *);
/* "drift +0.4 %/launch": Mann-Kendall at 5 %, from six
 * launches on; "x: nothing clean" where a launch is marked so. */
void say_drift(const struct strip_view *, struct text *);

#endif
