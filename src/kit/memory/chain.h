/*
 * Chains: an array in which each node holds the address of the next, so that
 * no load can begin before the one before it has ended. Walking one measures
 * the latency of a load.
 *
 * A chain is one cycle through all its nodes, by construction, for any size,
 * stride and order: it conjugates a counter with a bijection (bijection.h).
 * Nodes are written in order of address, which takes about a tenth of a second
 * a gigabyte and leaves no table behind in the caches.
 *
 *     random     one random cycle through everything: each load in a large
 *                array pays for its page as well
 *     local      groups of 2 MiB in random order, each a random path of its
 *                own: pages are few for a while, and the load is what costs
 *     page-local the same with groups of one page; within a page prefetchers
 *                still guess a good part
 *     jitter     ascending, at a random place within each stride
 *     forward, backward   a plain stride
 *
 * Groups after multichase's "TLB locality" (github.com/google/multichase);
 * that locality within few pages, and not the size of a node, is what makes a
 * DRAM load look half as long was measured for this project.
 *
 * A lap walks the chain from 24 entries at once, as many as a core can wait for
 * and more, since one after another the nodes of a gigabyte take seconds; the
 * sections must meet, and the count,
 * the sum and the sum of squares of the addresses must be those of all nodes,
 * each once: the proof that it is one cycle, in every launch.
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
	CHAIN_STRIDE_LEAST = 4, /* bytes: a pointer of four below 4 GiB */
	CHAIN_STRIDE_WIDE = 8,  /* from here on a pointer of eight */
	CHAIN_VARIANTS = 16,    /* of the path within a group */
	CHAIN_ENTRIES = 24,
	CHAIN_LOCAL_BYTES = 2 << 20,
	CHAIN_PAGE_BYTES = 4096,
};

struct chain {
	char *base; /* borrowed: the buffer */
	uint64_t nodes, stride_bytes;
	enum order order;
	bool narrow; /* pointers of four bytes: the stride has no room */
	char *at;    /* the node that the next walk begins with */
	bool pairs;  /* made by chain_build_pairs() */

	/* How it is made. */
	uint64_t key;
	uint64_t group_bytes, groups;
	struct bijection group_order, path[CHAIN_VARIANTS];
	/* What a lap must find, modulo 2^64. */
	uint64_t sum, sum_of_squares;
};

/* How many nodes fit: at least 2, or 0. */
uint64_t chain_nodes(uint64_t size_bytes, uint64_t stride_bytes);

/* Makes a chain of chain_nodes() nodes in base[0 .. size_bytes). A stride
 * below CHAIN_STRIDE_WIDE wants a buffer below 4 GiB. The probe (may be NULL)
 * is kept alive meanwhile. */
void chain_build(struct chain *, char *base, uint64_t size_bytes,
	uint64_t stride_bytes, enum order, uint64_t seed, struct probe *);

/* Makes a chain of `blocks` blocks in random order, two nodes in each: its
 * first bytes, and those `distance_bytes` further. The second load is a hit
 * where both lie in one line. A distance is 8 or more and fits the block. */
void chain_build_pairs(struct chain *, char *base, uint64_t blocks,
	uint64_t block_bytes, uint64_t distance_bytes, uint64_t seed);

/* Walks one lap from all entries at once: warms the caches and proves the
 * cycle. False where it is none. */
bool chain_lap(const struct chain *, struct probe *);
/* How many laps it takes until a cache that is filled by what others evict
 * holds what it can: more of them the smaller the array. */
unsigned chain_laps_to_warm(uint64_t size_bytes);

/* Loads one after another, `turns` times `unroll` of them (100, 10 or 1 in the
 * loop), beginning with the node where the last walk stopped. */
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

#endif
