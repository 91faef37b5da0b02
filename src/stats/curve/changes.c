/* Change points by E-divisive with means. */
#include "changes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "quantile.h"
#include "splitmix.h"

enum {
	/* A test permutes at most PERMUTED values in all: a history of ten
	 * thousand is shown within a second. The least allows a p of .0025. */
	PERMUTATIONS = 1999,
	PERMUTATIONS_LEAST = 399,
	PERMUTED = 4000000,
	EXCEEDED = 40, /* permutations above the candidate that end a test */
};

/* Segments have the values bounds[i] .. bounds[i + 1] - 1. */
struct search {
	const double *values;
	size_t n;
	double floor;
	double scale;   /* standard deviation within the segments */
	size_t *bounds; /* segments + 1, ascending; owned */
	double *p;      /* of the test that made a bound; owned */
	size_t segments;
	double *sums;    /* n + 1: of the values before an index; owned */
	double *inverse; /* n + 1: 1 / index; owned */
};

/* ---- candidates ------------------------------------------------------- */

struct candidate {
	double statistic; /* the bound to exceed, until one is found */
	size_t at;        /* 0: none found */
};

/* Tries every place of one segment with a window of `length` values; 0: all
 * values up to the end of the segment. The statistic of a shift is
 * |shift| / scale / sqrt(1 / before + 1 / after) - penalty. The loop compares
 * its square, because roots and divisions would take most of the time. */
static void try_length(const struct search *search, size_t first, size_t last,
	size_t length, struct candidate *best)
{
	const double *sums = search->sums, *inverse = search->inverse;
	size_t room = length ? length + CHANGES_SIDE : CHANGES_SIDE;
	double penalty = length ?
		sqrt(2 * log((double)(last - first) * inverse[length])) :
		0;
	double bound = (best->statistic + penalty) * search->scale;

	for (size_t at = first + CHANGES_SIDE; at + room <= last; at++) {
		size_t width = length ? length : last - at;
		double shift = (sums[at + width] - sums[at]) * inverse[width] -
			(sums[at] - sums[first]) * inverse[at - first];
		double share = inverse[at - first] + inverse[width];

		if (shift * shift <= bound * bound * share ||
			fabs(shift) < search->floor)
			continue;
		bound = fabs(shift) / sqrt(share);
		*best = (struct candidate){ bound / search->scale - penalty,
			at };
	}
}

/* The best candidate of all segments above `bound`, for `values` in the order
 * given. */
static struct candidate best_of(struct search *search, const double *values,
	double bound)
{
	struct candidate best = { bound, 0 };

	for (size_t i = 0; i < search->n; i++)
		search->sums[i + 1] = search->sums[i] + values[i];
	for (size_t i = 0; i < search->segments; i++) {
		size_t first = search->bounds[i], last = search->bounds[i + 1];

		try_length(search, first, last, 0, &best);
		for (size_t length = CHANGES_SIDE; length < last - first;
			length *= 2)
			try_length(search, first, last, length, &best);
	}
	return best;
}

static double mean_of(const double *values, size_t first, size_t last)
{
	double sum = 0;

	for (size_t i = first; i < last; i++)
		sum += values[i];
	return sum / (double)(last - first);
}

/* The same for all permutations within segments. */
static double scale_of(const struct search *search)
{
	double squares = 0;

	for (size_t i = 0; i < search->segments; i++) {
		size_t first = search->bounds[i], last = search->bounds[i + 1];
		double mean = mean_of(search->values, first, last);

		for (size_t k = first; k < last; k++)
			squares += (search->values[k] - mean) *
				(search->values[k] - mean);
	}
	return sqrt(squares / (double)search->n);
}

/* ---- the test --------------------------------------------------------- */

static void shuffle(double *values, size_t n, uint64_t *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)((splitmix_next(random) >> 32) * i >> 32);
		double value = values[i - 1];

		values[i - 1] = values[k];
		values[k] = value;
	}
}

static size_t permutations_of(size_t n)
{
	size_t count = PERMUTED / n;

	return count > PERMUTATIONS ? PERMUTATIONS :
		count < PERMUTATIONS_LEAST ? PERMUTATIONS_LEAST :
					     count;
}

static double test(struct search *search, const struct candidate *found)
{
	double *values = xmalloc(search->n * sizeof *values);
	/* The same sum in another order may differ in its last bits. */
	double bound = found->statistic * (1 - 1e-9);
	size_t exceeded = 0, done = 0, most = permutations_of(search->n);
	uint64_t random = 1;

	memcpy(values, search->values, search->n * sizeof *values);
	while (done < most && exceeded < EXCEEDED) {
		for (size_t i = 0; i < search->segments; i++)
			shuffle(values + search->bounds[i],
				search->bounds[i + 1] - search->bounds[i],
				&random);
		exceeded += best_of(search, values, bound).at > 0;
		done++;
	}
	free(values);
	if (exceeded == EXCEEDED)
		return (double)exceeded / (double)done;
	return (double)(exceeded + 1) / (double)(most + 1);
}

/* ---- the segments ----------------------------------------------------- */

static void insert(struct search *search, size_t at, double p)
{
	size_t i = search->segments++;

	for (; search->bounds[i] > at; i--) {
		search->bounds[i + 1] = search->bounds[i];
		search->p[i + 1] = search->p[i];
	}
	search->bounds[i + 1] = at;
	search->p[i + 1] = p;
}

/* Divides the segments while a test succeeds. Returns p of the first test. */
static double divide(struct search *search, double level)
{
	double first = NAN;

	for (;;) {
		search->scale = scale_of(search);
		struct candidate best = { 0 };
		/* Equal values leave no scale. */
		if (search->scale > 0)
			best = best_of(search, search->values, 0);
		double p = best.at ? test(search, &best) : 1;
		if (isnan(first))
			first = p;
		if (p >= level)
			return first;
		insert(search, best.at, p);
	}
}

static double shift_at(const struct search *search, size_t i)
{
	const size_t *bounds = search->bounds;

	return mean_of(search->values, bounds[i], bounds[i + 1]) -
		mean_of(search->values, bounds[i - 1], bounds[i]);
}

/* Removes the bound with the smallest shift if that is below the floor: later
 * divisions have changed the means beside it. */
static bool remove_smallest(struct search *search)
{
	size_t least = 0;

	for (size_t i = 1; i < search->segments; i++)
		if (!least ||
			fabs(shift_at(search, i)) <
				fabs(shift_at(search, least)))
			least = i;
	if (!least || fabs(shift_at(search, least)) >= search->floor)
		return false;
	for (size_t i = least; i < search->segments; i++) {
		search->bounds[i] = search->bounds[i + 1];
		search->p[i] = search->p[i + 1];
	}
	search->segments--;
	return true;
}

static void list_changes(const struct search *search, struct changes *changes)
{
	const size_t *bounds = search->bounds;

	for (size_t i = 1; i < search->segments; i++) {
		ARRAY_GROW(changes->list, changes->count);
		changes->list[changes->count++] = (struct change){
			.at = bounds[i],
			.before = mean_of(search->values, bounds[i - 1],
				bounds[i]),
			.after = mean_of(search->values, bounds[i],
				bounds[i + 1]),
			.p = search->p[i],
		};
	}
}

void changes_find(const double *values, size_t n, double floor, double level,
	struct changes *changes)
{
	struct search search = { .values = values,
		.n = n,
		.floor = floor,
		.segments = 1 };

	*changes = (struct changes){ .p = 1 };
	if (n < 2 * CHANGES_SIDE)
		return;
	search.bounds = xcalloc(n + 1, sizeof *search.bounds);
	search.p = xcalloc(n + 1, sizeof *search.p);
	search.sums = xcalloc(n + 1, sizeof *search.sums);
	search.inverse = xcalloc(n + 1, sizeof *search.inverse);
	for (size_t i = 1; i <= n; i++)
		search.inverse[i] = 1 / (double)i;
	search.bounds[1] = n;
	changes->p = divide(&search, level);
	while (remove_smallest(&search))
		;
	list_changes(&search, changes);
	free(search.bounds);
	free(search.p);
	free(search.sums);
	free(search.inverse);
}

void changes_free(struct changes *changes)
{
	free(changes->list);
	*changes = (struct changes){ 0 };
}

double changes_noise(const double *values, size_t n)
{
	if (n < 2)
		return NAN;
	double *steps = xmalloc((n - 1) * sizeof *steps);
	for (size_t i = 1; i < n; i++)
		steps[i - 1] = fabs(values[i] - values[i - 1]);
	double noise = median_of(steps, n - 1);
	free(steps);
	return noise;
}
