/* The parameters of every run. */
#include "common.h"

#include "counter.h"

static const char *const priorities[] = { "normal", "fifo", NULL };
static const char *const keeps[] = { "trials", "figures", NULL };
static const char *const switches[] = { "off", "on", NULL };

#define S  1e9
#define MS 1e6

const struct param common_params[] = {
	{ .name = "cpu",
		.label = "processor",
		.help = "where the measured task runs, alone",
		.preset = "auto",
		WHOLE_FIELD(struct common, cpu),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 1023,
		.automatic = true },
	{ .name = "launches",
		.label = "launches",
		.help = "fresh worker processes; auto continues until the "
			"interval is precise, and does not count launches on a "
			"shared core",
		.preset = "auto",
		WHOLE_FIELD(struct common, launches),
		.unit = UNIT_COUNT,
		.min = LAUNCHES_LEAST,
		.max = LAUNCHES_MOST,
		.automatic = true },
	{ .name = "trials",
		.label = "trials",
		.help = "number per point and launch",
		.preset = "auto",
		WHOLE_FIELD(struct common, trials),
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 100000,
		.automatic = true },
	{ .name = "precision",
		.label = "precision",
		.help = "half-width of the 95 % interval that ends a run",
		.preset = "1%",
		REAL_FIELD(struct common, precision),
		.unit = UNIT_PERCENT,
		.min = .0001,
		.max = 1 },
	{ .name = "budget",
		.label = "budget",
		.help = "wall time of a run, setup included; `show` prints "
			"the budget of an experiment that has its own",
		.preset = "10s",
		WHOLE_FIELD(struct common, budget_ns),
		.unit = UNIT_NS,
		.min = 100 * MS,
		.max = 86400 * S },
	{ .name = "wait-quiet",
		.label = "wait for quiet",
		.help = "longest wait for an unshared core before the run",
		.preset = "0s",
		WHOLE_FIELD(struct common, wait_quiet_ns),
		.unit = UNIT_NS,
		.min = 0,
		.max = 86400 * S },
	{ .name = "seed",
		.label = "seed",
		.help = "seed of layout and order; auto draws and records a "
			"seed",
		.preset = "auto",
		WHOLE_FIELD(struct common, seed),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 9007199254740992.0,
		.automatic = true },
	{ .name = "priority",
		.label = "priority",
		.help = "fifo: real-time priority, in short bursts",
		.preset = "normal",
		CHOICE_FIELD(struct common, priority),
		.choices = priorities },
	{ .name = "capture",
		.label = "capture",
		.help = "packet capture in network experiments",
		.preset = "off",
		CHOICE_FIELD(struct common, capture),
		.choices = switches },
	{ .name = "counters",
		.label = "counters",
		.help = "events per operation of the measured thread, beside "
			"the time; auto: those of the processor, or else of "
			"the kernel; page-faults omits pages that the kernel "
			"makes within a system call (MAP_POPULATE)",
		.preset = "none",
		CHOICE_FIELD(struct common, counters),
		.choices = counter_choices,
		.combines = COUNT_NAMED },
	{ .name = "keep",
		.label = "keep",
		.help = "what the session file keeps: every trial, or figures "
			"and launch medians",
		.preset = "trials",
		CHOICE_FIELD(struct common, keep),
		.choices = keeps },
	{ .name = NULL },
};

void common_values(const struct param_set *set, struct common *common)
{
	param_set_args(set, 0, common);
}
