/*
 * The figures of the results that are shown, kept between two drawings.
 *
 * To compute them means to go through all trials; the screen is drawn ten
 * times a second. So they follow a live run only as often as costs a third of
 * a percent of the time, all together so that they are of the same trials, and
 * of one trial in so many where there are many: a key must not wait for them.
 * Otherwise they are computed once, of all trials. Where these are many, an
 * even part of them tells where the bins of the histogram lie; all are counted.
 * Everything that a view shows of results is in here; views compute nothing.
 */
#ifndef BENCHTOP_FIGURES_H
#define BENCHTOP_FIGURES_H

#include "change.h"
#include "histogram.h"
#include "results.h"

/* How a histogram is to be laid out and drawn. */
struct plot_options {
	bool log_count;  /* logarithmic counts */
	bool cumulative; /* the share of values up to .. */
	enum histogram_scale scale;
	int coarser; /* halvings of the number of bins */
};

/* One point of a sweep, in a line. */
struct point_figures {
	bool any; /* has a headline */
	double median;
	double all;       /* the median of all trials */
	double half;      /* half-width of the interval / median; NaN */
	double low, high; /* the interval; NaN */
	double shared;    /* share of the trials */
	enum quality quality;
	bool doubtful;         /* not good, below resolution, invalid, .. */
	size_t trials;         /* of the headline's metric */
	size_t draws;          /* launches that were there */
	size_t visits, looked; /* visits and calls of trial() that were there
				* when these figures were made */
};

struct figures {
	/* What they are of; not owned. */
	const struct results *results;
	unsigned version;
	size_t point;
	int columns;
	struct plot_options options;
	bool live;
	uint64_t made_ns, took_ns; /* when; of processor time */

	size_t trials; /* of the point that there are */
	size_t each;   /* the figures are of one in so many of them */
	bool any;      /* of the point: digest and histogram are there */
	struct digest digest;
	struct histogram histogram;
	double *curve; /* an even part of its clean values, sorted; owned */
	size_t curve_count;
	/* Of the launches that were at the point; NaN: nothing clean in that
	 * one. Owned. */
	double *medians, *at_s;
	size_t launches;
	struct point_figures *points; /* all of the sweep, owned */
	size_t point_count;
	int name_columns;     /* of the longest of their names */
	size_t next;          /* the point to look at first, next time */
	double most;          /* the largest of their medians */
	unsigned long summed; /* grows when the figures of a point change */
	struct change change;
	struct text verdict; /* of a run that `ab` made and that has ended */
};

/* Brings them up to date; `live` results may lag behind. The session is where
 * earlier runs are looked for. */
void figures_update(struct figures *, const struct results *, size_t point,
	int columns, const struct plot_options *, const struct session *,
	bool live);
void figures_free(struct figures *);
/* Forgets what they are of, for results that are about to go. */
void figures_forget(struct figures *);

#endif
