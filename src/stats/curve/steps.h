/*
 * Steps of a curve of latency over size: where each cache ends.
 *
 * Both axes are logarithmic. The curve is smoothed (median of five) and made
 * non-decreasing (isotonic regression by pool-adjacent-violators: Barlow et
 * al., "Statistical Inference under Order Restrictions", 1972). A step is a run
 * of points whose slope over five points exceeds a fifth of an octave per
 * octave. Runs at most three points apart are one step. A run that rises by a
 * factor of less than 1.3 is not a step.
 *
 * The capacity of a step is fitted. It is the size C for which the miss share
 * of misses.h, between the plateaus on both sides, leaves the least residual in
 * octaves, on a grid of 1/32 octave. The laws of replacement differ by up to a
 * third at an equal residual, so the range of their capacities is kept as an
 * interval.
 *
 * A step is open if its upper plateau was not measured: the last rise ends
 * within the slope's reach of the last point, and the last five points rise by
 * a fifth of the step's height per octave. Only the interval's low end is then
 * a valid bound: the capacity is not below it.
 */
#ifndef BENCHTOP_STEPS_H
#define BENCHTOP_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "misses.h"

enum { STEPS_MOST = 8, STEPS_WAYS_USUAL = 16 };

struct step {
	double start, half, end; /* sizes at the beginning, the half and the end
				  * of the rise */
	double below, above;     /* the plateaus, in the curve's unit */
	double capacity;         /* by the law with the least residual */
	enum misses_law law;
	double least, most; /* range over the laws that fit about as well */
	double residual;    /* of that law: rms, octaves */
	bool uncertain; /* the fit is poor or far from the half rise, or the
			 * step is open */
	bool open;      /* the curve ends on the slope */
};

/* Finds the steps of n points with ascending sizes: 0 if there are fewer than
 * 12, or if a size or time is not a positive finite number.
 * `ways` (may be NULL) has the number of ways of the first `known` caches; for
 * the others STEPS_WAYS_USUAL is assumed. Returns the number of steps, up to
 * STEPS_MOST. */
size_t steps_find(const double *sizes, const double *times, size_t n,
	const unsigned *ways, size_t known, struct step steps[STEPS_MOST]);
/* The index of the size, from `from` on, that is nearest to a capacity by
 * ratio. Sizes of 0 are skipped; if all are 0, returns `from`. */
size_t steps_nearest(const double *sizes, size_t n, size_t from,
	double capacity);

#endif
