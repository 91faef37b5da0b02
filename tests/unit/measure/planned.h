/* Plans of equal points. */
#ifndef BENCHTOP_TEST_PLANNED_H
#define BENCHTOP_TEST_PLANNED_H

#include "plan.h"

/* A trial takes trial_ns, set-up a millisecond. `sizing` has room for the
 * points and must outlive the schedule. */
struct schedule plan_alike(struct sizing *sizing, size_t points,
	unsigned clones, double trial_ns, const struct plan *plan,
	const struct common *common);

#endif
