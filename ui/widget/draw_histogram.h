/*
 * A histogram with its prediction, interval and excluded trials. From top to
 * bottom:
 *
 *     the band of the prediction                  from twelve rows on
 *     columns in eighths of a row: trials of the headline, above them
 *     trials of the other regime, above those the excluded trials
 *     the axis: === predicted range, ^ ends of the 95 % interval
 *     its labels, and >14.6 below the overflow column
 *     box: p5 p25 p50 p75 p95                     from seven rows on
 *
 * Values outside the bins have their own columns at the edges, so the columns
 * sum to n. These outer columns do not affect the scale, or a long tail would
 * flatten the other columns. They are cut at the top, and their counts are
 * printed. The bins come from histogram.h: never narrower than the resolution
 * of one trial.
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
	const struct prediction *prediction; /* drawn if set */
	const struct interval *interval;     /* of the median, or NULL */
	const double *quantile; /* indexed as in summary.h, or NULL */
	bool log_count;
	bool cumulative;      /* draw a line instead: the share of values up to
			       * x */
	const double *sorted; /* the values of the cumulative line */
	size_t sorted_count;
};

/* The number of bins for which a pane of this width has room. */
int histogram_room(int pane_columns);
void draw_histogram(const struct histogram_view *, const struct pane *);

#endif
