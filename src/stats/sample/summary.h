/*
 * Summary of one metric at one point: a nested sample, launches that consist of
 * trials.
 *
 * The launch is the unit of inference (Kalibera and Jones, "Rigorous
 * benchmarking in reasonable time", ISMM 2013): the interval is for the median
 * of the launch medians. Trials inside a launch give the quantiles and the
 * spread within launches. A launch may consist of several groups, one for each
 * alignment clone of its timed loop. The median of such a launch is the
 * interquartile mean of its groups' medians, so that each layout counts once,
 * and the figure does not jump if about half of the layouts are slow.
 *
 * Names of the course reports: sd_within is their std1, sd_between std2.
 */
#ifndef BENCHTOP_SUMMARY_H
#define BENCHTOP_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "interval.h"

/* Trials of one launch (and clone); values are per operation. */
struct group {
	unsigned launch; /* groups of a launch are adjacent, launches ascend */
	const double *values;
	size_t n;
	double step; /* values are multiples of it; 0: not quantised */
};

enum { SUMMARY_QUANTILES = 9 };
/* .01 .05 .25 .5 .75 .9 .95 .99 .999 */
extern const double summary_quantile[SUMMARY_QUANTILES];

struct summary {
	size_t trials;
	size_t launches;   /* with at least one trial */
	double median;     /* headline: median of the launch medians, which are
			    * median_stepped() */
	bool has_interval; /* six launches or more */
	struct interval interval;
	double min, max, mean;
	double sd_within;  /* sqrt(mean over launches of s_b^2), n_b > 1 */
	double sd_between; /* sd of launch means, n - 1; 0 below two */
	/* The largest |launch mean - mean of launch means|. */
	double max_deviation;
	/* Share of the variance that is between launches, 0 .. 1, where
	 * s_between^2 = max(0, sd_between^2 - sd_within^2 / mean number of
	 * trials per launch). */
	double icc;
	/* Type 7 over all trials; NaN if quantile_shown() is false. */
	double quantile[SUMMARY_QUANTILES];
};

/* Summarises groups; returns false, with all fields zero, if there is no
 * trial. */
bool summary_of(const struct group *groups, size_t count, struct summary *);

/* Precision of the headline: half of the interval's width divided by the
 * median's magnitude, 0.006 for +-0.6 %. 0 if the interval has no width, for
 * any median; NaN without an interval, and if the median of a wider one is
 * 0. */
double summary_half(const struct summary *);

/* A summary without trials: every figure is NaN. */
struct summary summary_of_nothing(void);

/* The interquartile mean of the medians of one launch's groups; NaN without
 * values. */
double launch_median(const struct group *groups, size_t count);
/* Writes the medians of the launches, in order, to `medians`, which has room
 * for `count` values. Returns the number of launches. */
size_t launch_medians(const struct group *groups, size_t count,
	double *medians);

#endif
