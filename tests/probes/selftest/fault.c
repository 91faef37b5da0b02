/* What if a worker dies, hangs or fails? For the tests of the engine. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "probe.h"

enum how {
	SEGV,
	ABORT,
	HANG,
	EXIT,
	KILL,
	FAIL,
	UNAVAILABLE,
	INVALID,
	OFTEN_INVALID,
	NOTHING
};
enum phase { SETUP, WARMUP, TRIALS, CLEANUP };

static const char *const hows[] = { "segv", "abort", "hang", "exit", "kill",
	"fail", "unavailable", "invalid", "often-invalid", "nothing", NULL };
static const char *const phases[] = { "setup", "warmup", "trials", "cleanup",
	NULL };

struct args {
	int how, phase;
	int64_t launch; /* launch in which the fault happens; 0: the pilot */
};

static const struct param params[] = {
	{ .name = "how",
		.label = "fault",
		.help = "what happens",
		.preset = "nothing",
		CHOICE_FIELD(struct args, how),
		.choices = hows },
	{ .name = "phase",
		.label = "phase",
		.help = "when it happens",
		.preset = "trials",
		CHOICE_FIELD(struct args, phase),
		.choices = phases },
	{ .name = "launch",
		.label = "launch",
		.help = "in which launch it happens",
		.preset = "0",
		WHOLE_FIELD(struct args, launch),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 30 },
	{ .name = NULL },
};

static const struct metric metrics[] = {
	{ .name = "time", .label = "time per nothing", .unit = UNIT_NS },
	{ .name = NULL },
};

static void misbehave(struct probe *probe, int how)
{
	uintptr_t address = 16;

	switch (how) {
	case SEGV:
		probe_opaque(address);
		*(volatile int *)address = 1;
		break;
	case ABORT:
		abort();
	case HANG:
		for (;;)
			pause();
	case EXIT:
		_exit(7);
	case KILL:
		raise(SIGKILL);
		break;
	case FAIL:
		probe_fail(probe, "failed because it was told to");
		break;
	case UNAVAILABLE:
		probe_unavailable(probe, "unavailable because it was told to");
		break;
	case INVALID:
	case OFTEN_INVALID:
		probe_invalid(probe, "invalid because it was told to");
		break;
	default:
		break;
	}
}

static unsigned trials_done;

static bool in_launch(const struct args *args, unsigned launch)
{
	return args->how == OFTEN_INVALID ? launch >= (unsigned)args->launch :
					    launch == (unsigned)args->launch;
}

static void maybe(struct probe *probe, int phase)
{
	const struct args *args = probe->args;

	if (args->phase != phase || !in_launch(args, probe->launch))
		return;
	/* The fault happens in the middle of the trials, so that samples exist
	 * before it. */
	if (phase == TRIALS && trials_done++ < 10)
		return;
	misbehave(probe, args->how);
}

static int setup(struct probe *probe)
{
	trials_done = 0;
	maybe(probe, SETUP);
	return probe->outcome ? -1 : 0;
}

static void trial(struct probe *probe, uint64_t ops)
{
	maybe(probe, probe->quiet ? WARMUP : TRIALS);
	probe_start(probe);
	for (uint64_t i = 0; i < ops; i++)
		probe_opaque(i);
	probe_stop(probe, 0, ops);
}

static void cleanup(struct probe *probe)
{
	maybe(probe, CLEANUP);
}

const struct experiment probe_selftest_fault = {
	.name = "selftest.fault",
	.title = "Faults on demand",
	.question = "What if a worker dies, hangs or fails?",
	.method = "Misbehaves in the phase and launch it is told to.",
	.params = params,
	.args_size = sizeof(struct args),
	.metrics = metrics,
	.setup = setup,
	.trial = trial,
	.cleanup = cleanup,
};
