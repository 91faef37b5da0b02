/*
 * A fleet: the same experiments on many machines. Which machines differ from
 * the others?
 *
 * A series is one metric at one point of an experiment. Its figure of a machine
 * is the median over the machine's runs. Three things are tested for every
 * machine (outliers.h); the p values of each kind are adjusted together by
 * Holm's method:
 *
 *     series   its figure, in each series that at least FLEET_LEAST machines
 *              have
 *     overall  the median of its ratios to the fleet's medians, over all
 *              series: a machine that is 4 % slower in everything is found even
 *              if no series alone shows it
 *     scatter  the mean logarithm of the standard deviation between its
 *              launches, relative to the fleet's median, over all series
 *
 * A machine is an outlier if the adjusted p is below OUTLIERS_LEVEL, and the
 * figure is away by at least twice the spread that is expected of good
 * machines. A ratio above 1 always means slower: rates are inverted. If no
 * direction of a metric is better, it means higher.
 */
#ifndef BENCHTOP_FLEET_H
#define BENCHTOP_FLEET_H

#include <stdbool.h>
#include <stddef.h>

#include "split.h"

enum { FLEET_LEAST = 3 }; /* machines in a series, series of a machine */

/* One figure of one run, above 0, in time: of a rate its inverse. */
struct fleet_figure {
	size_t machine, series; /* indices, chosen by the caller */
	double value;
	const double *launches; /* their medians; NULL: not known */
	size_t launch_count;
};

enum fleet_kind { FLEET_SERIES, FLEET_OVERALL, FLEET_SCATTER, FLEET_KINDS };

struct fleet_outlier {
	size_t machine;
	enum fleet_kind kind;
	size_t series; /* of FLEET_SERIES */
	double ratio;  /* to the fleet's median */
	double p;      /* adjusted */
};

struct fleet_series {
	size_t machines;
	double centre; /* median of the machines; NaN: none */
	double low, high; /* quantiles .05 and .95 of the machines */
	double spread;    /* relative standard deviation of good machines */
	struct split split;
};

struct fleet {
	size_t machine_count, series_count;
	struct fleet_series *series; /* owned, like all pointers below */
	double *ratio;   /* of machine m in series s at [m * series_count + s];
			  * NaN: no figure */
	double *overall; /* ratio of each machine; NaN: too few series */
	double *scatter;
	struct fleet_outlier *outliers; /* by machine, the largest first */
	size_t outlier_count;
};

/* Analyses the figures, which need no order and are not changed. `expected` is
 * the spread expected of good machines: .01, and more for guests, whose cores
 * and memory the host chooses. */
void fleet_find(const struct fleet_figure *, size_t count, double expected,
	struct fleet *);
void fleet_free(struct fleet *);

#endif
