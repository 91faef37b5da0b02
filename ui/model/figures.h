/*
 * The figures of the displayed results, cached between two drawings.
 *
 * Computing them reads all trials, and the screen is drawn ten times a second.
 * So figures of a live run are updated only often enough to cost at most 0.2 %
 * of the processor time. All are updated together, so that they cover the same
 * trials. With many trials, live figures use only one in N of them, or a key
 * would have to wait. Figures of a finished run are computed once, from all
 * trials. With many trials, an evenly spaced subset determines the bins of the
 * histogram, but all are counted. This structure contains everything that a
 * view shows of results; views compute nothing.
 */
#ifndef BENCHTOP_FIGURES_H
#define BENCHTOP_FIGURES_H

#include "change.h"
#include "digest.h"
#include "histogram.h"
#include "results.h"

/* Options for the layout and drawing of a histogram. */
struct plot_options {
	bool log_count;  /* logarithmic counts */
	bool cumulative; /* draw the cumulative share */
	enum histogram_scale scale;
	int coarser; /* halvings of the number of bins */
};

/* Figures of one point of a sweep, for one table row. */
struct point_figures {
	bool any; /* has a headline */
	double median;
	double all;       /* the median of all trials */
	double half;      /* digest_half(); NaN: no interval */
	bool by_cycles;   /* that interval is of the cycles */
	double low, high; /* ends of the interval; NaN */
	double shared;    /* share of the trials that ran beside a co-runner */
	enum quality quality;
	bool doubtful;         /* not good, below resolution, invalid, .. */
	size_t trials;         /* trials of the headline's metric */
	size_t draws;          /* launches that visited the point */
	size_t visits, looked; /* visits and calls of trial() at the point when
				* these figures were made */
};

struct figures {
	/* The source of the figures; not owned. */
	const struct results *results;
	unsigned serial, version; /* copied from the results */
	size_t point;
	int columns;
	struct plot_options options;
	bool live;
	uint64_t made_ns, took_ns; /* when they were computed; processor time
				    * used */

	size_t trials; /* all trials of the point */
	size_t each;   /* figures use one in `each` trials */
	bool any;      /* the point has a digest and a histogram */
	struct digest digest;
	struct histogram histogram;
	double *curve; /* evenly spaced clean values, sorted; owned */
	size_t curve_count;
	/* One entry per launch that visited the point; median NaN: the launch
	 * has no clean trial. Owned. */
	double *medians, *at_s;
	size_t launches;
	struct point_figures *points; /* all points of the sweep; owned */
	size_t point_count;
	int name_columns;     /* columns of the longest point name */
	size_t next;          /* first point of the next update */
	double most;          /* the largest median of the points */
	unsigned long summed; /* incremented when the figures of a point
			       * change */
	struct rerun_change change;
	struct text verdict; /* for a finished run of `ab` */
};

/* Updates the figures; those of `live` results may lag behind. Earlier runs are
 * searched in the session. */
void figures_update(struct figures *, const struct results *, size_t point,
	int columns, const struct plot_options *, const struct session *,
	bool live);
void figures_free(struct figures *);

#endif
