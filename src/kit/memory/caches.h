/*
 * The data caches of a processor as the kernel reports them:
 * /sys/devices/system/cpu/cpuN/cache. In a virtual machine the host chooses
 * these values. Their true sizes are measured by an experiment.
 */
#ifndef BENCHTOP_CACHES_H
#define BENCHTOP_CACHES_H

#include <stddef.h>
#include <stdint.h>

#include "memory_level.h"
#include "text.h"

struct probe;

enum { CACHES_MAX = 4 };

struct cache {
	enum memory_level level;
	uint64_t size_bytes;
	unsigned line_bytes, ways; /* 0: unknown */
};

struct caches {
	struct cache list[CACHES_MAX]; /* nearest to the core first */
	size_t count;                  /* 0: not reported by the kernel */
};

/* Data and unified caches of a processor. `root` is a prefix of /sys, for
 * tests; "" is this machine. */
void caches_read(struct caches *, const char *root, int cpu);
/* Total bytes of all last-level caches of the machine; 0: unknown. */
uint64_t caches_last_total(const char *root);

/*
 * The level that serves a chain of `nodes` loads `stride_bytes` apart. Near the
 * size of a cache (80 % to 125 %) it also names the next level. LEVEL_UNKNOWN
 * if no cache is known.
 *
 * Each load occupies one line, or shares it if the stride is shorter. Lines
 * whose distance is a multiple of 2^k lines use only one of 2^k sets. They fill
 * the cache as if it were smaller by that factor: 12 lines at a stride of 4096
 * fill 48 KiB of 12 ways.
 */
struct serving caches_serving(const struct caches *, uint64_t nodes,
	uint64_t stride_bytes);
/* Adds a note with the level that serves the measured point. */
void serving_note(struct probe *, const struct serving *);
/* The same for a chain, by the caches of the probe's processor. */
void caches_note_serving(struct probe *, uint64_t nodes,
	uint64_t stride_bytes);

/* Formats the ways as a note, "8 8 16", and parses it. Parsing returns the
 * count, 0 for NULL. */
void caches_write_ways(const struct caches *, struct text *);
size_t caches_read_ways(const char *note, unsigned ways[CACHES_MAX]);

/* `times` the size of the last-level caches, at least `least_bytes`, but at
 * most 1 GiB and a quarter of the available memory. The available memory is
 * read once for the process and its workers, so that the points of a run do not
 * change while it is being typed. */
int64_t caches_reach(unsigned times, uint64_t least_bytes);
/* The end of a size sweep for "auto": four times the last-level cache, but at
 * most 256 MiB in an x86 guest. There the kernel reports the cache of the host,
 * which guests share, and larger arrays would use most of a run's budget. */
int64_t caches_reach_bytes(void);

#endif
