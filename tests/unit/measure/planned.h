/* Plans of points that are all alike. */
#ifndef BENCHTOP_TEST_PLANNED_H
#define BENCHTOP_TEST_PLANNED_H

#include "plan.h"

/* A trial takes so long and setting up a millisecond; `sizing` has room for the
 * points and outlives the schedule. */
static inline struct schedule plan_alike(struct sizing *sizing, size_t points,
	unsigned clones, double trial_ns, const struct plan *plan,
	const struct common *common)
{
	struct schedule schedule = { .points = sizing,
		.count = points,
		.clones = clones,
		.emits = 1 };

	for (size_t i = 0; i < points; i++)
		sizing[i] = (struct sizing){ .trial_ns = trial_ns,
			.setup_ns = 1e6 };
	plan_trials(&schedule, plan, common, 0);
	return schedule;
}

#endif
