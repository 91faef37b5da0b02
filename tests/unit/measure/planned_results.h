/* Results of points that have a visit in some launches, for plans. */
#ifndef BENCHTOP_TEST_PLANNED_RESULTS_H
#define BENCHTOP_TEST_PLANNED_RESULTS_H

#include "disturb.h"
#include "results.h"

enum { TICKS = 100000 }; /* of the law's location 1 */

struct results *results_of(size_t points);
void add_visit(struct results *results, size_t at, double location,
	unsigned trials, unsigned flags);

#endif
