/*
 * Figures of a run that were computed once, kept beside its trials.
 *
 * Of a million trials each figure takes a tenth of a second. So a run in
 * progress keeps the medians of its launches that have ended, whose trials and
 * flags do not change any more; a run that is over keeps the digests of its
 * headline as well. digest_of() and results_launch_figures() fill and read
 * this, for the first metric in its unit. Nothing may be kept where trials
 * still change, as in a test.
 */
#ifndef BENCHTOP_MEMO_H
#define BENCHTOP_MEMO_H

#include "regime.h"

struct parcel;

/* Of the first metric at one point. */
struct memo_point {
	bool digested;
	struct digest digest;
	size_t visits; /* whose launches are listed */
	size_t count;
	struct launch_figures *list; /* owned */
};

/* NULL: nothing is kept of these figures. */
struct memo_point *memo_of(const struct results *, const struct point *,
	unsigned metric);
/* Begins to keep the figures of launches. */
void memo_begin(struct results *);
/* Ends that: the clock's rate has changed. */
void memo_drop(struct results *);
/* Begins again, if it had begun: flags have changed. */
void memo_forget(struct results *);
/* What was kept as bytes, for the process that this one was forked from. */
void memo_pack(const struct results *, struct text *);
/* Takes such bytes over; false where they are no such: nothing is kept. */
bool memo_unpack(struct results *, struct parcel *);

#endif
