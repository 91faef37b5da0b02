/*
 * The memory ruler: 64 dependent loads from random lines of a fixed region of
 * 64 MiB, beside trials that exceed the caches of a core.
 *
 * A memory channel is shared with tasks that no canary of the core detects.
 * Latency varies by 14 to 20 % within minutes even on an unshared core. Load on
 * the channel affects the ruler in the same way, so figures can be compared
 * with it: across sessions and between the visits of `ab`. The region is zeroed
 * memory without a name. The lab creates it once per run, and every worker maps
 * it. The next line is computed from a random number and the loaded value,
 * which is 0.
 */
#ifndef BENCHTOP_MEMORY_RULER_H
#define BENCHTOP_MEMORY_RULER_H

#include "tick.h"

enum {
	MEMORY_RULER_BYTES = 64 << 20,
	MEMORY_RULER_LOADS = 64,
	MEMORY_RULER_EVERY_NS = 100 * 1000,
};

struct memory_ruler {
	const char *base; /* NULL: none */
	uint64_t random;
};

/* Returns the region's descriptor, with all its memory allocated; -1: failed,
 * or too little memory is available. */
int memory_ruler_make(void);
/* Maps the region and reads each of its pages once. If it cannot be mapped,
 * there is no ruler. */
void memory_ruler_map(struct memory_ruler *, int fd, uint64_t seed);
/* Ticks of the loads, including the clock's overhead. */
uint64_t memory_ruler_run(struct memory_ruler *, enum tick_source);

#endif
