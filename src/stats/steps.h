/*
 * Steps of a curve of latency over size: where each cache ends.
 *
 * In logarithms of both, the curve is smoothed (median of five), made
 * non-decreasing (isotonic regression by pool-adjacent-violators: Barlow et
 * al., "Statistical Inference under Order Restrictions", 1972), and a step is
 * where its slope over five points is more than a fifth of an octave an
 * octave; runs that are three points apart or fewer are one step, and one that
 * rises by less than 1.3 is none.
 *
 * A step's capacity is fitted: the size C for which the share of misses of
 * misses.h, between the plateaus on both sides, leaves the least residual in
 * octaves, on a grid of a thirty-second of an octave. The laws of replacement
 * differ by up to a third at an equal residual, so what they say is kept as an
 * interval.
 *
 * Where the last rise ends within the slope's reach of the last point, and the
 * last five points climb a fifth of the step's height an octave, nobody has
 * seen the plateau above it: the step is open. Its capacity is of a rise that
 * goes on; what can be said is that it is not below the interval's low end.
 */
#ifndef BENCHTOP_STEPS_H
#define BENCHTOP_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "misses.h"

enum { STEPS_MOST = 8, STEPS_WAYS_USUAL = 16 };

struct step {
	double start, half, end; /* sizes: the rise begins, is half, ends */
	double below, above;     /* the plateaus, in the curve's unit */
	double capacity;         /* of the law with the least residual */
	enum misses_law law;
	double least, most; /* over the laws that fit about as well */
	double residual;    /* of that law: rms, octaves */
	bool uncertain; /* the fit is poor, or far from the half rise; open */
	bool open;      /* the curve ends on the slope */
};

/* Finds the steps of n points with ascending, positive sizes; at least 12
 * points. `ways` (may be NULL) says the ways of the first `known` caches;
 * others count as STEPS_WAYS_USUAL. Returns how many steps there are, up to
 * STEPS_MOST. */
size_t steps_find(const double *sizes, const double *times, size_t n,
	const unsigned *ways, size_t known, struct step steps[STEPS_MOST]);

#endif
