/* The lowland algorithm on a quantile-respectful density. */
#include "modes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

enum {
	BINS = 100,  /* 1 / precision: each holds one percent */
	LEAST = 100, /* values below which modality is not assessed */
	THIN = 1000, /* most values from which the density is estimated */
};

static const double sensitivity = .5;
/* Relative difference of heights below which only rounding differs. */
static const double same = 1 - 1e-9;

/* A density of equal shares: bins between Harrell-Davis percentiles. A narrower
 * bin is higher (Akinshin: "Quantile-respectful density estimation based on the
 * Harrell-Davis quantile estimator"). */
struct density {
	double edge[BINS + 1];
	double height[BINS];
};

/* A copy in which equal values are spread evenly over the quantum around
 * them. */
static double *spread_ties(const double *sorted, size_t n, double quantum)
{
	double *spread = values_sorted_copy(sorted, n);

	for (size_t at = 0, ties; at < n; at += ties) {
		ties = ties_sorted(sorted, n, at);
		for (size_t i = 0; i < ties; i++) {
			double place = ((double)i + .5) / (double)ties - .5;

			spread[at + i] += quantum * place;
		}
	}
	return spread;
}

/* Bins have a minimum width above the rounding error. Otherwise a spike of
 * equal values would be infinitely high, with peaks of noise on it. */
static struct density density_of(const double *sorted, size_t n)
{
	struct density density;
	double *edge = density.edge;

	for (size_t i = 0; i <= BINS; i++)
		edge[i] = quantile_harrell_davis(sorted, n, (double)i / BINS);
	double size = fmax(fabs(edge[0]), fabs(edge[BINS]));
	double least = 1e-9 * (edge[95] - edge[5]) + 1e-13 * size;
	for (size_t i = 0; i < BINS; i++)
		density.height[i] =
			1. / BINS / fmax(edge[i + 1] - edge[i], least);
	return density;
}

static struct density density_of_many(const double *sorted, size_t n)
{
	if (n <= THIN)
		return density_of(sorted, n);
	double *thin = xmalloc(THIN * sizeof *thin);
	for (size_t i = 0; i < THIN; i++)
		thin[i] = quantile_sorted(sorted, n, ((double)i + .5) / THIN);
	struct density density = density_of(thin, THIN);
	free(thin);
	return density;
}

static double middle(const struct density *density, size_t bin)
{
	return (density->edge[bin] + density->edge[bin + 1]) / 2;
}

/* An evenly spread quantum is a plateau. Its mode is its middle, not the place
 * where rounding puts the maximum. */
static double summit(const struct density *density, size_t peak)
{
	double least = density->height[peak] * same;
	size_t first = peak, last = peak;

	while (first > 0 && density->height[first - 1] >= least)
		first--;
	while (last + 1 < BINS && density->height[last + 1] >= least)
		last++;
	return middle(density, (first + last + 1) / 2);
}

/* In the picture of the lowland algorithm, water fills the valley between two
 * peaks up to the lower peak. The peaks are separate modes if less than half of
 * the area under the water's surface is ground. */
static bool apart(const struct density *density, size_t left, size_t right)
{
	const double *height = density->height;
	double surface = fmin(height[left], height[right]);

	while (left < right && height[left] > surface)
		left++;
	while (left < right && height[right] > surface)
		right--;
	double ground = (double)(right - left + 1) / BINS;
	double width = density->edge[right + 1] - density->edge[left];
	return ground < sensitivity * width * surface;
}

/* Of bins of equal height the first, so that rounding does not decide. */
static size_t lowest(const struct density *density, size_t left, size_t right)
{
	size_t best = left;

	for (size_t i = left; i < right; i++)
		if (density->height[i] < density->height[best] * same)
			best = i;
	return best;
}

/* Peaks since the last cut from which a later peak may still be separate. Each
 * is lower than the one before, so the first is the mode of them all. */
struct ridge {
	size_t peak[BINS];
	size_t count;
};

static void end_mode(struct modes *modes, const struct density *density,
	struct ridge *ridge, size_t next)
{
	size_t last = ridge->peak[ridge->count - 1];

	modes->at[modes->count] = summit(density, ridge->peak[0]);
	modes->cut[modes->count++] =
		middle(density, lowest(density, last, next));
	ridge->count = 0;
}

/* A higher peak replaces a lower one that is not separate from it. */
static void take_peak(struct modes *modes, const struct density *density,
	struct ridge *ridge, size_t peak)
{
	while (ridge->count) {
		size_t last = ridge->peak[ridge->count - 1];
		double rise = density->height[peak] - density->height[last];

		if (modes->count < MODES_MAX - 1 && apart(density, last, peak))
			end_mode(modes, density, ridge, peak);
		else if (rise > 0)
			ridge->count--;
		else
			break;
	}
	ridge->peak[ridge->count++] = peak;
}

static bool is_peak(const double *height, size_t i)
{
	return height[i] > height[i - 1] && height[i] >= height[i + 1];
}

static size_t highest(const struct density *density)
{
	size_t best = 0;

	for (size_t i = 1; i < BINS; i++)
		if (density->height[i] > density->height[best])
			best = i;
	return best;
}

static struct modes find_modes(const struct density *density)
{
	struct modes modes = { 0 };
	struct ridge ridge = { .count = 0 };

	for (size_t i = 1; i + 1 < BINS; i++)
		if (is_peak(density->height, i))
			take_peak(&modes, density, &ridge, i);
	size_t last = ridge.count ? ridge.peak[0] : highest(density);
	modes.at[modes.count++] = summit(density, last);
	return modes;
}

/* The share up to each cut minus the share up to the previous cut. */
static void fill_shares(struct modes *modes, const double *sorted, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < modes->count; i++) {
		bool last = i + 1 == modes->count;
		size_t first = at;

		while (at < n && (last || sorted[at] <= modes->cut[i]))
			at++;
		modes->share[i] = (double)(at - first) / (double)n;
	}
}

struct modes modes_sorted(const double *sorted, size_t n, double quantum)
{
	if (n < LEAST)
		return (struct modes){ 0 };
	if (sorted[0] == sorted[n - 1]) /* no density */
		return (struct modes){ 1, { sorted[0] }, { 1 }, { 0 } };
	double *values = spread_ties(sorted, n, quantum);
	struct density density = density_of_many(values, n);
	struct modes modes = find_modes(&density);

	fill_shares(&modes, values, n);
	free(values);
	return modes;
}
