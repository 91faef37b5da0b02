/*
 * Which trials had an unshared core and which a shared one, decided by the
 * canaries beside them (canary.h).
 *
 * x = ln(throughput half / latency half) of all canaries of a run has two modes
 * if a task on the SMT sibling came and went. The cut between them is the
 * valley of their density (valley.h), if the lower mode is that of an unshared
 * core: its centre is at most SHARING_STEP times the value of the calibration
 * (clock_facts.canary_alone). The cut is at most SHARING_STEP times that
 * centre. Without a valley, the canaries within a step of the calibrated value
 * are used if they are at least half of all; the cut is then SHARING_STEP times
 * their centre. Otherwise the run has never observed an unshared core, and the
 * cut is SHARING_STEP times the calibrated value.
 *
 * A trial is between two canaries. If both are below the cut, the core was
 * unshared. If both are above, the trial has FLAG_SHARED. One of each, or no
 * readable canary, gives FLAG_MIXED. If the core was unshared and a canary's
 * latency half differs from the usual one by more than 2 %, the trial has
 * FLAG_FREQUENCY.
 *
 * The usual latency half is that of the same point in the same launch. Wide
 * vectors and more busy cores slow a core down by ten percent and more, and
 * hosts change all cores by some percent from one second to the next. It is the
 * median of the canaries that were alone. Without any, it is the 5th percentile
 * of all, or the value expected by the calibration if that is less, because a
 * sibling can only lengthen them. For a file with only one half of each canary
 * it is the median of all.
 */
#ifndef BENCHTOP_SHARING_H
#define BENCHTOP_SHARING_H

#include "results.h"

/* Between an unshared and a shared core the ratio grows by at least a third;
 * within either mode it scatters by some percent. */
#define SHARING_STEP 1.25

/* Throughput half over latency half, without the clock's overhead in ticks. */
double canary_ratio(const struct canary *, double overhead);
/* The same for canary `i` of a visit. */
double visit_canary_ratio(const struct results *, const struct point *,
	const struct visit *, size_t i);

enum canary_state {
	CANARY_UNREADABLE, /* interrupted in one of its halves */
	CANARY_ALONE,
	CANARY_SHARED,
};
enum canary_state canary_state(const struct results *, double ratio);

/* Finds the cut from all canaries so far, and sets the flags of the trials: of
 * launch `launch` (its index), and of earlier launches if the moved cut changes
 * the state of a canary. Then cached figures are discarded. */
void sharing_judge(struct results *, unsigned launch);

/* Judges all launches again, from the canaries alone; both halves must be
 * known. It proves that the flags follow from the canaries. */
void sharing_rejudge(struct results *);
/* True if the canaries have only one half, as in sessions before version
 * 1.3. */
bool sharing_is_lacking(const struct results *);
/* Fraction of the readable canaries that were beside a co-runner, 0 .. 1. */
double sharing_share(const struct results *);
/* Computes the usual latency half of the visits of results read from a file. */
void sharing_recall(struct results *);

#endif
