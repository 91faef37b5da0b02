/*
 * The trials of one metric at one point, collected. Private to the results.
 */
#ifndef BENCHTOP_GATHER_H
#define BENCHTOP_GATHER_H

#include "results.h"

/* Values of a metric at a point; one group per visit, in their order. */
struct gathered {
	double *values;
	struct group *groups;
	size_t value_count, group_count;
};

/* Takes every trial that has none of the flags in `excludes`. */
void gather(const struct results *, const struct point *, unsigned metric,
	enum scale, unsigned excludes, struct gathered *);
/* The same from one of the visits on. */
void gather_from(const struct results *, const struct point *, unsigned metric,
	enum scale, unsigned excludes, size_t visit, struct gathered *);
void gathered_free(struct gathered *);
/* Calls of trial() of one visit that a metric can have a value for. */
size_t visit_trials(const struct results *, const struct point *,
	unsigned metric, size_t visit);
/* How far it is from one trial that figures look at to the next. */
size_t trial_step(const struct results *);
/* Medians of each alignment clone over the launches: how many there are. */
size_t clone_medians(const struct point *, const struct gathered *,
	double medians[CLONES_MAX]);

/* Medians of the launches, and when each was made, from trials gathered from
 * such a visit on; room for one per visit. Returns how many there are. */
size_t gathered_launches(const struct results *, const struct gathered *,
	double *medians, double *at_s);

#endif
