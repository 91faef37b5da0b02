/*
 * Figures at each of two frequencies, if a core changed between them.
 *
 * The frequency changes in steps: the latency halves of the canaries beside a
 * point's trials then have two modes (valley.h), at least 4 % apart. A trial
 * belongs to a step if the canaries on both its sides do. The median of a step
 * is the median of launch medians. Cycles are equal at both frequencies, times
 * are not.
 */
#ifndef BENCHTOP_FREQUENCY_STEPS_H
#define BENCHTOP_FREQUENCY_STEPS_H

#include "digest.h"
#include "results.h"

/* Computes the steps of a timed or derived metric in a regime, the higher
 * frequency first. Returns false if there is one frequency, or less than 5 % of
 * the trials are at the other. */
bool frequency_steps(const struct results *, const struct point *,
	unsigned metric, enum regime, struct frequency_step steps[2]);

#endif
