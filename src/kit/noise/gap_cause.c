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

static size_t both_of(const size_t *bins, size_t first)
{
	return bins[first] + bins[(first + 1) % BINS];
}

/* The first of the two adjacent bins with most gaps, and their number. */
static size_t fullest(const size_t *bins, size_t *gaps)
{
	size_t best = 0;

	for (size_t i = 1; i < BINS; i++)
		if (both_of(bins, i) > both_of(bins, best))
			best = i;
	*gaps = both_of(bins, best);
	return best;
}

static int by_length(const void *a, const void *b)
{
	const struct gap *const *p = a, *const *q = b;

	return ((*p)->ticks > (*q)->ticks) - ((*p)->ticks < (*q)->ticks);
}

/* Half the duration of a tick. Gaps fill the bins, the longest first, until two
 * adjacent bins have half of the ticks: there the last one is a typical tick.
 * Many shorter gaps do not matter, nor do a few longer ones. 0: unknown. */
static uint64_t shortest_tick(struct gap *const *sorted, size_t count,
	uint64_t ticks, double period)
{
	uint64_t half = ticks / 2 > TICKS_LEAST ? ticks / 2 : TICKS_LEAST;
	size_t bins[BINS] = { 0 };

	while (count--) {
		size_t bin = bin_of(sorted[count], period);

		bins[bin]++;
		if (both_of(bins, bin) >= half ||
			both_of(bins, (bin + BINS - 1) % BINS) >= half)
			return sorted[count]->ticks / 2;
	}
	return 0;
}

/* Finds at most `timer` ticks in gaps without another task, sorted by length.
 * Up to `hidden` more interrupts were in gaps with one. Returns the number. */
static uint64_t find_ticks(struct gap **sorted, size_t count, uint64_t timer,
	uint64_t hidden, double period)
{
	uint64_t least = shortest_tick(sorted, count,
		timer > hidden ? timer - hidden : 0, period);
	size_t bins[BINS] = { 0 }, in_phase;
	uint64_t ticks = 0;

	for (size_t i = 0; i < count; i++)
		if (sorted[i]->ticks >= least)
			bins[bin_of(sorted[i], period)]++;
	size_t first = fullest(bins, &in_phase);
	if (in_phase < TICKS_LEAST)
		return 0;
	for (size_t i = count; i-- && ticks < timer;) {
		size_t bin = bin_of(sorted[i], period);

		if (sorted[i]->ticks < least)
			break;
		if (bin != first && bin != (first + 1) % BINS)
			continue;
		sorted[i]->cause = GAP_TIMER;
		ticks++;
	}
	return ticks;
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

	for (size_t i = 0; i < count; i++) {
		if (gaps[i].cause == GAP_TASK) {
			known += 1 +
				(uint64_t)((double)gaps[i].ticks / period);
			continue;
		}
		gaps[i].cause = GAP_HOST;
		rest[left++] = &gaps[i];
	}
	qsort(rest, left, sizeof *rest, by_length);
	known += find_ticks(rest, left, counts->timer, known, period);
	uint64_t others = counts->all > known ? counts->all - known : 0;
	for (size_t i = 0; i < left && others; i++) {
		if (rest[i]->cause != GAP_HOST)
			continue;
		rest[i]->cause = GAP_INTERRUPT;
		others--;
	}
	free(rest);
}

size_t gaps_longer(struct gap *gaps, size_t count, uint64_t least)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (gaps[i].ticks > least)
			gaps[kept++] = gaps[i];
	return kept;
}
