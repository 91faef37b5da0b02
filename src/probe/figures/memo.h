/*
 * What was computed of a run's trials once, kept beside them.
 *
 * Figures are computed from the trials whenever they are asked for, and of a
 * million of them each takes a tenth of a second. So a run that goes on keeps
 * the medians of its launches that have ended, whose trials and flags stay as
 * they are; and one that is over the digests of its headline as well. Nobody
 * asks for them here: digest_of() and results_launch_figures() do, for the
 * first metric in its unit, and compute the rest as ever. Where trials are
 * still changed, as in a test, nothing must be kept.
 */
#ifndef BENCHTOP_MEMO_H
#define BENCHTOP_MEMO_H

#include "regime.h"

struct parcel;

/* Begins to keep the figures of launches. */
void memo_begin(struct results *);
/* Keeps nothing any more: the clock's rate has changed. */
void memo_drop(struct results *);
/* Forgets what is kept, and goes on keeping: flags have changed. */
void memo_forget(struct results *);
/* The run is over: computes and keeps all that can be kept. */
void memo_fill(struct results *);
/* What was kept as bytes, for the process that this one was forked from. */
void memo_pack(const struct results *, struct text *);
/* Takes such bytes over; false where they are no such: nothing is kept. */
bool memo_unpack(struct results *, struct parcel *);

/* For the figures alone. False: it is not kept. */
bool memo_digest(const struct results *, const struct point *, unsigned metric,
	struct digest *);
/* The figures of launches that are kept, keeping those of launches that have
 * ended since: how many; room for one per visit. *visit is where what is not
 * kept begins. */
size_t memo_launches(const struct results *, const struct point *,
	unsigned metric, enum scale scale, struct launch_figures *,
	size_t *visit);

#endif
