/*
 * What has changed since the run before: the figures of a point against those
 * of the last earlier run of the same experiment at a point of the same
 * parameters, in the session or, where there is none, in one before it
 * (past.h). Launch medians are compared, and 1 % is a small change, as the
 * verdicts of compare.h have it; a published run has no past.
 */
#ifndef BENCHTOP_CHANGE_H
#define BENCHTOP_CHANGE_H

#include "compare.h"

struct figures;
struct session;

/* What an earlier run of the same says. */
struct change {
	bool any;       /* there is one that can be compared */
	char at[32];    /* when it began; "": in this session */
	double earlier; /* its median */
	struct comparison comparison;
	enum verdict verdict;
};

/* Fills figures->change, from the medians of its launches. */
void change_find(struct figures *, const struct session *);

#endif
