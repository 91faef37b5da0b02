/*
 * The medians of a run's launches over time, to show a drift.
 */
#ifndef BENCHTOP_DRAW_STRIP_H
#define BENCHTOP_DRAW_STRIP_H

#include "grid.h"
#include "unit.h"

struct strip_view {
	const double *medians, *at_s; /* median NaN: the launch has no clean
				       * trial */
	size_t n;
	enum unit unit;
};

void draw_strip(const struct strip_view *, const struct pane *);
/* Appends "drift +0.4 %/launch" or "no drift", from six launches on
 * (Mann-Kendall, significance level 5 %). Appends "x: no clean trial" if a
 * launch is marked so. */
void say_drift(const struct strip_view *, struct text *);

#endif
