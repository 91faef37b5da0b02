/*
 * Chains: an array in which each node holds the address of the next, so that no
 * load can begin before the previous load has ended. Walking a chain measures
 * the latency of a load.
 *
 * By construction, a chain is one cycle through all its nodes, for any size,
 * stride and order: it conjugates a counter with a bijection (bijection.h).
 * Nodes are written in order of address. That takes about a tenth of a second
 * per gigabyte and leaves no table behind in the caches.
 *
 *     random     one random cycle through all nodes: in a large array each
 *                load includes a page walk as well
 *     local      groups of 2 MiB in random order, each with a random path:
 *                few pages are in use at a time, so the load dominates
 *     page-local the same with groups of one page; within a page,
 *                prefetchers still guess a considerable part
 *     jitter     ascending, at a random place within each stride
 *     forward, backward   a constant stride
 *
 * Groups follow the "TLB locality" of multichase
 * (github.com/google/multichase). Measurements for this project showed that
 * locality within few pages, not the size of a node, makes a DRAM load appear
 * half as long.
 *
 * A lap walks the chain from 24 entries at once, which is at least as many
 * loads as a core can have in flight; one after the other, the nodes of a
 * gigabyte take seconds. The 24 entries begin adjacent sections, each a small
 * part of the lap, so that the lap touches the nodes nearly in their order. The
 * walk that follows then finds in the caches what it would find after many
 * laps of its own. With sections of a 24th of the lap, the nodes at the end of
 * each section would have been touched last, and an array somewhat larger than
 * a cache would seem to fit it in part.
 *
 * The lap proves in every launch that the chain is one cycle through each node
 * once: the sections must meet, and the count, the sum and the sum of squares
 * of the addresses must be those of all nodes.
 */
#ifndef BENCHTOP_CHAIN_H
#define BENCHTOP_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "bijection.h"

struct probe;

enum order {
	ORDER_LOCAL,
	ORDER_RANDOM,
	ORDER_PAGE_LOCAL,
	ORDER_JITTER,
	ORDER_FORWARD,
	ORDER_BACKWARD,
	ORDERS,
};
/* "local", "random", .., NULL: the choices of a parameter `order`. */
extern const char *const order_choices[ORDERS + 1];

enum {
	CHAIN_STRIDE_LEAST = 4, /* bytes: a 4-byte pointer, below 4 GiB */
	CHAIN_STRIDE_WIDE = 8,  /* from here on an 8-byte pointer */
	CHAIN_VARIANTS = 16,    /* of the path within a group */
	CHAIN_ENTRIES = 24,
	CHAIN_LOCAL_BYTES = 2 << 20,
	/* The most that a page walk within such a group adds to a load. */
	CHAIN_LOCAL_WALK_CYCLES = 8,
	CHAIN_PAGE_BYTES = 4096,
};

struct chain {
	char *base; /* borrowed: the buffer */
	uint64_t nodes, stride_bytes;
	enum order order;
	bool narrow; /* 4-byte pointers, because the stride is small */
	char *at;    /* the node at which the next walk begins */
	bool pairs;  /* made by chain_build_pairs() */

	/* Construction. */
	uint64_t key;
	uint64_t group_bytes, groups;
	struct bijection group_order, path[CHAIN_VARIANTS];
	/* Expected result of a lap, modulo 2^64. */
	uint64_t sum, sum_of_squares;
};

/* The number of nodes that fit: at least 2, or 0. */
uint64_t chain_nodes(uint64_t size_bytes, uint64_t stride_bytes);

/* Builds a chain of chain_nodes() nodes in base[0 .. size_bytes). A stride
 * below CHAIN_STRIDE_WIDE needs a buffer below 4 GiB. Calls probe_alive()
 * meanwhile (the probe may be NULL). */
void chain_build(struct chain *, char *base, uint64_t size_bytes,
	uint64_t stride_bytes, enum order, uint64_t seed, struct probe *);

/* Builds a chain of `blocks` blocks in random order with two nodes in each: at
 * the beginning, and `distance_bytes` further. The second load is a hit if both
 * nodes are in one line. The distance is at least 8 and fits in the block. */
void chain_build_pairs(struct chain *, char *base, uint64_t blocks,
	uint64_t block_bytes, uint64_t distance_bytes, uint64_t seed);

/* Walks one lap from all entries at once, which warms the caches and proves the
 * cycle. Returns false if the chain is not one cycle. */
bool chain_lap(const struct chain *, struct probe *);
/* Number of laps until a victim cache, filled by evictions from another cache,
 * holds all it can: more for a smaller array. */
unsigned chain_laps_to_warm(uint64_t size_bytes);
/* Makes that many laps for an array of `size_bytes`, of which this chain may be
 * a part. A large chain is then walked until loads take their steady time.
 * Returns false if the chain is not one cycle. */
bool chain_warm(struct chain *, uint64_t size_bytes, struct probe *);

/* Dependent loads: `turns` times `unroll` of them (100, 10 or 1 in the loop).
 * Begins with the node at which the last walk stopped. */
enum unroll { UNROLL_100, UNROLL_10, UNROLL_1, UNROLLS };
extern const char *const unroll_choices[UNROLLS + 1];
extern const unsigned unroll_loads[UNROLLS];

typedef char *chain_walker(char *at, uint64_t turns);
extern chain_walker *const chain_walkers[2][UNROLLS]; /* [narrow][unroll] */

static inline void chain_walk(struct chain *chain, enum unroll unroll,
	uint64_t turns)
{
	chain->at = chain_walkers[chain->narrow][unroll](chain->at, turns);
}

/* Several walks at once in a chain of 8-byte pointers: `turns` times
 * CHAIN_ROUND loads of each. A load waits for the previous one of its own walk
 * only. */
enum { CHAIN_WALKS_MOST = 12, CHAIN_ROUND = 16 };
/* The nodes at which `count` walks begin: as far apart as possible. */
void chain_divide(const struct chain *, unsigned count,
	char *at[CHAIN_WALKS_MOST]);
/* Begins at the nodes at[0 .. count), and leaves the next ones there. */
void chain_walk_together(char *at[CHAIN_WALKS_MOST], unsigned count,
	uint64_t turns);

#endif
