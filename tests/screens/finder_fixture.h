/* A lab whose last run found levels along its traces, as mem.hierarchy does:
 * capacities over sizes, TLB entries over pages, the line over distances. Needs
 * the machine of sweep_fixture.h. */
#ifndef BENCHTOP_SCREENS_FINDER_FIXTURE_H
#define BENCHTOP_SCREENS_FINDER_FIXTURE_H

#include <stdbool.h>

#include "sweep_fixture.h"

extern const struct experiment *const finder_list[];

void finder_level(struct results *results, const char *name, double found,
	enum unit unit, const char *verdict);
struct results *finder_results(bool found);

#endif
