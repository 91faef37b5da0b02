/*
 * A histogram with all that keeps it honest.
 *
 *     the band of the prediction                  from twelve rows on
 *     columns of eighths: the headline's trials, on them those of the other
 *     regime, on top the excluded ones
 *     the axis: === predicted range, ^ ends of the 95 % interval
 *     its labels, and >14.6 under the overflow
 *     box: p5 p25 p50 p75 p95                     from seven rows on
 *
 * What lies outside the bins stands in columns of their own at the edges, so
 * the columns sum to n. Those do not set the scale, or a tail would make all
 * else flat: they are cut at the top, and their counts are written. Bins are
 * those of histogram.h: never narrower than what one trial can tell apart.
 */
#ifndef BENCHTOP_DRAW_HISTOGRAM_H
#define BENCHTOP_DRAW_HISTOGRAM_H

#include "grid.h"
#include "histogram.h"
#include "interval.h"
#include "results.h"

struct histogram_view {
	const struct histogram *histogram;
	enum unit unit;
	const struct prediction *prediction; /* drawn where it is set */
	const struct interval *interval;     /* of the median; NULL */
	const double *quantile; /* as summary.h counts them; NULL */
	bool log_count;
	bool cumulative;      /* a line: which share is at most so large */
	const double *sorted; /* the values of that line */
	size_t sorted_count;
};

/* How many bins a pane of so many columns has room for. */
int histogram_room(int pane_columns);
void draw_histogram(const struct histogram_view *, const struct pane *);

#endif
