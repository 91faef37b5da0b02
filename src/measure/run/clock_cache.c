/* The calibrations of a lab. */
#include "canary_known.h"
#include "run.h"
#include "tick.h"

void clock_cache_keep(struct clock_cache *cache, int cpu, int second,
	struct clock_facts *facts)
{
	canary_recall(cache->canary_path, cpu, facts);
	cache->facts[cpu] = *facts;
	cache->measured_ns[cpu] = tick_raw_ns();
	cache->second[cpu] = second + 1;
}

void clock_cache_correct(struct clock_cache *cache, int cpu, double alone)
{
	struct clock_facts *kept = &cache->facts[cpu];

	if (alone >= kept->canary_alone)
		return;
	kept->canary_alone = alone;
	canary_recall(cache->canary_path, cpu, kept);
}
