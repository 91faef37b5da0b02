/*
 * Is a time series steady? Two tests: drift (Mann-Kendall with tie-corrected
 * variance and continuity correction; slope by Sen) and warm-up (MSER-5: White,
 * Simulation 69, 1997).
 */
#ifndef BENCHTOP_TREND_H
#define BENCHTOP_TREND_H

#include <stdbool.h>
#include <stddef.h>

struct drift {
	double s, variance, z, p; /* Mann-Kendall */
	double slope; /* Sen, per step of the series */
};
/* Drift of a series of at most a few hundred values (O(n^2)). */
struct drift drift_of(const double *values, size_t n);

struct warmup {
	size_t dropped;   /* values at the front that are warm-up */
	bool steady;      /* false: no steady state found, drop nothing */
	double statistic; /* of the chosen cut */
};
/* MSER over batch means of five values. Values are clipped at the outer Tukey
 * fences first, because MSER is not robust. Cuts in the first half of the first
 * 5000 values are tried. If the statistic still decreases at that half, there
 * is no steady state. Fewer than 10 values count as steady. */
struct warmup warmup_mser5(const double *values, size_t n);

#endif
