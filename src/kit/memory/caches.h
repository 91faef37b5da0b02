/*
 * The data caches of a processor as the kernel tells of them: /sys/devices/
 * system/cpu/cpuN/cache. A virtual machine is told what its host pleases; what
 * the caches really are is an experiment's question.
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
	struct cache list[CACHES_MAX]; /* the nearest first */
	size_t count;                  /* 0: the kernel does not tell */
};

/* Data and unified caches of a processor. `root` goes before /sys, for tests;
 * "" is this machine. */
void caches_read(struct caches *, const char *root, int cpu);
/* Bytes of all last-level caches of the machine together; 0: unknown. */
uint64_t caches_last_total(const char *root);

/* Which level serves a chain of `nodes` loads `stride_bytes` apart; that and
 * the next one within a quarter of a cache's size, LEVEL_UNKNOWN where no cache
 * is known.
 *
 * Each load takes one line of its own, or shares it where the stride is
 * shorter. Lines that lie a multiple of 2^k apart use one of 2^k sets only,
 * and fill a cache as if it were so much smaller: 12 lines of a stride of 4096
 * fill 48 KiB of 12 ways. */
struct serving caches_serving(const struct caches *, uint64_t nodes,
	uint64_t stride_bytes);
/* Notes what serves the point that the probe measures. */
void serving_note(struct probe *, const struct serving *);
/* The same of a chain, by the caches of the probe's processor. */
void caches_note_serving(struct probe *, uint64_t nodes,
	uint64_t stride_bytes);

/* "8 8 16" as a note, and back: the count, 0 for NULL. */
void caches_write_ways(const struct caches *, struct text *);
size_t caches_read_ways(const char *note, unsigned ways[CACHES_MAX]);

/* So many times the last-level cache and at least `least_bytes`, but at most
 * 1 GiB and a quarter of the available memory. That is looked up once for the
 * life of the process and its workers: the points of a run must not change
 * while it is typed. */
int64_t caches_reach(unsigned times, uint64_t least_bytes);
/* How far a sweep over sizes goes that ends in "auto": four times. */
int64_t caches_reach_bytes(void);

#endif
