/*
 * Earlier results of this machine: an index of headlines beside the autosaved
 * sessions, with a line of JSON for each point of a run, the latest last. The
 * screen compares a result with them if its own session has no earlier run;
 * loading old sessions would delay keys.
 *
 * The file is benchtop/past.jsonl in $XDG_STATE_HOME, readable by its owner
 * only. Beyond 2 MiB its older half is removed. It contains nothing that the
 * sessions do not contain, so removing it loses no figure. Invalid lines are
 * skipped.
 */
#ifndef BENCHTOP_PAST_H
#define BENCHTOP_PAST_H

#include "digest.h"
#include "session.h"

enum { PAST_LAUNCHES = 64 };

/* A point in an earlier run. */
struct past {
	char at[32];                    /* when that run began */
	double median;                  /* headline, in the metric's unit */
	enum quality quality;           /* lines before 1.1: not enough */
	double launches[PAST_LAUNCHES]; /* medians of the launches */
	size_t launch_count;
};

/* Adds the points of a run that has ended. Write errors are ignored. */
void past_add(const struct session *, const struct results *);
/* Finds earlier runs with point `p` of `results`, on the machine of the
 * session, the latest first. Returns their number, at most `most`. Reads at
 * most 2 MiB, and only as much as necessary. */
size_t past_find(const struct session *, const struct results *results,
	size_t p, struct past *, size_t most);

#endif
