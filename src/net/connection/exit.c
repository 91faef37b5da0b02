/* The end of slow start as it is reported. */
#include "connection.h"

/* True if the open round already carries more than the one before, as in slow
 * start. A smaller one may still grow, or the data ended in it. */
static bool has_grown(const struct rounds *rounds)
{
	const struct round *last = &rounds->at[rounds->count - 1];

	return last->bytes * 4 >= last[-1].bytes * 5;
}

/* True if the capture lost data of the side until a time. */
static bool is_incomplete(const struct side *side, int64_t t_ns)
{
	return side->unseen.count && ranges_at(&side->unseen, 0)->t_ns <= t_ns;
}

/* True if the capture lost data, or data after the last round is missing. */
static bool is_end_lost(const struct side *side)
{
	const struct round *last = &side->rounds.at[side->rounds.count - 1];
	uint64_t end = last->first + last->bytes;

	return side->unseen.count ||
		ranges_overlap(&side->holes, end, UINT64_MAX);
}

/* True if the sender was silent for an unknown reason before the last round. */
static bool was_silent(const struct rounds *rounds)
{
	bool silent = false;

	for (uint32_t i = 1; i + 1 < rounds->count; i++)
		silent |= rounds->at[i].silent;
	return silent;
}

/* True if slow start may have ended before the data did, unseen. */
static bool is_end_unknown(const struct side *side)
{
	return side->rounds.exit.reason == EXIT_END_OF_DATA &&
		side->rounds.count &&
		(side->unclear || is_end_lost(side) ||
			was_silent(&side->rounds));
}

/* True if one of the two complete rounds after the end of slow start is nearly
 * as long as the longest flight until then. Congestion control that answers a
 * loss sends at most 0.7 (RFC 9438), and what it adds in two rounds. One that
 * follows the measured rate (BBR) keeps its flight. */
static bool keeps_flight(const struct rounds *rounds)
{
	uint32_t end = rounds->exit.round;
	uint64_t before = rounds->exit.in_flight_bytes;
	bool kept = false;

	for (uint32_t i = 0; i < end && i < rounds->count; i++)
		before = greater(before, rounds->at[i].bytes);
	for (uint32_t i = end; i < end + 2 && i + 1 < rounds->count; i++)
		kept |= rounds->at[i].bytes * 20 >= before * 17;
	return kept;
}

static struct slow_start_exit as_seen(const struct side *side)
{
	struct slow_start_exit end = side->rounds.exit;

	bool again = end.reason == EXIT_LOSS && end.certain;

	end.discarded |= end.beyond && again;
	end.unproven |= end.beyond;
	bool lost = again && !end.discarded;
	end.flight_kept |= lost && keeps_flight(&side->rounds);
	end.hystart &= lost && !end.flight_kept;
	end.unproven &= again;
	end.incomplete |= end.certain && end.reason != EXIT_NONE &&
		is_incomplete(side, end.t_ns);
	if (end.flight_kept || end.hystart || end.incomplete || end.unproven)
		end.certain = false;
	if (is_end_unknown(side)) {
		end.reason = EXIT_UNKNOWN;
		end.certain = false;
	}
	return end;
}

struct slow_start_exit side_exit(const struct side *side)
{
	const struct rounds *rounds = &side->rounds;
	bool seen = rounds->exit.reason != EXIT_NONE &&
		rounds->exit.reason != EXIT_END_OF_DATA;

	if (seen || !rounds->slow_rounds || rounds->count < 2 ||
		has_grown(rounds))
		return as_seen(side);
	return (struct slow_start_exit){
		.reason = EXIT_UNKNOWN,
		.round = rounds->count - 1,
		.evidence = rounds->at[rounds->count - 1].number,
		.t_ns = rounds->at[rounds->count - 1].start_ns,
		.in_flight_bytes = side->in_flight_most_bytes,
	};
}

bool side_exit_silent(const struct side *side)
{
	const struct rounds *rounds = &side->rounds;
	const struct slow_start_exit end = side_exit(side);

	return end.reason == EXIT_APPLICATION && !end.certain && end.round &&
		end.round <= rounds->count &&
		(rounds->at[end.round - 1].silent ||
			rounds->at[end.round - 1].app_limited);
}

/* The words for what is inferred; NULL: this end is certain. */
static const char *doubtful(const struct side *side, enum exit_reason reason)
{
	static const char *const words[EXIT_REASONS] = {
		[EXIT_LOSS] =
			"a needless retransmission ended slow start",
		[EXIT_WINDOW] = "the receive window probably ended slow start",
		[EXIT_APPLICATION] = "slow start ended: the application "
				     "probably wrote less than the window "
				     "allowed",
		[EXIT_HYSTART] = "slow start ended without loss: probably "
				 "HyStart or pacing",
		[EXIT_HYSTART_DELAY] = "slow start ended after longer round "
				       "trips: probably HyStart or pacing",
		[EXIT_HYSTART_TRAIN] = "slow start ended after a train of "
				       "ACKs: probably HyStart or pacing",
		[EXIT_PACING] = "start-up probably ended: the paced rate "
				"stopped growing",
		[EXIT_UNKNOWN] = "slow start may have ended: growth stopped, "
				 "cause unknown",
		[EXIT_SEND_BUFFER] = "slow start ended at equal flights: "
				     "probably the send buffer",
	};

	static const char *const gaps[EXIT_REASONS] = {
		[EXIT_LOSS] = "loss probably ended slow start: the capture "
			      "lost packets before",
		[EXIT_ECN] = "a congestion mark (ECN) probably ended slow "
			     "start: the capture lost packets before",
		[EXIT_WINDOW] = "the receive window probably ended slow start: "
				"the capture lost packets before",
	};
	const struct slow_start_exit end = side_exit(side);

	if (end.flight_kept)
		return "loss may have ended slow start: the flight did not "
		       "fall";
	if (end.hystart)
		return "loss may have ended slow start, if HyStart or pacing "
		       "did not";
	if (end.unproven && end.discarded)
		return "loss ended slow start, or the receiver discarded data "
		       "beyond its window";
	if (end.unproven)
		return "loss may have ended slow start: neither SACK, "
		       "duplicate ACKs nor timestamps show it";
	if (end.incomplete && gaps[reason])
		return gaps[reason];
	if (side_exit_silent(side))
		return "slow start ended in a silence: nothing to send, or "
		       "loss before the capture";
	if (reason == EXIT_LOSS && side->unclear)
		return "slow start ended at a retransmission that may have "
		       "been needless";
	if (reason == EXIT_UNKNOWN && is_end_unknown(side))
		return "slow start may have ended before the data did";
	return words[reason];
}

const char *side_exit_words(const struct side *side)
{
	static const char *const words[EXIT_REASONS] = {
		[EXIT_NONE] = "slow start did not end in the capture",
		[EXIT_LOSS] = "loss ended slow start",
		[EXIT_ECN] = "a congestion mark (ECN) ended slow start",
		[EXIT_WINDOW] = "the receive window ended slow start",
		[EXIT_APPLICATION] =
			"slow start ended: the application had no more data",
		[EXIT_END_OF_DATA] = "the data ended during slow start",
	};
	const struct slow_start_exit end = side_exit(side);
	const char *doubt = end.certain ? NULL : doubtful(side, end.reason);

	if (end.discarded && !doubt)
		return "slow start ended: the receiver discarded data beyond "
		       "its window";
	return doubt ? doubt : words[end.reason];
}
