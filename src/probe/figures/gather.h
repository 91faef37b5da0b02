/*
 * The trials of one metric at one point: read in blocks, or collected in one
 * pass and grouped by their condition. For figures and histograms.
 *
 *     struct reading reading;
 *
 *     reading.next = 0;
 *     while (results_read(results, point, metric, visit, scale, &reading))
 *             for (size_t i = 0; i < reading.count; i++)
 *                     use(reading.values[i], reading.flags[i]);
 */
#ifndef BENCHTOP_GATHER_H
#define BENCHTOP_GATHER_H

#include "digest.h"
#include "results.h"

/* ---- reading ---------------------------------------------------------- */

enum { READ_AT_ONCE = 512 };
/* A launch has a figure alone if it has as many trials alone as this times the
 * mixed ones. */
enum { GATHER_STEADY_TIMES = 4 };

/* A block of trials, with the values and flags of results_trial(), in order. A
 * loop over results_trial() takes five times as long. */
struct reading {
	size_t first, next; /* index of the first trial, and behind the last */
	size_t count;
	double values[READ_AT_ONCE];
	uint16_t flags[READ_AT_ONCE];
};

/* Reads the next block of the trials that figures use; false at the end. */
bool results_read(const struct results *, const struct point *, unsigned metric,
	size_t visit, enum scale, struct reading *);
/* True if a trial after the warm-up has a value. */
bool trial_shows(double value, unsigned flags);
/* Number of calls of trial() in a visit that can give a value of the metric. */
size_t visit_trials(const struct results *, const struct point *,
	unsigned metric, size_t visit);
/* Distance between the trials that figures use; 1: every trial. */
size_t trial_step(const struct results *);

/* ---- collecting ------------------------------------------------------- */

/* The class of a trial. The values of a visit are ordered by class, so that all
 * trials of a regime are adjacent. */
enum trial_class {
	CLASS_ALONE,
	CLASS_SHARED,
	CLASS_MIXED,
	CLASS_EXCLUDED, /* interrupted */
	CLASSES,
};

struct gathered_visit {
	unsigned launch;
	size_t first; /* index in the values */
	size_t count[CLASSES];
};

struct gathered {
	double *values;
	struct gathered_visit *visits;
	size_t value_count, visit_count;
	double step; /* values are multiples of it; 0: any value */
	/* How many trials have these flags, with or without a figure. */
	size_t flagged[1 << FLAG_COUNT];
};

/* True if canaries separate the trials of a metric. False for a count, which
 * does not depend on co-runners. */
bool gather_parts(const struct results *, const struct point *,
	unsigned metric);

/* Collects every trial after the warm-up that has a figure, from visit `visit`
 * on. */
void gather(const struct results *, const struct point *, unsigned metric,
	enum scale scale, size_t visit, struct gathered *);
void gathered_free(struct gathered *);

/* Makes one group per visit of the trials of a regime; `groups` has room for
 * visit_count. Launches with too few such trials have empty groups: fewer than
 * 20, or a tenth of the launch's trials if that is less; for REGIME_ALONE also
 * fewer than four times the mixed trials. REGIMES: all trials. */
void gathered_groups(const struct gathered *, enum regime, struct group *);

#endif
