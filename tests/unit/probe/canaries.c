/* Launches with canaries of given ratios. */
#include "canaries.h"

#include "digest.h"

struct results *unjudged(void)
{
	struct results *results = one_metric(1);
	struct clock_facts *clock = &results->clock;

	clock->canary_cycles = CANARY_NET / clock->hz * clock->core_hz;
	results->sharing = (struct sharing){ 0 };
	return results;
}

void put_canary(struct results *results, double latency, double ratio)
{
	new_canary_of(results, 0, (uint32_t)lround(CANARY_OVERHEAD + latency),
		(uint32_t)lround(CANARY_OVERHEAD + latency * ratio));
}

void add_launch_of(struct results *results, const double *ratios, size_t count,
	unsigned flags)
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

void judge_launch(struct results *results, const double *ratios, size_t count)
{
	add_launch_of(results, ratios, count, 0);
	sharing_judge(results, (unsigned)results->launch_count - 1);
}

void judge_alike(struct results *results, double ratio, size_t count)
{
	static double ratios[3 * CANARIES_A_LAUNCH];

	for (size_t i = 0; i < count; i++)
		ratios[i] = ratio;
	judge_launch(results, ratios, count);
}

unsigned judged_flags(const struct results *results, size_t launch,
	size_t trial)
{
	unsigned flags;
	double value;

	assert_true(results_trial(results, &results->points[0], 0, launch,
		trial, SCALE_UNIT, &value, &flags));
	return flags;
}

void fill_between(double *ratios, size_t count, double low, double high,
	uint64_t *random)
{
	for (size_t i = 0; i < count; i++)
		ratios[i] = low +
			(high - low) * (double)random_below(random, 1000) / 999;
}
