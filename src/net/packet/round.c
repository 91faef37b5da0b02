/* Sums of the packets of a round. */
#include "annotate_internal.h"

void round_count(const struct side *side, struct round *round)
{
	round->segments =
		side_segments_about(side, round->bytes, round->frames);
}

void round_add(struct round *round, const struct round *added)
{
	round->last_ns = added->last_ns;
	round->bytes += added->bytes;
	round->frames += added->frames;
	round->short_frames += added->short_frames;
	round->unprompted_bytes += added->unprompted_bytes;
	if (added->in_flight_bytes > round->in_flight_bytes)
		round->in_flight_bytes = added->in_flight_bytes;
}
