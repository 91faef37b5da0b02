/*
 * What a run can count beside the time: events of the processor and of the
 * kernel, per operation. The numbers of the events are those of
 * perf_event_open(2); measure/clock/counters.h reads them.
 */
#ifndef BENCHTOP_COUNTER_H
#define BENCHTOP_COUNTER_H

#include <stdint.h>

#include "probe.h"

enum counter {
	/* of the processor */
	COUNTER_INSTRUCTIONS,
	COUNTER_CYCLES,
	COUNTER_CACHE_MISSES, /* of the last cache */
	COUNTER_TLB_MISSES,   /* of loads of data */
	/* of the kernel */
	COUNTER_PAGE_FAULTS,
	COUNTER_SWITCHES,
	COUNTER_MIGRATIONS,
	COUNTERS,
};
enum {
	COUNTERS_ALL = (1 << COUNTERS) - 1,
	COUNTERS_HARDWARE = (1 << COUNTER_PAGE_FAULTS) - 1,
	COUNTERS_SOFTWARE = COUNTERS_ALL & ~COUNTERS_HARDWARE,
	/* Without events of the kernel's own code these are always 0. */
	COUNTERS_IN_KERNEL = 1 << COUNTER_SWITCHES | 1 << COUNTER_MIGRATIONS,
};

/* The counters of a run. */
struct counted {
	uint32_t mask;      /* 1 << enum counter */
	uint32_t user_only; /* 1: the kernel's work is not counted */
};

/* A row per counter, in the order of the enum; ends without a name. The values
 * are counts per operation. */
extern const struct metric counter_metrics[COUNTERS + 1];

/* The choices of counters=: none, auto, and the names of the counters.
 * NULL-terminated. */
enum { COUNT_NONE, COUNT_AUTO, COUNT_NAMED };
extern const char *const counter_choices[COUNT_NAMED + COUNTERS + 1];

#endif
