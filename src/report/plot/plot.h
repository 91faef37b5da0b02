/*
 * Pictures of results as SVG: what a person looks at in a report.
 *
 * Each is one <svg> element of its own, 720 units wide, without a script or a
 * reference to anything outside. Lines are told apart by dash and by the label
 * at their end, then by colour; text and axes take the colour of the page's
 * text (currentColor). Nothing is added where there is nothing to draw, and
 * false returned.
 */
#ifndef BENCHTOP_PLOT_H
#define BENCHTOP_PLOT_H

#include "results.h"

/* All trials of a metric at one point: bins by the classes of regime_shows(),
 * counts outside of the bins, the median with its interval, and the
 * prediction. */
bool plot_histogram(const struct results *, const struct point *,
	unsigned metric, struct text *);
/* The headline over the points of a sweep: lines with intervals over a
 * numeric parameter, a map where two of them span a grid of at least 5 x 5,
 * bars for a choice. The experiment (NULL: unknown) says the units. */
bool plot_sweep(const struct experiment *, const struct results *,
	struct text *);
/* A trace: y against x of the first visit that has it. The experiment (NULL:
 * unknown) says what x is. */
bool plot_trace(const struct experiment *, const struct results *,
	const struct point *, unsigned metric, struct text *);

#endif
