/*
 * How large the caches are, as well as a prediction can know: what
 * mem.hierarchy found in the session and did not call uncertain, else what the
 * kernel says. The note `level` of a point goes by the kernel's sizes.
 */
#ifndef BENCHTOP_CACHE_SIZES_H
#define BENCHTOP_CACHE_SIZES_H

#include <stdbool.h>

#include "results.h"

enum { CACHE_SIZES = 3 };

struct cache_sizes {
	double bytes[CACHE_SIZES]; /* L1d, L2, L3; 0: unknown */
	bool found[CACHE_SIZES];   /* by mem.hierarchy, not the kernel's */
};
/* "L1d", "L2", "L3". */
const char *cache_size_name(int level);

void cache_sizes_of(const struct facts *, struct cache_sizes *);
/* The first that holds so much, or CACHE_SIZES: none that is known. */
int cache_sizes_level(const struct cache_sizes *, double bytes);
/* "by mem.hierarchy, this session", or "by the kernel": who says how large a
 * level is. */
const char *cache_sizes_by(const struct cache_sizes *, int level);
/* Where a point's note `level` names a cache that mem.hierarchy found to be
 * smaller than the point's array, though the kernel says it holds that: a
 * finding `levels` says so. */
void cache_sizes_tell(const struct results *, const struct facts *,
	struct findings *);

#endif
