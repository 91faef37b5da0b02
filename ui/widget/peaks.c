/* Finds the peaks of a trace. */
#include "peaks.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "quantile.h"

enum { HIGH = 4, APART = 50, REGULAR_LEAST = 3 };

static int ascending(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* Returns the distance that at least half of the gaps have, or 0; sorts
 * `gaps`. */
static size_t regular(size_t *gaps, size_t n)
{
	qsort(gaps, n, sizeof *gaps, ascending);
	for (size_t i = 0; i < n;) {
		size_t same = 1;

		while (i + same < n && gaps[i + same] == gaps[i])
			same++;
		if (same >= REGULAR_LEAST && 2 * same >= n && gaps[i] > 1)
			return gaps[i];
		i += same;
	}
	return 0;
}

static size_t find_distance(const double *y, size_t n, double high)
{
	size_t *gaps = xcalloc(n + 1, sizeof *gaps);
	size_t count = 0, before = n;

	for (size_t i = 0; i < n; i++) {
		if (!(y[i] > high))
			continue;
		if (before < n)
			gaps[count++] = i - before;
		before = i;
	}
	size_t every = regular(gaps, count);
	free(gaps);
	return every;
}

static int is_near_one(const struct peaks *peaks, size_t i, size_t apart)
{
	for (size_t k = 0; k < peaks->count; k++) {
		size_t at = peaks->at[k];

		if ((i > at ? i - at : at - i) < apart)
			return 1;
	}
	return 0;
}

void peaks_find(struct peaks *peaks, const double *y, size_t n)
{
	double *sorted = xcalloc(n + 1, sizeof *sorted);
	size_t apart = n / APART + 1;

	*peaks = (struct peaks){ 0 };
	memcpy(sorted, y, n * sizeof *y);
	if (n)
		peaks->median = median_of(sorted, n);
	free(sorted);
	double high = HIGH * peaks->median;
	for (size_t i = 0; i < n; i++)
		peaks->high += y[i] > high;
	while (peaks->count < PEAKS_MOST) {
		size_t best = n;

		for (size_t i = 0; i < n; i++)
			if (y[i] > high && (best == n || y[i] > y[best]) &&
				!is_near_one(peaks, i, apart))
				best = i;
		if (best == n)
			break;
		peaks->at[peaks->count++] = best;
	}
	peaks->every = find_distance(y, n, high);
}
