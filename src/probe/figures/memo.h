/*
 * A cache of a run's figures.
 *
 * Each figure of a million trials takes a tenth of a second to compute. So an
 * active run keeps the medians of launches that have ended, because their
 * trials and flags no longer change. A run that is over also keeps its digests.
 * digest_of() and results_launch_figures() fill and read the cache, for any
 * metric. Code that changes flags calls memo_forget(), code that
 * changes the clock's rate memo_drop(). Do not use the cache while trials still
 * change in another way, as in a test.
 *
 * The figures of a file without trials have the same form. They are in the
 * series, are found whether figures are cached or not, and stay.
 */
#ifndef BENCHTOP_MEMO_H
#define BENCHTOP_MEMO_H

#include "digest.h"
#include "regime.h"

struct parcel;

/* The launches that have ended, in one scale. */
struct memo_list {
	size_t visits; /* number of visits whose launches are listed */
	size_t count;
	struct launch_figures *list; /* owned */
};

/* Cached figures of a metric at a point. */
struct memo_point {
	bool digested;
	struct digest digest;
	struct memo_list in[SCALES];
};

/* The cache for these figures, or the stored figures; NULL: not cached. */
struct memo_point *memo_of(const struct results *, const struct point *,
	unsigned metric);
void memo_point_free(struct memo_point *);
/* Starts caching. */
void memo_begin(struct results *);
/* Stops caching and discards the cache, because the clock's rate has
 * changed. */
void memo_drop(struct results *);
/* Discards the cache, because flags have changed; caching continues if it was
 * started. */
void memo_forget(struct results *);
/* Adds the cache as bytes, for the process from which this one was forked. */
void memo_pack(const struct results *, struct text *);
/* Replaces the cache by such bytes. Returns false, with an empty cache, if they
 * are invalid. */
bool memo_unpack(struct results *, struct parcel *);

#endif
