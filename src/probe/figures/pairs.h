/*
 * Two points of one run against each other: `ab`.
 *
 * Where they took turns trial by trial, neighbouring trials are a pair: the
 * second starts when the first has ended, so that whatever comes and goes with
 * seconds hits both alike. Trials have no time stamps that could prove it: d =
 * ln(B / A) of pairs that were made under the same condition, and their median
 * is the difference of a visit. The alignment of code may matter to A and B at
 * different clones, so that the median of these differences would be near 0
 * while the figures of A and B, medians over clones, are apart. So D of a
 * launch is the median over its visits of ln A and their difference, less that
 * of ln A: where all clones differ alike, it is exactly that difference,
 * whatever conditions ln A is of. Where they took turns visit by visit D is
 * that of the launch's medians on a core of its own, since beside a co-runner
 * two visits meet different work of his, and at the same reading of the memory
 * ruler where the values follow it (ruled.h).
 * The estimate is the Hodges-Lehmann centre of D over the launches with its
 * exact signed-rank interval (signed_rank.h). See Bulej et al., "Duet
 * benchmarking", ICPE 2020, for how pairs cancel what a co-runner does.
 *
 * Neighbouring trials are pooled whatever their condition. Where alone and
 * shared disagree, the intervals being apart, the result is that on a core of
 * its own.
 */
#ifndef BENCHTOP_PAIRS_H
#define BENCHTOP_PAIRS_H

#include "results.h"
#include "signed_rank.h"

struct pairs {
	enum regime regime; /* of the result */
	bool disagree;      /* alone and shared do */
	/* Of ln(B / A); n launches each. REGIME_POOLED: all conditions. */
	struct signed_rank by_regime[REGIMES];
};

/* Of a metric at two points of a run that took turns. The values must be above
 * 0; those that are not make no pair. */
void pairs_of(const struct results *, const struct point *a,
	const struct point *b, unsigned metric, enum scale, struct pairs *);
/* The result. */
static inline const struct signed_rank *pairs_result(const struct pairs *pairs)
{
	return &pairs->by_regime[pairs->regime];
}

#endif
