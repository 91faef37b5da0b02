/* Steps of a curve: smoothing, detection, fit. */
#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "quantile.h"

enum {
	POINTS_LEAST = 12,
	REACH = 2,   /* of the slope and of the median of five, to each side */
	APART = 3,   /* points: closer runs are joined */
	PLATEAU = 10 /* number of plateau points used */
};
static const double slope_least = .20;
static const double rise_least = 1.3, split_rise_least = 1.8;
static const double valley_most = .3; /* of the lower summit's slope */
static const double open_least = .2;  /* of the rise, per octave */
static const double grid = 1 / 32.;   /* octaves */
static const double apart_most = .25; /* relative, half rise to fit */
static const double residual_most = .15;
/* A law fits about as well if its residual is at most alike_times the least
 * residual plus alike_more. */
static const double alike_times = 1.25, alike_more = .01;

struct curve {
	double *x, *y; /* log2 of size, and of time smoothed */
	double *raw;   /* log2 of time */
	size_t n;
};

/* ---- smoothing -------------------------------------------------------- */

static void smooth(struct curve *curve)
{
	for (size_t i = 0; i < curve->n; i++) {
		size_t reach = i < REACH ? i : REACH;
		double five[2 * REACH + 1];

		if (curve->n - 1 - i < reach)
			reach = curve->n - 1 - i;
		memcpy(five, curve->raw + i - reach,
			(2 * reach + 1) * sizeof *five);
		curve->y[i] = median_of(five, 2 * reach + 1);
	}
}

/* Pool-adjacent-violators: blocks of a common mean, in ascending order. */
static void make_isotonic(double *y, size_t n)
{
	double *mean = xcalloc(n, sizeof *mean);
	size_t *count = xcalloc(n, sizeof *count);
	size_t blocks = 0;

	for (size_t i = 0; i < n; i++) {
		mean[blocks] = y[i];
		count[blocks++] = 1;
		while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
			double all =
				(double)(count[blocks - 2] + count[blocks - 1]);

			mean[blocks - 2] =
				(mean[blocks - 2] * (double)count[blocks - 2] +
					mean[blocks - 1] *
						(double)count[blocks - 1]) /
				all;
			count[blocks - 2] += count[blocks - 1];
			blocks--;
		}
	}
	for (size_t b = 0, i = 0; b < blocks; b++)
		for (size_t k = 0; k < count[b]; k++)
			y[i++] = mean[b];
	free(mean);
	free(count);
}

static struct curve curve_of(const double *sizes, const double *times, size_t n)
{
	struct curve curve = {
		.x = xcalloc(n, sizeof(double)),
		.y = xcalloc(n, sizeof(double)),
		.raw = xcalloc(n, sizeof(double)),
		.n = n,
	};

	for (size_t i = 0; i < n; i++) {
		curve.x[i] = log2(sizes[i]);
		curve.raw[i] = log2(times[i]);
	}
	smooth(&curve);
	make_isotonic(curve.y, n);
	return curve;
}

static void curve_free(struct curve *curve)
{
	free(curve->x);
	free(curve->y);
	free(curve->raw);
}

/* ---- where the curve rises -------------------------------------------- */

struct run {
	size_t first, last; /* points, both included */
};

static double slope_at(const struct curve *curve, size_t i)
{
	size_t from = i < REACH ? 0 : i - REACH;
	size_t to = i + REACH < curve->n ? i + REACH : curve->n - 1;

	return (curve->y[to] - curve->y[from]) /
		(curve->x[to] - curve->x[from]);
}

/* The steepest point of a run between two points. */
static size_t steepest(const struct curve *curve, size_t first, size_t last)
{
	size_t at = first;

	for (size_t i = first; i <= last; i++)
		if (slope_at(curve, i) > slope_at(curve, at))
			at = i;
	return at;
}

static bool rises_enough(const struct curve *curve, size_t first, size_t last)
{
	return exp2(curve->y[last] - curve->y[first]) >= split_rise_least;
}

/* If a small cache's step has not ended when the next begins, both are one run
 * with a valley of the slope in it. Returns the deepest valley between two
 * maxima, or 0. */
static size_t find_valley(const struct curve *curve, const struct run *run)
{
	double deepest = valley_most;
	size_t at = 0;

	for (size_t i = run->first + REACH; i + REACH <= run->last; i++) {
		double left = slope_at(curve, steepest(curve, run->first, i));
		double right = slope_at(curve, steepest(curve, i, run->last));
		double depth = slope_at(curve, i) / fmin(left, right);

		if (depth >= deepest || !rises_enough(curve, run->first, i) ||
			!rises_enough(curve, i, run->last))
			continue;
		deepest = depth;
		at = i;
	}
	return at;
}

/* Splits runs at their valleys; `runs` has room for n. */
static size_t split_runs(const struct curve *curve, struct run *runs,
	size_t count)
{
	for (size_t i = 0; i < count && count < curve->n; i++) {
		size_t valley = find_valley(curve, &runs[i]);

		if (!valley)
			continue;
		memmove(&runs[i + 1], &runs[i], (count - i) * sizeof *runs);
		runs[i].last = valley - 1;
		runs[i + 1].first = valley + 1;
		count++;
		i--;
	}
	return count;
}

/* Runs of steep points; close runs are joined. `runs` has room for n. */
static size_t find_runs(const struct curve *curve, struct run *runs)
{
	size_t count = 0;

	for (size_t i = 0; i < curve->n; i++) {
		if (slope_at(curve, i) <= slope_least)
			continue;
		if (count && i - runs[count - 1].last <= APART)
			runs[count - 1].last = i;
		else
			runs[count++] = (struct run){ i, i };
	}
	return split_runs(curve, runs, count);
}

/* Median time of the up to ten plateau points nearest to a step. */
static double plateau_before(const struct curve *curve, const struct run *runs,
	size_t at)
{
	size_t end = runs[at].first;
	size_t begin = at ? runs[at - 1].last + 1 : 0;

	if (end - begin > PLATEAU)
		begin = end - PLATEAU;
	double *copy = values_sorted_copy(curve->raw + begin, end - begin);
	double median = median_sorted(copy, end - begin);
	free(copy);
	return end > begin ? median : curve->y[end];
}

static double plateau_after(const struct curve *curve, const struct run *runs,
	size_t count, size_t at)
{
	size_t begin = runs[at].last + 1;
	size_t end = at + 1 < count ? runs[at + 1].first : curve->n;

	if (begin < end && end - begin > PLATEAU)
		end = begin + PLATEAU;
	if (begin >= end)
		return curve->y[begin < curve->n ? begin : curve->n - 1];
	double *copy = values_sorted_copy(curve->raw + begin, end - begin);
	double median = median_sorted(copy, end - begin);
	free(copy);
	return median;
}

/* The size at which the smoothed curve, as time, is half way up. */
static double half_rise(const struct curve *curve, const struct run *run,
	double below, double above)
{
	double half = log2((exp2(below) + exp2(above)) / 2);
	size_t from = run->first ? run->first - 1 : 0;
	size_t to = run->last + 1 < curve->n ? run->last + 1 : run->last;

	for (size_t i = from; i < to; i++) {
		double a = curve->y[i], b = curve->y[i + 1];

		if (a <= half && b >= half && b > a)
			return exp2(curve->x[i] +
				(half - a) / (b - a) *
					(curve->x[i + 1] - curve->x[i]));
	}
	return exp2((curve->x[from] + curve->x[to]) / 2);
}

/* ---- the capacity ----------------------------------------------------- */

struct window {
	size_t first, last;  /* points, both included */
	double below, above; /* times */
	const struct shares *shares; /* by law */
};

/* Table of the miss share of a law by log2 u: a fit reads it some ten thousand
 * times. */
enum { SHARES_PER_OCTAVE = 128, SHARES_FROM = -5, SHARES_TO = 4 };
enum { SHARES = (SHARES_TO - SHARES_FROM) * SHARES_PER_OCTAVE + 1 };

struct shares {
	struct misses misses;
	double at[SHARES];
};

/* The tables for this number of ways. The tables of the last call are kept:
 * filling them takes as long as ten fits, and a screen fits at every frame. */
static const struct shares *shares_for(unsigned ways)
{
	static _Thread_local struct shares shares[MISSES_LAWS];
	static _Thread_local unsigned filled; /* ways of `shares`; 0: none */

	if (filled == ways)
		return shares;
	filled = ways;
	for (enum misses_law law = 0; law < MISSES_LAWS; law++) {
		shares[law].misses = misses_of(law, ways);
		for (int i = 0; i < SHARES; i++)
			shares[law].at[i] = misses_share(&shares[law].misses,
				exp2(SHARES_FROM +
					(double)i / SHARES_PER_OCTAVE));
	}
	return shares;
}

static double share_at(const struct shares *shares, double octaves)
{
	double place = (octaves - SHARES_FROM) * SHARES_PER_OCTAVE;

	/* A chain exactly as large as the cache fits. */
	if (shares->misses.law == MISSES_SHARP)
		return octaves > 1e-9;
	if (place <= 0)
		return shares->at[0];
	if (place >= SHARES - 1)
		return 1;
	size_t before = (size_t)place;
	double part = place - (double)before;
	return shares->at[before] * (1 - part) + shares->at[before + 1] * part;
}

static double residual_of(const struct curve *curve,
	const struct window *window, const struct shares *shares,
	double capacity_octaves)
{
	double sum = 0;

	for (size_t i = window->first; i <= window->last; i++) {
		double share = share_at(shares, curve->x[i] - capacity_octaves);
		double time =
			window->below + share * (window->above - window->below);
		double off = curve->raw[i] - log2(time);

		/* Limits the weight of a spike. */
		off = fmax(fmin(off, .5), -.5);
		sum += off * off;
	}
	return sqrt(sum / (double)(window->last - window->first + 1));
}

struct fit {
	double capacity, residual;
	double least, most; /* range that fits equally well */
};

static struct fit fit_law(const struct curve *curve,
	const struct window *window, const struct shares *shares)
{
	double from = curve->x[window->first], to = curve->x[window->last];
	struct fit best = { .residual = INFINITY };

	for (double x = ceil(from / grid) * grid; x <= to; x += grid) {
		double residual = residual_of(curve, window, shares, x);

		if (residual > best.residual + 1e-12)
			continue;
		if (residual < best.residual - 1e-12) {
			best.residual = residual;
			best.least = exp2(x);
		}
		/* Between two points, a sharp step can be anywhere. */
		best.most = exp2(x);
		best.capacity = sqrt(best.least * best.most);
	}
	return best;
}

static void fit_step(const struct curve *curve, const struct window *window,
	struct step *step)
{
	struct fit fits[MISSES_LAWS];

	for (enum misses_law law = 0; law < MISSES_LAWS; law++) {
		fits[law] = fit_law(curve, window, &window->shares[law]);
		if (law && fits[law].residual >= fits[step->law].residual)
			continue;
		step->law = law;
	}
	step->capacity = fits[step->law].capacity;
	step->least = fits[step->law].least;
	step->most = fits[step->law].most;
	step->residual = fits[step->law].residual;
	for (enum misses_law law = 0; law < MISSES_LAWS; law++) {
		if (fits[law].residual >
			step->residual * alike_times + alike_more)
			continue;
		step->least = fmin(step->least, fits[law].least);
		step->most = fmax(step->most, fits[law].most);
	}
	double expected_half = step->capacity *
		misses_half(&window->shares[step->law].misses);
	step->uncertain = step->residual > residual_most ||
		fabs(step->half / expected_half - 1) > apart_most;
}

/* True if the run reaches the end of the curve, and one more octave at the
 * slope of the last five points would raise the step notably. Its plateau was
 * then not measured. */
static bool ends_on_slope(const struct curve *curve, const struct run *run,
	double rise)
{
	size_t last = curve->n - 1;

	return run->last + REACH >= last &&
		slope_at(curve, last - REACH) > open_least * rise;
}

/* ---- steps ------------------------------------------------------------ */

static struct window window_of(const struct curve *curve,
	const struct run *runs, size_t count, size_t at)
{
	size_t least = at ? runs[at - 1].last + 1 : 0;
	size_t most = at + 1 < count ? runs[at + 1].first - 1 : curve->n - 1;
	const struct run *run = &runs[at];
	struct window window = {
		.first = run->first > least + PLATEAU ? run->first - PLATEAU :
							least,
		.last = run->last + PLATEAU < most ? run->last + PLATEAU : most,
	};

	return window;
}

/* Logarithms exist. A damaged file can hold other values. */
static bool are_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]) || values[i] <= 0)
			return false;
	return true;
}

size_t steps_find(const double *sizes, const double *times, size_t n,
	const unsigned *ways, size_t known, struct step steps[STEPS_MOST])
{
	size_t found = 0;

	if (n < POINTS_LEAST || !are_positive(sizes, n) ||
		!are_positive(times, n))
		return 0;
	struct curve curve = curve_of(sizes, times, n);
	struct run *runs = xcalloc(n, sizeof *runs);
	size_t count = find_runs(&curve, runs);
	for (size_t i = 0; i < count && found < STEPS_MOST; i++) {
		double below = plateau_before(&curve, runs, i);
		double above = plateau_after(&curve, runs, count, i);
		struct window window = window_of(&curve, runs, count, i);
		struct step *step = &steps[found];

		if (exp2(above - below) < rise_least)
			continue;
		window.below = exp2(below);
		window.above = exp2(above);
		window.shares =
			shares_for(found < known && ways && ways[found] ?
					ways[found] :
					STEPS_WAYS_USUAL);
		*step = (struct step){
			.start = sizes[runs[i].first],
			.end = sizes[runs[i].last],
			.below = window.below,
			.above = window.above,
		};
		step->half = half_rise(&curve, &runs[i], below, above);
		fit_step(&curve, &window, step);
		step->open = ends_on_slope(&curve, &runs[i], above - below);
		step->uncertain |= step->open;
		found++;
	}
	free(runs);
	curve_free(&curve);
	return found;
}

size_t steps_nearest(const double *sizes, size_t n, size_t from,
	double capacity)
{
	double least = INFINITY;
	size_t best = from;

	for (size_t i = from; i < n; i++) {
		double off = fabs(log2(capacity / sizes[i]));

		if (sizes[i] <= 0 || off >= least)
			continue;
		least = off;
		best = i;
	}
	return best;
}
