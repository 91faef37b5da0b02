/*
 * The share of the loads of a chain that miss in a cache smaller than the
 * chain.
 *
 * A chain of random pages is traversed cyclically; `u` is its size divided by
 * the cache's size, W the number of ways. If a page may be in any set, the
 * number of lines per set is Poisson distributed with mean W u. So a cache
 * begins to miss long before it is full, and holds a part of a chain larger
 * than the cache.
 *
 *     sharp   the lines are distributed evenly (a way no larger than a page,
 *             or huge pages): all hit up to u = 1, all miss beyond
 *     lru     a set with more lines than ways misses all of them, because
 *             each line is evicted just before it is needed
 *     even    lines distributed as for sharp, with random eviction: r of the
 *             next law, for j / W = u
 *     random  a line of the j in a set survives a lap, in which r j others
 *             miss, with probability (1 - 1/W)^(r j), about exp(-r j / W);
 *             r solves 1 - r = exp(-r j / W)
 *
 * Real replacement is between lru and random. Compare Yotov, Pingali and
 * Stodghill, "Automatic measurement of memory hierarchy parameters", SIGMETRICS
 * 2005, who avoid the problem with huge pages.
 */
#ifndef BENCHTOP_MISSES_H
#define BENCHTOP_MISSES_H

enum misses_law {
	MISSES_SHARP,
	MISSES_EVEN,
	MISSES_LRU,
	MISSES_RANDOM,
	MISSES_LAWS,
};

enum { MISSES_WAYS_MOST = 64, MISSES_LINES_MOST = 1024 };

/* A law for one number of ways, 1 .. MISSES_WAYS_MOST; others are limited to
 * that range. */
struct misses {
	enum misses_law law;
	double ways;
	/* Of the lines in a set, by their number: the share that misses. */
	double of_set[MISSES_LINES_MOST];
};

struct misses misses_of(enum misses_law, unsigned ways);
/* Share of the loads that miss, 0 .. 1, for u > 0. */
double misses_share(const struct misses *, double u);
/* The u at which half of the loads miss. */
double misses_half(const struct misses *);

#endif
