/*
 * Arenas: the buffers of a worker, kept from one point to the next.
 *
 * Writing to every page of a gigabyte takes half a second. That is acceptable
 * once per launch, but not once per point of a sweep. So a worker keeps one
 * growing buffer for each kind of pages. A point receives a part of it that
 * begins at a random page. Up to 64 MiB the buffer is twice as large as
 * requested, so that each visit draws its physical pages at random. The
 * exceptions are reserved huge pages and insufficient memory.
 *
 * Two points of a run may use the same part one after the other, never at once.
 * The memory is released when the worker ends.
 */
#ifndef BENCHTOP_ARENA_H
#define BENCHTOP_ARENA_H

#include "buffer.h"

struct arena {
	struct buffer buffer;
};

/* Checks that memory for a part of this size is available. Returns 0, or -1
 * after probe_unavailable(). */
int arena_check(struct probe *, uint64_t size_bytes, enum pages);
/* Sets *base to a part of `size_bytes`, aligned to its pages, with every page
 * present. `low`: below 4 GiB. Returns NULL after probe_unavailable(). */
const struct arena *arena_take(struct probe *, uint64_t size_bytes, enum pages,
	bool low, char **base);

#endif
