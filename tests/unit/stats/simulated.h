/* A simulated machine: caches with sets and ways, pages at random places, and
 * the latency curve of walking a chain of pages. */
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

/* One level: a stream of lines with physical addresses, traversed cyclically.
 * Marks the lines that miss in the steady state. */
void sim_lru(const struct sim_cache *cache, uint64_t line_bytes,
	const uint32_t *lines, size_t n, unsigned char *missed);
void sim_random(const struct sim_cache *cache, uint64_t line_bytes,
	const uint32_t *lines, size_t n, unsigned char *missed,
	uint64_t *random);
/* The curve from 4 KiB to far beyond the last cache, eight sizes per octave.
 * Each time is the median of three random page layouts, with noise of 1 %, and
 * a spike in one of `spiked` points (0: none). */
void sim_run(const struct simulated *machine, unsigned spiked, uint64_t seed,
	struct sim_curve *curve);

#endif
