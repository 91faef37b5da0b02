/* What if a worker's set-up takes long? For the tests of the engine. */
#include <stdlib.h>
#include <time.h>

#include "probe.h"

enum { SLEEP, TELL, TOUCH };

static const char *const manners[] = { "sleep", "tell", "touch", NULL };

struct args {
	int manner;
	int64_t pilot_ns, later_ns;
};

static const struct param params[] = {
	{ .name = "manner",
		.label = "manner",
		.help = "what is done meanwhile: nothing, signs of life, or "
			"first touches of pages",
		.preset = "sleep",
		CHOICE_FIELD(struct args, manner),
		.choices = manners },
	{ .name = "pilot",
		.label = "in the pilot",
		.help = "how long a set-up takes there",
		.preset = "0s",
		WHOLE_FIELD(struct args, pilot_ns),
		.unit = UNIT_NS,
		.min = 0,
		.max = 60e9 },
	{ .name = "later",
		.label = "in launches",
		.help = "how long a set-up takes there",
		.preset = "0s",
		WHOLE_FIELD(struct args, later_ns),
		.unit = UNIT_NS,
		.min = 0,
		.max = 60e9 },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time per nothing", .unit = UNIT_NS },
	{ .name = NULL },
};

static int setup(struct probe *probe)
{
	enum { PAGE_BYTES = 4096, STEP_NS = 50 * 1000 * 1000 };
	static char pages[2048 * PAGE_BYTES];
	static size_t touched;
	const struct timespec step = { 0, STEP_NS };
	const struct args *args = probe->args;
	int64_t takes_ns = probe->launch ? args->later_ns : args->pilot_ns;
	uint64_t begin_ns = tick_raw_ns();

	while ((int64_t)(tick_raw_ns() - begin_ns) < takes_ns) {
		nanosleep(&step, NULL);
		if (args->manner == TELL)
			probe_alive(probe);
		if (args->manner == TOUCH)
			*(volatile char *)&pages[touched++ % 2048 *
				PAGE_BYTES] = 1;
	}
	return 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		probe_opaque(i);
	probe_stop(probe, 0, ops);
}

const struct experiment probe_selftest_slow = {
	.name = "selftest.slow",
	.title = "Dear launches",
	.question = "What if a worker takes long to prepare?",
	.method = "Waits in its set-up, with or without signs of life.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	/* The pages must not be resident before they are touched. */
	.traits = TRAIT_FAULTS,
	.setup = setup,
	.trial = trial,
};
