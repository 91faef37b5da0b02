/*
 * The memory ruler: 64 loads, each waiting for the one before, from random
 * lines of a fixed region of 64 MiB, beside trials that go beyond the caches of
 * a core.
 *
 * A memory channel is shared with machines that no canary of the core sees:
 * latency spreads by 14 to 20 % within minutes on a core of its own. What moves
 * the channel moves the ruler, so that a figure can be compared with it: across
 * sessions and between the visits of `ab`. The region is zeroed memory without
 * a name that the lab makes once a run and every worker maps; the next line
 * follows from a random number and from what was loaded, which is 0.
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

/* The region's descriptor, with all its memory there; -1: none can be had. */
int memory_ruler_make(void);
/* Maps it, and reads each of its pages once; where it cannot be mapped there is
 * no ruler. */
void memory_ruler_map(struct memory_ruler *, int fd, uint64_t seed);
/* Ticks of the loads, gross of the clock's overhead. */
uint64_t memory_ruler_run(struct memory_ruler *, enum tick_source);

#endif
