/* Does a chain of additions take one cycle per link? */
#include "addition.h"
#include "probe.h"

enum { NONE, TEN, HUNDRED, THOUSAND };

static const char *const lengths[] = { "0", "10", "100", "1000", NULL };

struct args {
	int links;
};

static const struct param params[] = {
	{ .name = "links",
		.label = "links",
		.help = "dependent additions in an operation",
		.preset = "100",
		CHOICE_FIELD(struct args, links),
		.choices = lengths },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time per chain", .unit = UNIT_NS },
	{ .name = NULL },
};

#define CHAIN(count) \
	__asm__ volatile(".rept " count "\n\t" ADD ".endr" \
			 : "+r"(sum) \
			 : "r"(step) \
			 : "cc")

static void trial(struct probe *probe, uint64_t ops)
{
	const struct args *args = probe->args;
	uint64_t sum = 1, step = 3;

	(void)ops;
	switch (args->links) {
	case NONE:
		probe_start(probe);
		probe_stop(probe, 0, 1);
		break;
	case TEN:
		probe_start(probe);
		CHAIN("10");
		probe_stop(probe, 0, 1);
		break;
	case HUNDRED:
		probe_start(probe);
		CHAIN("100");
		probe_stop(probe, 0, 1);
		break;
	default:
		probe_start(probe);
		CHAIN("1000");
		probe_stop(probe, 0, 1);
		break;
	}
}

const struct experiment probe_selftest_adds = {
	.name = "selftest.adds",
	.title = "Known work",
	.question = "Does a chain of additions take a cycle a link?",
	.method = "One chain of additions in registers is a trial; 0 links are "
		  "an empty operation.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.plan = { .ops = 1, .trials = 500 },
	.trial = trial,
};
