/* The clocks of the timestamps (RFC 7323), whose tick is 1 ms to 1 s. */
#include "annotate_internal.h"

enum {
	TICK_NS = 1000000, /* assumed until it is measured */
	LEARN_NS = 100000000,
	/* A path may delay the first packet by up to a round trip more than the
	 * last. */
	BOUND_TICKS = 3,
};

static int64_t span_of(const struct side *side)
{
	return side->has_timestamps ?
		side->last_tsval_ns - side->first_tsval_ns :
		0;
}

static int64_t ticks_of(const struct side *side)
{
	return side->last_tsval - side->first_tsval;
}

int64_t clock_tick(const struct side *side)
{
	int64_t ticks = ticks_of(side);

	return span_of(side) < LEARN_NS || !ticks ? TICK_NS :
						    span_of(side) / ticks;
}

int64_t clock_tick_most(const struct side *side)
{
	int64_t ticks = ticks_of(side);

	/* Almost one tick may have passed before the first packet, and one
	 * after the last. */
	return span_of(side) < LEARN_NS || ticks < 2 ?
		UNKNOWN_NS :
		span_of(side) / (ticks - 1);
}

int64_t clock_tick_bound(const struct side *side)
{
	int64_t ticks = ticks_of(side);

	return ticks < BOUND_TICKS ? UNKNOWN_NS : span_of(side) / (ticks - 1);
}

int64_t clock_tick_least(const struct side *side)
{
	return span_of(side) < LEARN_NS ? 0 :
					  span_of(side) / (ticks_of(side) + 1);
}
