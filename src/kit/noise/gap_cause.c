/* The causes of gaps. */
#include "gap_cause.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

/* The tick is within two adjacent bins. Noise rarely fills them. */
enum { BINS = 128, TICKS_LEAST = 3 };

static size_t bin_of(const struct gap *gap, double period)
{
	return (size_t)(fmod((double)gap->at, period) / period * BINS) % BINS;
}

/* The first of the two adjacent bins with most gaps, and their number. */
static size_t fullest(const size_t *bins, size_t *gaps)
{
	size_t best = 0;

	*gaps = 0;
	for (size_t i = 0; i < BINS; i++) {
		size_t both = bins[i] + bins[(i + 1) % BINS];

		if (both <= *gaps)
			continue;
		*gaps = both;
		best = i;
	}
	return best;
}

/* Returns the number of gaps that are ticks. */
static uint64_t find_ticks(struct gap *gaps, size_t count, uint64_t timer,
	double period)
{
	size_t bins[BINS] = { 0 }, in_phase;
	uint64_t ticks = 0;

	for (size_t i = 0; i < count; i++)
		if (gaps[i].cause != GAP_TASK)
			bins[bin_of(&gaps[i], period)]++;
	size_t first = fullest(bins, &in_phase);
	if (in_phase < TICKS_LEAST)
		return 0;
	for (size_t i = 0; i < count && ticks < timer; i++) {
		size_t bin = bin_of(&gaps[i], period);

		if (gaps[i].cause == GAP_TASK ||
			(bin != first && bin != (first + 1) % BINS))
			continue;
		gaps[i].cause = GAP_TIMER;
		ticks++;
	}
	return ticks;
}

static int by_length(const void *a, const void *b)
{
	const struct gap *const *p = a, *const *q = b;

	return ((*p)->ticks > (*q)->ticks) - ((*p)->ticks < (*q)->ticks);
}

void gaps_exclude_unwatched(struct interrupts *counts, double watched,
	double *left)
{
	*left += (double)counts->all * (1 - watched);
	double whole = fmin(floor(*left), (double)counts->all);

	counts->all -= (uint64_t)whole;
	*left -= whole;
}

void gaps_find_causes(struct gap *gaps, size_t count,
	const struct interrupts *counts, double period)
{
	struct gap **rest = xmalloc((count + 1) * sizeof(struct gap *));
	uint64_t known = 0;
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (gaps[i].cause == GAP_TASK)
			known += 1 +
				(uint64_t)((double)gaps[i].ticks / period);
		else
			gaps[i].cause = GAP_HOST;
	known += find_ticks(gaps, count, counts->timer, period);
	uint64_t others = counts->all > known ? counts->all - known : 0;
	for (size_t i = 0; i < count; i++)
		if (gaps[i].cause == GAP_HOST)
			rest[left++] = &gaps[i];
	qsort(rest, left, sizeof *rest, by_length);
	for (size_t i = 0; i < left && i < others; i++)
		rest[i]->cause = GAP_INTERRUPT;
	free(rest);
}
