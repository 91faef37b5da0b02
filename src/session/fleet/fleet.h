/*
 * A fleet: the same experiments on many machines. Which machines differ from
 * the others?
 *
 * A series is one metric at one point of an experiment. Its figure of a machine
 * is the median over the machine's runs. Machines that are alike form a group
 * (fleet_groups.h). A machine is compared with the machines of its group if
 * these are at least FLEET_LEAST, else with all machines. Three things are
 * tested for every machine (outliers.h); the p values of each kind are adjusted
 * together by Holm's method:
 *
 *     series   its figure, in each series that at least FLEET_LEAST of the
 *              compared machines have
 *     overall  the median of its ratios to the medians of the compared
 *              machines, over all series: a machine that is 4 % slower in
 *              everything is found even if no series alone shows it
 *     scatter  the mean logarithm of the standard deviation between its
 *              launches, relative to the median of the compared machines, over
 *              all series
 *
 * A machine is an outlier if the adjusted p is below OUTLIERS_LEVEL, and the
 * figure is away by at least twice the spread that is expected of good
 * machines. In a series that scatters between launches, more is expected: the
 * errors of its figures. A ratio above 1 always means slower: rates are
 * inverted. If no direction of a metric is better, it means higher.
 *
 * The fourth kind has no p: if at least FLEET_ALIKE of the machines are in one
 * group, the surroundings of the others are outliers.
 */
#ifndef BENCHTOP_FLEET_H
#define BENCHTOP_FLEET_H

#include <stdbool.h>
#include <stddef.h>

#include "split.h"

enum { FLEET_LEAST = 3 }; /* machines in a series, series of a machine */
#define FLEET_ALIKE .9 /* of all machines: the usual group */

/* One figure of one run, above 0, in time: of a rate its inverse. */
struct fleet_figure {
	size_t machine, series; /* indices, chosen by the caller */
	double value;
	const double *launches; /* their medians; NULL: not known */
	size_t launch_count;
};

enum fleet_kind {
	FLEET_SERIES,
	FLEET_OVERALL,
	FLEET_SCATTER,
	FLEET_SURROUNDINGS,
	FLEET_KINDS
};
/* The kinds after FLEET_SERIES, which have one ratio per machine. */
enum { FLEET_WHOLE = FLEET_KINDS - FLEET_OVERALL };

struct fleet_outlier {
	size_t machine;
	enum fleet_kind kind;
	size_t series; /* of FLEET_SERIES */
	double ratio;  /* to the median of the compared machines; of
			* surroundings that of the group */
	double p;      /* adjusted; NaN: no test */
};

struct fleet_group {
	size_t machines;
	size_t first; /* a machine of the group */
	double ratio; /* of its medians to the fleet's, the median over all
		       * series */
};

struct fleet_series {
	size_t machines;
	double centre; /* median of the machines; NaN: none */
	double low, high; /* quantiles .05 and .95 of the machines */
	double expected;  /* spread expected of good machines, with the errors
			   * of their figures */
	double spread;    /* relative standard deviation of good machines */
	struct split split;
};

struct fleet {
	size_t machine_count, series_count, group_count;
	struct fleet_series *series; /* owned, like all pointers below */
	struct fleet_group *groups;
	double *ratio;   /* of machine m in series s at [m * series_count + s],
			  * to the median of the compared machines; NaN: no
			  * figure */
	double *overall; /* ratio of each machine; NaN: too few series */
	double *scatter;
	struct fleet_outlier *outliers; /* by machine, the largest first */
	size_t outlier_count;
};

/* Analyses the figures, which need no order and are not changed. groups[m] is
 * the group of machine m, from 0 without a gap; NULL: all are alike. `expected`
 * is the spread expected of good machines: .01, and more for guests, whose
 * cores and memory the host chooses. */
void fleet_find(const struct fleet_figure *, size_t count,
	const size_t *groups, double expected, struct fleet *);
void fleet_free(struct fleet *);
/* The number of machines that are outliers. */
size_t fleet_sick(const struct fleet *);
/* The ratio of a machine in a kind after FLEET_SERIES. NaN: none. */
double fleet_ratio(const struct fleet *, size_t machine, enum fleet_kind);

#endif
