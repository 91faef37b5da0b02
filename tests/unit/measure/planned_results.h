/* Results of points that are visited in some launches, for plans. */
#ifndef BENCHTOP_TEST_PLANNED_RESULTS_H
#define BENCHTOP_TEST_PLANNED_RESULTS_H

#include "disturb.h"
#include "results.h"

enum { TICKS = 100000 }; /* at location 1 of the distribution */

struct results *results_of(size_t points);
void add_visit(struct results *results, size_t at, double location,
	unsigned trials, unsigned flags);

#endif
