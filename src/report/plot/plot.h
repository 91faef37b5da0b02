/*
 * Pictures of results as SVG for a report.
 *
 * Each picture is one <svg> element, 720 units wide, without scripts or
 * references to other files. Lines differ by dash and by the label at their
 * end, and only then by colour. Text and axes have the colour of the page's
 * text (currentColor). If there is nothing to draw, a function adds nothing and
 * returns false.
 */
#ifndef BENCHTOP_PLOT_H
#define BENCHTOP_PLOT_H

#include "results.h"

/* All trials of a metric at one point, in bins by the classes of
 * regime_shows(). Also shows the number of trials outside of the bins, the
 * median with its interval, and the prediction. */
bool plot_histogram(const struct results *, const struct point *,
	unsigned metric, struct text *);
/* The headline over the points of a sweep. A numeric parameter gives lines with
 * intervals. Two of them that span a grid of at least 5 x 5 give a map. A
 * choice gives bars. The experiment (NULL: unknown) defines the units. */
bool plot_sweep(const struct experiment *, const struct results *,
	struct text *);
/* The segments in each round trip of a captured connection, a panel per
 * point. */
bool plot_rounds(const struct results *, struct text *);
/* A trace: y against x of the first visit that has one. The experiment (NULL:
 * unknown) defines the unit of x. */
bool plot_trace(const struct experiment *, const struct results *,
	const struct point *, unsigned metric, struct text *);

#endif
