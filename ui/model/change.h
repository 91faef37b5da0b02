/*
 * What has changed since the previous run: compares a point with the same point
 * of the last earlier run. Same means equal experiment and parameters. The
 * earlier run is from this session, or else from an earlier session (past.h).
 * As in the verdicts of compare.h, launch medians are compared and 1 % is the
 * threshold. A published run is not compared with earlier sessions.
 */
#ifndef BENCHTOP_CHANGE_H
#define BENCHTOP_CHANGE_H

#include "compare.h"

struct figures;
struct session;

/* Comparison with the earlier run. */
struct rerun_change {
	bool any;       /* an earlier run can be compared */
	char at[32];    /* when the earlier run began; "": in this session */
	double earlier; /* median of the earlier run */
	struct comparison comparison;
	enum verdict verdict;
};

/* Fills figures->change from the launch medians in the figures. */
void change_find(struct figures *, const struct session *);

#endif
