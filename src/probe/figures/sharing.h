/*
 * Which trials had an unshared core and which a shared one, decided by the
 * canaries beside them (canary.h).
 *
 * The ratio of a canary's halves has two modes if a task on the SMT sibling
 * comes and goes. That of an unshared core is known from the calibration
 * (clock_facts.canary_alone), and scatters by some percent; a co-runner raises
 * the ratio by a third or more. The cut is SHARING_STEP times the calibrated
 * value. A valley between the modes of each run was rejected as the cut: on a
 * busy host few canaries are alone and many saw a co-runner for a part of their
 * time, so that the emptiest place is anywhere, also within the alone mode.
 *
 * A co-runner can be there during the whole calibration. Then the canaries of
 * an unshared core are far below the calibrated value. If a third of them are,
 * their median replaces it, and all launches are judged again.
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
/* False if a half of a canary with this ratio was interrupted. `alone` is the
 * ratio on an unshared core. */
bool canary_readable(double ratio, double alone);
/* The same for canary `i` of a visit. */
double visit_canary_ratio(const struct results *, const struct point *,
	const struct visit *, size_t i);

enum canary_state {
	CANARY_UNREADABLE, /* interrupted in one of its halves */
	CANARY_ALONE,
	CANARY_SHARED,
};
enum canary_state canary_state(const struct results *, double ratio);

/* Sets the cut, and the flags of the trials from launch `launch` (its index)
 * on. Corrects canary_alone of the clock if it was that of a shared core. */
void sharing_judge(struct results *, unsigned launch);

/* Judges all launches again, from the canaries and the cut alone; both halves
 * must be known. It proves that the flags follow from the canaries. */
void sharing_rejudge(struct results *);
/* True if the canaries have only one half, as in sessions before version
 * 1.3. */
bool sharing_is_lacking(const struct results *);
/* Fraction of the readable canaries that were beside a co-runner, 0 .. 1. */
double sharing_share(const struct results *);
/* Computes the usual latency half of the visits of results read from a file. */
void sharing_recall(struct results *);

#endif
