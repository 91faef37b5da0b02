/*
 * Cache sizes for predictions: those that a run of the session found with
 * certainty, else those of the kernel, else usual ones; and the time of a load
 * by them. The note `level` of a point uses the kernel's sizes.
 */
#ifndef BENCHTOP_CACHE_SIZES_H
#define BENCHTOP_CACHE_SIZES_H

#include <stdbool.h>

#include "results.h"

enum { CACHE_SIZES = 3 };

struct cache_sizes {
	double bytes[CACHE_SIZES]; /* L1d, L2, L3; 0: none is reported */
	/* The experiment that found the size; NULL: the kernel's size. */
	const char *found[CACHE_SIZES];
	/* The kernel reports no cache, as in some virtual machines: sizes that
	 * were not found are the usual ones. */
	bool assumed;
};
/* "L1d", "L2", "L3". */
const char *cache_size_name(int level);

void cache_sizes_of(const struct facts *, struct cache_sizes *);
/* The smallest cache that holds `bytes`, or CACHE_SIZES if no known cache
 * does. */
int cache_sizes_level(const struct cache_sizes *, double bytes);
/* The usual time of a load from an array, without page walks. The kernel of a
 * guest reports the L3 of the host, of which other guests use a part: beyond a
 * usual L3, memory may serve the load. */
struct cache_load {
	struct range ns;
	const char *from; /* "L1d", "L2", "L3", "L3 or memory", "memory" */
	int level;        /* CACHE_SIZES: memory */
};
struct cache_load cache_sizes_load(const struct facts *,
	const struct cache_sizes *, double bytes);
/* Adds the origin of a level's size, of the last level's for memory: "by
 * EXPERIMENT, this session", "by the kernel", or "assumed, the kernel reports
 * none". */
void cache_sizes_say(const struct cache_sizes *, int level, struct text *);
/* Adds a finding `levels` if the note `level` of some points is misleading: it
 * names a cache by the kernel's size, but the measured size is smaller than the
 * array. */
void cache_sizes_tell(const struct results *, const struct facts *,
	struct findings *);

#endif
