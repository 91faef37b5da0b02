/*
 * Which trials had the core to themselves and which shared it, by the canaries
 * beside them (canary.h).
 *
 * x = ln(throughput half / latency half) of all canaries of a run has two
 * modes where a task on the SMT sibling came and went. The cut between them
 * is the valley of their density (valley.h), where the lower mode is that of
 * a core of its own: its centre is at most SHARING_STEP times what the clock's
 * calibration knows (clock_facts.canary_alone). The cut is at most SHARING_STEP
 * times that centre. Without a valley it is SHARING_STEP times the centre of
 * the canaries that are within a step of what is known, if these are half of
 * all. Else the run has never seen the core alone, and the cut is SHARING_STEP
 * times what is known.
 *
 * A trial lies between two canaries. Both below the cut: the core was its own.
 * Both above: FLAG_SHARED. One of each, or none that can be read: FLAG_MIXED.
 * Where the core was its own and a canary's latency half is more than 2 % off
 * what is usual: FLAG_FREQUENCY.
 *
 * What is usual is that of the same point in the same launch: wide vectors and
 * more busy cores slow a core down by ten percent and more, and hosts move all
 * cores by some percent from one second to the next. It is the median of the
 * canaries that were alone. Without any, it is the 5th percentile of all, or
 * what the clock's calibration expects where that is less, since a sibling can
 * only lengthen them. Of a file that holds one half of each canary it is the
 * median of all.
 */
#ifndef BENCHTOP_SHARING_H
#define BENCHTOP_SHARING_H

#include "results.h"

/* Between a core of its own and a shared one the ratio grows by a third at
 * least; within either mode it scatters by some percent. */
#define SHARING_STEP 1.25

/* Throughput half over latency half, net of the clock's overhead in ticks. */
double canary_ratio(const struct canary *, double overhead);
/* The same of canary `i` of a visit. */
double visit_canary_ratio(const struct results *, const struct point *,
	const struct visit *, size_t i);

enum canary_state {
	CANARY_UNREADABLE, /* interrupted in one of its halves */
	CANARY_ALONE,
	CANARY_SHARED,
};
enum canary_state canary_state(const struct results *, double ratio);

/* Finds the cut of all canaries so far, and decides the flags of the trials:
 * of launch `launch` (its index), and of those before it where the cut moved
 * past a canary. Then figures kept of them are forgotten. */
void sharing_judge(struct results *, unsigned launch);

/* Judges all launches again, from the canaries alone, of results whose
 * throughput halves are known: a proof that the flags follow from them. */
void sharing_rejudge(struct results *);
/* Do these results have canaries of one half, as before version 1.3 of the
 * session? */
bool sharing_is_lacking(const struct results *);
/* Share of the readable canaries that were beside a co-runner, 0 .. 1. */
double sharing_share(const struct results *);
/* Finds what is usual for the visits of results that were read from a file. */
void sharing_recall(struct results *);

#endif
