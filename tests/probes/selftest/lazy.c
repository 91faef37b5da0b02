/* Is skipped work detected? */
#include "probe.h"

enum { HONEST, LAZY, BESIDE };

static const char *const manners[] = { "honest", "lazy", "beside", NULL };

struct args {
	int manner;
};

static const struct param params[] = {
	{ .name = "manner",
		.label = "manner",
		.help = "lazy does the same work however much is asked; beside "
			"is honest beside a co-runner, but for one trial",
		.preset = "honest",
		CHOICE_FIELD(struct args, manner),
		.choices = manners },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time per step", .unit = UNIT_NS },
	{ .name = NULL },
};

/* The co-runner leaves for the first trial with twice the operations. */
static uint64_t steps_of(int manner, uint64_t ops)
{
	static uint64_t before;
	static bool has_left;
	bool leaves = manner == BESIDE && !has_left && ops == 2 * before;

	before = ops;
	has_left |= leaves;
	if (manner == LAZY)
		return ops > 100 ? 100 : ops;
	return manner == HONEST || leaves ? ops : ops * 8 / 5;
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	uint64_t steps = steps_of(args->manner, ops);

	probe_start(probe);
	for (uint64_t i = 0; i < steps; i++)
		for (uint64_t k = 0; k < 100; k++)
			probe_opaque(k);
	probe_stop(probe, 0, ops);
}

const struct experiment probe_selftest_lazy = {
	.name = "selftest.lazy",
	.title = "Work not done",
	.question = "Is work that is not done found out?",
	.method = "A loop, or less of a loop than was asked for.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.trial = trial,
};
