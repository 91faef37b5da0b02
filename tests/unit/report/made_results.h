/* Results with parameters, whose figures are known, for pictures and pages. */
#ifndef BENCHTOP_MADE_RESULTS_H
#define BENCHTOP_MADE_RESULTS_H

#include "unit/probe/trials.h"

enum { MADE_LAUNCHES = 6 };

/* A run of one timed metric and as many parameters as there are names. */
struct results *made_results(const char *const *params, size_t count);
struct point *made_point(struct results *results, const char *const *values);
/* So many trials in each launch, each of so many ns net, as flagged. */
void made_trials(struct results *results, size_t at, size_t each, double ns,
	unsigned flags);

#endif
