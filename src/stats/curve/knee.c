/* The knee of a cache that is filled once. */
#include "knee.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

enum { POINTS_LEAST = 5, STEPS_AN_OCTAVE = 200, ROUNDS = 60 };

/* The curve and its fit for a knee at C. */
struct fit {
	const double *sizes, *times;
	size_t n;
	double hit;
};

static double residual_of(const struct fit *fit, double knee, double miss)
{
	double sum = 0;

	for (size_t i = 0; i < fit->n; i++) {
		double share = fmax(0, 1 - knee / fit->sizes[i]);
		double law = fit->hit + (miss - fit->hit) * share;
		double off = log2(fit->times[i] / law);

		sum += off * off;
	}
	return sqrt(sum / (double)fit->n);
}

/* Golden section: the residual has one minimum over the logarithm of `miss`. */
static double best_miss(const struct fit *fit, double knee, double *residual)
{
	const double golden = .6180339887498949;
	double low = log(fit->hit), high = log(fit->hit) + log(1e7);
	double a = high - golden * (high - low);
	double b = low + golden * (high - low);
	double at_a = residual_of(fit, knee, exp(a));
	double at_b = residual_of(fit, knee, exp(b));

	for (int i = 0; i < ROUNDS; i++) {
		if (at_a < at_b) {
			high = b;
			b = a;
			at_b = at_a;
			a = high - golden * (high - low);
			at_a = residual_of(fit, knee, exp(a));
		} else {
			low = a;
			a = b;
			at_a = at_b;
			b = low + golden * (high - low);
			at_b = residual_of(fit, knee, exp(b));
		}
	}
	*residual = fmin(at_a, at_b);
	return exp(at_a < at_b ? a : b);
}

static bool find_hit(struct fit *fit)
{
	double least = INFINITY, rise = 0;
	double *low = xcalloc(fit->n, sizeof *low);
	size_t count = 0;

	for (size_t i = 0; i < fit->n; i++)
		least = fmin(least, fit->times[i]);
	for (size_t i = 0; i < fit->n && rise == 0; i++)
		if (fit->times[i] > 2 * least)
			rise = fit->sizes[i];
	for (size_t i = 0; i < fit->n; i++)
		if (fit->sizes[i] <= rise / 2 || (!count && i < 1))
			low[count++] = fit->times[i];
	fit->hit = count ? median_unsorted(low, count) : 0;
	free(low);
	/* A curve that begins high has no part inside the cache. */
	return rise > fit->sizes[0] && fit->hit <= 2 * least;
}

bool knee_find(const double *sizes, const double *times, size_t n,
	struct knee *knee)
{
	struct fit fit = { sizes, times, n, 0 };

	if (n < POINTS_LEAST || !find_hit(&fit))
		return false;
	size_t steps =
		(size_t)ceil(log2(sizes[n - 1] / sizes[0]) * STEPS_AN_OCTAVE);
	double *residuals = xcalloc(steps + 1, sizeof *residuals);
	size_t best = 0;
	for (size_t i = 0; i <= steps; i++) {
		double size = sizes[0] * exp2((double)i / STEPS_AN_OCTAVE);

		best_miss(&fit, size, &residuals[i]);
		if (residuals[i] < residuals[best])
			best = i;
	}
	double most = fmax(1.25 * residuals[best], residuals[best] + .02);
	size_t low = best, high = best;
	while (low > 0 && residuals[low - 1] <= most)
		low--;
	while (high < steps && residuals[high + 1] <= most)
		high++;
	knee->size = sizes[0] * exp2((double)best / STEPS_AN_OCTAVE);
	knee->least = sizes[0] * exp2((double)low / STEPS_AN_OCTAVE);
	knee->most = sizes[0] * exp2((double)high / STEPS_AN_OCTAVE);
	knee->hit = fit.hit;
	knee->miss = best_miss(&fit, knee->size, &knee->residual);
	free(residuals);
	return true;
}
