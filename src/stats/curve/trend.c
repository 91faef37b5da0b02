/* Drift and warm-up. */
#include "trend.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "memory.h"
#include "moments.h"
#include "quantile.h"
#include "slope.h"

enum {
	BATCH = 5,          /* values of a batch mean: the 5 of MSER-5 */
	STEADY_LEAST = 5,   /* batches that must remain for the judgement */
	WARMUP_LOOK = 5000, /* values examined: warm-up is at the front */
};

/* Number of rising pairs minus number of falling pairs. */
static double kendall_s(const double *values, size_t n)
{
	double rising = 0, falling = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			rising += values[j] > values[i];
			falling += values[j] < values[i];
		}
	return rising - falling;
}

/* The normal score of S, with continuity correction. */
static double kendall_z(double s, double variance)
{
	if (variance <= 0)
		return 0;
	return copysign(fmax(fabs(s) - 1, 0), s) / sqrt(variance);
}

struct drift drift_of(const double *values, size_t n)
{
	struct drift drift = { .p = 1 };
	struct slope line;

	if (n < 2)
		return drift;
	double *step = xmalloc(n * sizeof *step);
	for (size_t i = 0; i < n; i++)
		step[i] = (double)i;
	drift.s = kendall_s(values, n);
	drift.variance = kendall_variance(step, values, n);
	drift.z = kendall_z(drift.s, drift.variance);
	drift.p = 2 * gsl_cdf_ugaussian_Q(fabs(drift.z));
	if (slope_theil_sen(step, values, n, &line))
		drift.slope = line.slope;
	free(step);
	return drift;
}

/* Batch means of values clipped at the outer fences, which the caller frees. If
 * the fences coincide, as a coarse clock may cause, values are not clipped:
 * clipping would level the warm-up to be detected. */
static double *batch_means(const double *values, size_t batches)
{
	size_t n = batches * BATCH;
	double *sorted = values_sorted_copy(values, n);
	struct fences fences = fences_sorted(sorted, n);
	double *means = xcalloc(batches, sizeof *means);

	free(sorted);
	if (fences.low == fences.high) {
		fences.low = -INFINITY;
		fences.high = INFINITY;
	}
	for (size_t i = 0; i < n; i++) {
		double clipped = fmin(values[i], fences.high);

		means[i / BATCH] += fmax(clipped, fences.low) / BATCH;
	}
	return means;
}

/* The cut with the smallest standard error of the mean, or the first of equal
 * cuts. The loop runs from the end, which needs one pass. If the best is the
 * last cut examined, half of the batches, the error was still decreasing. */
struct warmup warmup_mser5(const double *values, size_t n)
{
	size_t batches = (n < WARMUP_LOOK ? n : WARMUP_LOOK) / BATCH;
	size_t half = (batches + 1) / 2, best = 0;
	struct warmup warmup = { .steady = true, .statistic = INFINITY };
	struct moments left = { 0 };

	if (batches < 2)
		return (struct warmup){ .steady = true };
	double *means = batch_means(values, batches);
	for (size_t cut = batches; cut-- > 0;) {
		moments_add(&left, means[cut]);
		double statistic = left.m2 / ((double)left.n * (double)left.n);
		bool judged =
			cut < half || (cut == half && left.n >= STEADY_LEAST);
		if (judged && statistic <= warmup.statistic) {
			warmup.statistic = statistic;
			best = cut;
		}
	}
	free(means);
	warmup.steady = best < half;
	warmup.dropped = warmup.steady ? best * BATCH : 0;
	return warmup;
}
