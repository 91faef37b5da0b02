/*
 * The trials of one metric at one point, collected in one pass and sorted by
 * their condition. Private to the results.
 */
#ifndef BENCHTOP_GATHER_H
#define BENCHTOP_GATHER_H

#include "results.h"

/* Where a trial belongs. In the values of a visit the classes follow one
 * another, so that all trials of a regime stand together. */
enum trial_class {
	CLASS_ALONE,
	CLASS_SHARED,
	CLASS_MIXED,
	CLASS_EXCLUDED, /* interrupted, or not of this scale */
	CLASSES,
};

struct gathered_visit {
	unsigned launch;
	size_t first; /* in the values */
	size_t count[CLASSES];
};

struct gathered {
	double *values;
	struct gathered_visit *visits;
	size_t value_count, visit_count;
	double step; /* values are multiples of it; 0: any value */
};

/* Do canaries tell the trials of a metric apart? Not those of a count, which
 * is what it is, whoever else runs on the core. */
bool gather_parts(const struct results *, const struct point *,
	unsigned metric);

/* Takes every trial past the warm-up that has a figure, of the visits from
 * `visit` on. */
void gather(const struct results *, const struct point *, unsigned metric,
	enum scale scale, size_t visit, struct gathered *);
void gathered_free(struct gathered *);

/* A group per visit of the trials of a regime: room for visit_count. Launches
 * with too few of them have empty groups: below 20, or a tenth of the launch's
 * trials where that is less. REGIMES: all trials. */
void gathered_groups(const struct gathered *, enum regime, struct group *);

/* Calls of trial() of one visit that a metric can have a value for. */
size_t visit_trials(const struct results *, const struct point *,
	unsigned metric, size_t visit);
/* How far it is from one trial that figures look at to the next. */
size_t trial_step(const struct results *);

#endif
