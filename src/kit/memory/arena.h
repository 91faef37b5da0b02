/*
 * Arenas: the buffers of a worker, kept from one point to the next.
 *
 * Writing to every page of a gigabyte takes half a second, which a sweep can
 * afford once a launch and not once a point. So a worker keeps one buffer for
 * each kind of pages and lets it grow; a point receives a part of it that
 * begins at a random page. Up to 64 MiB the buffer is twice as large as what is
 * asked for (unless its pages are reserved ones, or there is no room), so that
 * which physical pages a point receives is drawn for each visit.
 *
 * Two points of a run may use the same part one after another, never at once.
 * All of it goes with the worker.
 */
#ifndef BENCHTOP_ARENA_H
#define BENCHTOP_ARENA_H

#include "buffer.h"

struct arena {
	struct buffer buffer;
};

/* Is there memory for a part so large? 0, or -1 after probe_unavailable(). */
int arena_check(struct probe *, uint64_t size_bytes, enum pages);
/* A part of `size_bytes` at *base, aligned to its pages, with every page
 * present; NULL after probe_unavailable(). `low`: below 4 GiB. */
const struct arena *arena_take(struct probe *, uint64_t size_bytes, enum pages,
	bool low, char **base);

#endif
