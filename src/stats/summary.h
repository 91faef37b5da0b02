/*
 * What is printed of one metric at one point: a nested sample, launches of
 * trials, summed up.
 *
 * The launch is the unit of inference (Kalibera and Jones, "Rigorous
 * benchmarking in reasonable time", ISMM 2013): the interval is that of the
 * median over launch medians. Trials inside a launch give the quantiles and
 * the spread within. A launch may hold several groups, one for each alignment
 * clone of its timed loop; its median is then the median over its groups'
 * medians, so that each layout counts once.
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
	unsigned launch; /* groups of a launch stand together, ascending */
	const double *values;
	size_t n;
	double step; /* they are multiples of it; 0: any value may be read */
};

enum { SUMMARY_QUANTILES = 9 };
/* .01 .05 .25 .5 .75 .9 .95 .99 .999 */
extern const double summary_quantile[SUMMARY_QUANTILES];

struct summary {
	size_t trials;
	size_t launches;   /* with at least one trial */
	double median;     /* over launch medians, which are median_stepped():
			    * the headline */
	bool has_interval; /* six launches or more */
	struct interval interval;
	double min, max, mean;
	double sd_within;  /* sqrt(mean over launches of s_b^2), n_b > 1 */
	double sd_between; /* sd of launch means, n - 1; 0 below two */
	/* The largest |launch mean - mean of launch means|. */
	double max_deviation;
	/* Share of the variance that is between launches, 0 .. 1, where
	 * s_between^2 = max(0, sd_between^2 - sd_within^2 / mean trials of a
	 * launch). */
	double icc;
	/* Type 7 over all trials; NaN where quantile_shown() says no. */
	double quantile[SUMMARY_QUANTILES];
};

/* Sums up groups; false (and all zero) when there is no trial at all. */
bool summary_of(const struct group *groups, size_t count, struct summary *);

/* Half of the interval's width over the median's magnitude, 0.006 for +-0.6 %:
 * how precise the headline is. 0 where the interval has no width, whatever the
 * median; NaN without an interval. */
double summary_half(const struct summary *);

/* The summary of no trial: every figure NaN. */
struct summary summary_of_nothing(void);

/* The median over the medians of one launch's groups; NaN without a value. */
double launch_median(const struct group *groups, size_t count);
/* The medians of the launches, in their order: room for `count` doubles;
 * returns how many launches there are. */
size_t launch_medians(const struct group *groups, size_t count,
	double *medians);

#endif
