/* Is longer work measured as slower? */
#include "addition.h"
#include "probe.h"

struct args {
	int64_t links;
};

static const struct param params[] = {
	{ .name = "links",
		.label = "links",
		.help = "dependent additions in an operation, in steps of 10",
		.preset = "1000",
		WHOLE_FIELD(struct args, links),
		.unit = UNIT_COUNT,
		.min = 10,
		.max = 100000 },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time per chain", .unit = UNIT_NS },
	{ .name = NULL },
};

/* Ten links per iteration: the loop counter is updated in parallel with the
 * chain. */
static void chain(uint64_t turns)
{
	uint64_t sum = 1, step = 3;

	for (; turns; turns--)
		__asm__ volatile(".rept 10\n\t" ADD ".endr"
				 : "+r"(sum)
				 : "r"(step)
				 : "cc");
}

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	uint64_t turns = (uint64_t)args->links / 10;

	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		chain(turns);
	probe_stop(probe, 0, ops);
}

const struct experiment probe_selftest_padded = {
	.name = "selftest.padded",
	.title = "Padded work",
	.question = "Is work that was made longer found to be slower?",
	.method = "A chain of additions of any length.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.trial = trial,
	.traits = TRAIT_PAIRS,
};
