/* The names of the counters. */
#include "counter.h"

/* A steady count does not depend on co-runners. */
#define ROW(is, called, words, fixed) \
	[is] = { .name = (called), \
		.label = (words), \
		.unit = UNIT_NONE, \
		.better = NEITHER_IS_BETTER, \
		.kind = METRIC_VALUE, \
		.steady = (fixed) }

const struct metric counter_metrics[COUNTERS + 1] = {
	ROW(COUNTER_INSTRUCTIONS, "instructions", "instructions", true),
	ROW(COUNTER_CYCLES, "cycles", "counted cycles", false),
	ROW(COUNTER_CACHE_MISSES, "cache-misses", "cache misses", false),
	ROW(COUNTER_TLB_MISSES, "tlb-misses", "TLB misses", false),
	ROW(COUNTER_PAGE_FAULTS, "page-faults", "page faults", true),
	ROW(COUNTER_SWITCHES, "context-switches", "context switches", true),
	ROW(COUNTER_MIGRATIONS, "migrations", "migrations", true),
	[COUNTERS] = { .name = NULL },
};

const char *const counter_choices[COUNT_NAMED + COUNTERS + 1] = {
	[COUNT_NONE] = "none",
	[COUNT_AUTO] = "auto",
	[COUNT_NAMED + COUNTER_INSTRUCTIONS] = "instructions",
	[COUNT_NAMED + COUNTER_CYCLES] = "cycles",
	[COUNT_NAMED + COUNTER_CACHE_MISSES] = "cache-misses",
	[COUNT_NAMED + COUNTER_TLB_MISSES] = "tlb-misses",
	[COUNT_NAMED + COUNTER_PAGE_FAULTS] = "page-faults",
	[COUNT_NAMED + COUNTER_SWITCHES] = "context-switches",
	[COUNT_NAMED + COUNTER_MIGRATIONS] = "migrations",
	NULL,
};
