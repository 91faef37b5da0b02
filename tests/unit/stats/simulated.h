/* A machine that is not there: caches with sets and ways, pages at random
 * places, and the curve of latency that walking a chain of pages would show. */
#ifndef BENCHTOP_SIMULATED_H
#define BENCHTOP_SIMULATED_H

#include "check.h"
#include "random.h"

enum { SIM_LEVELS = 3, SIM_POINTS_MOST = 256 };

enum policy { LRU, RANDOM };

struct sim_cache {
	uint64_t kib;
	unsigned ways;
	enum policy policy;
	double ns;
};

struct simulated {
	const char *name;
	struct sim_cache cache[SIM_LEVELS];
	double memory_ns;
	uint64_t page_bytes, line_bytes;
};

struct sim_curve {
	double sizes[SIM_POINTS_MOST], times[SIM_POINTS_MOST];
	size_t n;
};

/* One level: a stream of lines, each with a physical address, walked round and
 * round; marks those that miss in the steady state. */
void sim_lru(const struct sim_cache *cache, uint64_t line_bytes,
	const uint64_t *lines, size_t n, unsigned char *missed);
void sim_random(const struct sim_cache *cache, uint64_t line_bytes,
	const uint64_t *lines, size_t n, unsigned char *missed,
	uint64_t *random);
/* The curve from 4 KiB to far beyond the last cache, eight sizes an octave,
 * each the median of three draws of pages, with noise of 1 % and a spike in
 * one point of `spiked` (0: none). */
void sim_run(const struct simulated *machine, unsigned spiked, uint64_t seed,
	struct sim_curve *curve);

#endif
