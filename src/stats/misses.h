/*
 * How many loads of a chain miss a cache that is too small for it.
 *
 * A chain of random pages is walked round and round; `u` is its size over the
 * cache's, W the cache's ways. Where a page may lie in any set, the lines of a
 * set are Poisson with mean W u, so a cache begins to miss long before it is
 * full, and holds a part of what is larger than it.
 *
 *     sharp   the lines lie evenly (a way no larger than a page, or huge
 *             pages): all hit up to u = 1, all miss beyond
 *     lru     a set with more lines than ways misses all of them, since each
 *             is evicted just before it is needed
 *     even    as sharp, but evicting at random: r of the next, for j / W = u
 *     random  a line of j in a set survives a lap, in which r j others miss,
 *             with probability (1 - 1/W)^(r j), about exp(-r j / W); r solves
 *             1 - r = exp(-r j / W)
 *
 * Real replacement lies between lru and random. Compare Yotov, Pingali and
 * Stodghill, "Automatic measurement of memory hierarchy parameters",
 * SIGMETRICS 2005, who avoid the question by huge pages.
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

/* Share of the loads that miss, 0 .. 1, for u > 0 and 1 <= ways <= 64. */
double misses_share(enum misses_law, double u, unsigned ways);
/* The u at which half of the loads miss. */
double misses_half(enum misses_law, unsigned ways);

#endif
