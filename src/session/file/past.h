/*
 * What was measured on this machine before: beside the autosaved sessions an
 * index of their headlines, a line of JSON for each point of a run, the latest
 * last. It is what the screen holds a result against where its own session has
 * no earlier run: loading old sessions would keep keys waiting.
 *
 * The file is benchtop/past.jsonl of $XDG_STATE_HOME, for its owner only; past
 * 2 MiB its older half goes. It holds nothing that the sessions do not, and
 * whoever removes it loses no figure. Lines that make no sense are passed over.
 */
#ifndef BENCHTOP_PAST_H
#define BENCHTOP_PAST_H

#include "session.h"

enum { PAST_LAUNCHES = 64 };

/* A point as an earlier run found it. */
struct past {
	char at[32];                    /* when it began */
	double median;                  /* the headline, in its metric's unit */
	double launches[PAST_LAUNCHES]; /* their medians */
	size_t launch_count;
};

/* Adds the points of a run that has ended; what cannot be written is not
 * kept. */
void past_add(const struct session *, const struct results *);
/* The runs before `results` that had the point `p` of it, on the machine of the
 * session, the latest first; returns how many, at most `most`. Reads at most
 * 2 MiB and stops as soon as it has them. */
size_t past_find(const struct session *, const struct results *results,
	size_t p, struct past *, size_t most);

#endif
