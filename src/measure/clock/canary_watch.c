/* Consecutive canaries. */
#include "canary_watch.h"

#include "probe.h"
#include "sharing.h"

void canary_watch(const struct probe *probe, const struct clock_facts *clock,
	uint64_t end_ns, struct canary_tally *tally)
{
	double alone = clock->canary_alone;
	uint64_t last_ns = tick_raw_ns(), now_ns = last_ns;

	/* Ends, too, if the clock steps back. */
	for (; now_ns < end_ns && now_ns >= last_ns; now_ns = tick_raw_ns()) {
		last_ns = now_ns;
		struct canary canary = canary_run(probe, clock->canary_kind,
			clock->canary_multiplies);
		double ratio = canary_ratio(&canary, clock->overhead);

		if (!canary_readable(ratio, alone))
			continue;
		tally->shared += ratio > alone * SHARING_STEP;
		tally->all++;
	}
}

double canary_tally_share(const struct canary_tally *tally)
{
	return tally->all ? (double)tally->shared / (double)tally->all : 1;
}
