/* Results with parameters and known figures, for pictures and pages. */
#ifndef BENCHTOP_MADE_RESULTS_H
#define BENCHTOP_MADE_RESULTS_H

#include "unit/probe/trials.h"

enum { MADE_LAUNCHES = 6 };

/* A run of one timed metric, with one parameter per name. */
struct results *made_results(const char *const *params, size_t count);
struct point *made_point(struct results *results, const char *const *values);
/* Adds `each` trials to each launch, of `ns` net, with `flags`. */
void made_trials(struct results *results, size_t at, size_t each, double ns,
	unsigned flags);

#endif
