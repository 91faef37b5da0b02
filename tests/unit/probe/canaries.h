/* Launches with canaries of given ratios, and a trial between each two. */
#ifndef BENCHTOP_CANARIES_H
#define BENCHTOP_CANARIES_H

#include "random.h"
#include "sharing.h"
#include "trials.h"

/* Net ticks of a latency half: so long that a ratio is right to 1e-5. */
enum { CANARY_NET = 100000, CANARY_OVERHEAD = 40, CANARIES_A_LAUNCH = 4000 };

/* Known to have the ratio 1 and those ticks on a core of its own; nothing is
 * judged yet. */
static inline struct results *unjudged(void)
{
	struct results *results = one_metric(1);
	struct clock_facts *clock = &results->clock;

	clock->canary_cycles = CANARY_NET / clock->hz * clock->core_hz;
	results->sharing = (struct sharing){ 0 };
	return results;
}

static inline void put_canary(struct results *results, double latency,
	double ratio)
{
	new_canary_of(results, 0, (uint32_t)lround(CANARY_OVERHEAD + latency),
		(uint32_t)lround(CANARY_OVERHEAD + latency * ratio));
}

/* A launch of one visit, the trials of which have `flags` before they are
 * judged. */
static inline void add_launch_of(struct results *results, const double *ratios,
	size_t count, unsigned flags)
{
	new_launch(results);
	new_visit(results, 0, 0)->canary_every = 1;
	for (size_t i = 0; i < count; i++) {
		put_canary(results, CANARY_NET, ratios[i]);
		if (i + 1 < count)
			new_trial(results, 0, 0, 140, flags);
	}
	results->points[0].visits[results->launch_count - 1].canary_first =
		results->points[0].canary.count - count;
}

/* The same, and judges it as the lab does when it has ended. */
static inline void judge_launch(struct results *results, const double *ratios,
	size_t count)
{
	add_launch_of(results, ratios, count, 0);
	sharing_judge(results, (unsigned)results->launch_count - 1);
}

/* A launch in which all canaries are alike. */
static inline void judge_alike(struct results *results, double ratio,
	size_t count)
{
	static double ratios[3 * CANARIES_A_LAUNCH];

	for (size_t i = 0; i < count; i++)
		ratios[i] = ratio;
	judge_launch(results, ratios, count);
}

static inline unsigned judged_flags(const struct results *results,
	size_t launch, size_t trial)
{
	unsigned flags;
	double value;

	assert_true(results_trial(results, &results->points[0], 0, launch,
		trial, SCALE_UNIT, &value, &flags));
	return flags;
}

/* A number of ratios, even between two ends. */
static inline void fill_between(double *ratios, size_t count, double low,
	double high, uint64_t *random)
{
	for (size_t i = 0; i < count; i++)
		ratios[i] = low +
			(high - low) * (double)random_below(random, 1000) / 999;
}

#endif
