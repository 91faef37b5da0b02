/* Plans of equal points. */
#include "planned.h"

struct schedule plan_alike(struct sizing *sizing, size_t points,
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
