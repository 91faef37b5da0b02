/* The cost of an empty pair of clock reads. */
#include "overhead.h"

#include <math.h>
#include <string.h>

#include "probe.h"

/* Readings are small integers: a histogram gives every quantile in one pass.
 * Longer readings were interrupted and count as the longest. */
enum { TALLY_TICKS = 8192 };

struct tally {
	uint32_t count[TALLY_TICKS];
	size_t total;
};

/* The reading below or at which the fraction `p` lies. */
static double tally_quantile(const struct tally *tally, double p)
{
	double wanted = p * (double)(tally->total - 1);
	size_t seen = 0;

	for (size_t ticks = 0; ticks < TALLY_TICKS; ticks++) {
		seen += tally->count[ticks];
		if ((double)seen > wanted)
			return (double)ticks;
	}
	return TALLY_TICKS - 1;
}

/* The same as median_stepped(), which the summaries of trials use. */
static double tally_median(const struct tally *tally, double step)
{
	double median = tally_quantile(tally, .5);
	size_t below = 0, at = 0;

	if (step <= 0)
		return median;
	for (size_t ticks = 0; ticks < TALLY_TICKS; ticks++) {
		double off = (double)ticks - median;

		below += off <= -step / 4 ? tally->count[ticks] : 0;
		at += fabs(off) < step / 4 ? tally->count[ticks] : 0;
	}
	return median +
		step *
		(((double)tally->total / 2 - (double)below) / (double)at - .5);
}

struct overhead overhead_measure(struct probe *probe, size_t pairs,
	double quantum)
{
	struct overhead overhead = { 0 };
	struct tally tally;
	bool quiet = probe->quiet;

	memset(&tally, 0, sizeof tally);
	probe->quiet = true;
	for (size_t i = 0; i < pairs; i++) {
		probe->spent = 0;
		probe_start(probe);
		probe_stop(probe, 0, 1);
		int64_t ticks = (int64_t)probe->spent;

		overhead.backwards += ticks < 0;
		if (ticks < 0)
			continue;
		tally.count[ticks < TALLY_TICKS ? ticks : TALLY_TICKS - 1]++;
		tally.total++;
	}
	probe->quiet = quiet;
	if (!tally.total)
		return overhead;
	overhead.least = tally_quantile(&tally, 0);
	overhead.median = tally_median(&tally, quantum);
	overhead.jitter =
		tally_quantile(&tally, .99) - tally_quantile(&tally, .01);
	return overhead;
}
