/* The end of slow start as it is reported. */
#include "connection.h"

/* True if the open round already carries more than the one before, as in slow
 * start. A smaller one may still grow, or the data ended in it. */
static bool has_grown(const struct rounds *rounds)
{
	const struct round *last = &rounds->at[rounds->count - 1];

	return last->bytes * 4 >= last[-1].bytes * 5;
}

struct slow_start_exit side_exit(const struct side *side)
{
	const struct rounds *rounds = &side->rounds;
	bool seen = rounds->exit.reason != EXIT_NONE &&
		rounds->exit.reason != EXIT_END_OF_DATA;

	if (seen || !rounds->slow_rounds || rounds->count < 2 ||
		has_grown(rounds))
		return rounds->exit;
	return (struct slow_start_exit){
		.reason = EXIT_UNKNOWN,
		.round = rounds->count - 1,
		.evidence = rounds->at[rounds->count - 1].number,
		.t_ns = rounds->at[rounds->count - 1].start_ns,
		.in_flight_bytes = side->in_flight_most_bytes,
	};
}
