/*
 * Cache sizes for predictions: those that a run of the session has found and
 * does not call uncertain, else the kernel's. The note `level` of a point goes
 * by the kernel's sizes.
 */
#ifndef BENCHTOP_CACHE_SIZES_H
#define BENCHTOP_CACHE_SIZES_H

#include <stdbool.h>

#include "results.h"

enum { CACHE_SIZES = 3 };

struct cache_sizes {
	double bytes[CACHE_SIZES]; /* L1d, L2, L3; 0: unknown */
	/* The experiment that found it; NULL: the size is the kernel's. */
	const char *found[CACHE_SIZES];
};
/* "L1d", "L2", "L3". */
const char *cache_size_name(int level);

void cache_sizes_of(const struct facts *, struct cache_sizes *);
/* The first that holds so much, or CACHE_SIZES: none that is known. */
int cache_sizes_level(const struct cache_sizes *, double bytes);
/* "by EXPERIMENT, this session", or "by the kernel": where the size of a level
 * is from. */
void cache_sizes_say(const struct cache_sizes *, int level, struct text *);
/* Where a point's note `level` names a cache that was found to be
 * smaller than the point's array, though the kernel says it holds that: a
 * finding `levels` says so. */
void cache_sizes_tell(const struct results *, const struct facts *,
	struct findings *);

#endif
