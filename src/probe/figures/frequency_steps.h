/*
 * Figures at each of two frequencies, where a core moved between them.
 *
 * Frequency moves in steps: latency halves of the canaries beside a point's
 * trials then have two modes (valley.h), 4 % apart or more. A trial belongs to
 * the step of the canaries on both its sides; the median of a step is that over
 * launch medians. Cycles are the same at both, times are not.
 */
#ifndef BENCHTOP_FREQUENCY_STEPS_H
#define BENCHTOP_FREQUENCY_STEPS_H

#include "results.h"

/* Fills in the steps of a timed or derived metric in a regime, the higher
 * frequency first. False: one frequency, or less than 5 % of the trials at the
 * other. */
bool frequency_steps(const struct results *, const struct point *,
	unsigned metric, enum regime, struct frequency_step steps[2]);

#endif
