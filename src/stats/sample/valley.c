/* The valley between two modes. */
#include "valley.h"

#include <math.h>

#include "quantile.h"

enum {
	STEPS = 8,         /* positions of the window per width */
	STEPS_MOST = 4096, /* over the whole range */
};

static const double deepest = .1; /* of the lower peak */

/* The number of sorted values below x. */
static size_t count_below(const double *sorted, size_t n, double x)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The size of the lower group of the two-means split, which maximises the
 * variance between the groups. */
static size_t two_means(const double *sorted, size_t n)
{
	double total = 0, below = 0, best = -1;
	size_t split = 0;

	for (size_t i = 0; i < n; i++)
		total += sorted[i];
	for (size_t i = 1; i < n; i++) {
		double lower = (double)i, upper = (double)(n - i);

		below += sorted[i - 1];
		double apart = below / lower - (total - below) / upper;
		double explained = lower * upper * apart * apart;

		if (explained > best && sorted[i] > sorted[i - 1]) {
			best = explained;
			split = i;
		}
	}
	return split;
}

struct window {
	const double *sorted;
	size_t n;
	double width;
};

static size_t count_at(const struct window *window, double x)
{
	return count_below(window->sorted, window->n, x + window->width / 2) -
		count_below(window->sorted, window->n, x - window->width / 2);
}

/* Values of a file may be any: the work is limited. */
static double step_of(const struct window *window, double from, double to)
{
	return fmax(window->width / STEPS, (to - from) / STEPS_MOST);
}

/* The largest count of values in a window with its middle between the ends. */
static size_t peak_between(const struct window *window, double from, double to)
{
	double step = step_of(window, from, to);
	size_t most = 0;

	for (double x = from; x <= to; x += step) {
		size_t count = count_at(window, x);

		most = count > most ? count : most;
	}
	return most;
}

/* The smallest count of values in a window between the ends, and the middle of
 * the longest range with that count. */
static size_t emptiest(const struct window *window, double from, double to,
	double *middle)
{
	double step = step_of(window, from, to), longest = -1, began = from;
	size_t least = window->n + 1;

	for (double x = from; x <= to; x += step) {
		size_t count = count_at(window, x);

		if (count < least)
			longest = -1;
		if (count > least) {
			began = x + step;
			continue;
		}
		if (count < least)
			began = x;
		least = count;
		if (x - began > longest) {
			longest = x - began;
			*middle = (began + x) / 2;
		}
	}
	return least;
}

bool valley_find(const double *sorted, size_t n, double apart, double width,
	struct valley *valley)
{
	struct window window = { sorted, n, width };
	size_t split = n < VALLEY_LEAST ? 0 : two_means(sorted, n);
	double cut = 0;

	if (!split)
		return false;
	double low = median_sorted(sorted, split);
	double high = median_sorted(sorted + split, n - split);
	if (!(high - low >= apart))
		return false;
	size_t between = emptiest(&window, low, high, &cut);
	size_t lower = peak_between(&window, sorted[0], cut);
	size_t upper = peak_between(&window, cut, sorted[n - 1]);
	size_t peak = lower < upper ? lower : upper;
	if ((double)between > deepest * (double)peak)
		return false;
	size_t below = count_below(sorted, n, cut);
	*valley = (struct valley){
		.low = median_sorted(sorted, below),
		.high = median_sorted(sorted + below, n - below),
		.cut = cut,
		.high_share = (double)(n - below) / (double)n,
	};
	return true;
}
