/*
 * Comparison of two points of one run, for `ab`.
 *
 * If they alternated trial by trial, adjacent trials form a pair: the second
 * starts when the first has ended, so that changes within seconds affect both
 * alike. Both trials of a pair must have the same condition. The difference of
 * a visit is the median of d = ln(B / A) over its pairs. The alignment of code
 * may affect A and B in different clones. The median of the differences could
 * then be near 0, although the figures of A and B, medians over clones, differ.
 * So D of a launch is the median over its visits of ln A plus their difference,
 * minus the median of ln A. If all clones differ equally, D is exactly that
 * difference, whatever the conditions of ln A.
 *
 * If they alternated visit by visit, D is the difference of the launch's
 * medians on an unshared core, because beside a co-runner two visits meet
 * different work. It is taken at the same reading of the memory ruler if the
 * values follow it (ruled.h).
 *
 * The estimate is the Hodges-Lehmann centre of D over the launches, with its
 * exact signed-rank interval (signed_rank.h). See Bulej et al., "Duet
 * benchmarking", ICPE 2020, for how pairs cancel the effect of a co-runner.
 *
 * By default the pairs of all conditions are pooled. If the intervals for alone
 * and shared do not overlap, the result is that of an unshared core.
 */
#ifndef BENCHTOP_PAIRS_H
#define BENCHTOP_PAIRS_H

#include "digest.h"
#include "results.h"
#include "signed_rank.h"

struct pairs {
	enum regime regime; /* of the result */
	bool disagree;      /* alone and shared disagree */
	/* Of ln(B / A), with n launches each. REGIME_POOLED: all conditions. */
	struct signed_rank by_regime[REGIMES];
	size_t trials[REGIMES]; /* pairs of trials; 0 where they took turns
				 * visit by visit */
};

/* For a metric at two points of a run that alternated. Values that are not
 * above 0 form no pair. */
void pairs_of(const struct results *, const struct point *a,
	const struct point *b, unsigned metric, enum scale, struct pairs *);
/* The result. */
static inline const struct signed_rank *pairs_result(const struct pairs *pairs)
{
	return &pairs->by_regime[pairs->regime];
}

#endif
