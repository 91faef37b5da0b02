/*
 * Is a series in time steady? Two questions, each with its test: drift
 * (Mann-Kendall with tie-corrected variance and continuity; slope by Sen) and
 * warm-up (MSER-5: White, Simulation 69, 1997).
 */
#ifndef BENCHTOP_TREND_H
#define BENCHTOP_TREND_H

#include <stdbool.h>
#include <stddef.h>

struct drift {
	double s, variance, z, p; /* Mann-Kendall */
	double tau_b;
	double slope; /* Sen, per step of the series */
};
/* Drift of a series of at most a few hundred values (O(n^2)). */
struct drift drift_of(const double *values, size_t n);

struct warmup {
	size_t dropped;   /* values at the front that are warm-up */
	bool steady;      /* false: no steady state found, drop nothing */
	double statistic; /* of the chosen cut */
};
/* MSER over batch means of five; values are clipped at the outer Tukey
 * fences first, because MSER is not robust. Cuts in the first half are tried,
 * of the first 5000 values at most; where the statistic still falls at the
 * half there is no steady state. Fewer than 10 values are taken as steady. */
struct warmup warmup_mser5(const double *values, size_t n);

#endif
