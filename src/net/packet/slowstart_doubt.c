/* Whether the retransmission that ended slow start repaired a loss, and when an
 * end that nothing proves is withdrawn. */
#include "annotate_internal.h"

bool slowstart_is_proven(const struct step *step)
{
	enum retransmission why = step->sighting->why;

	return step->fresh_bytes || why == RETRANSMIT_FAST ||
		why == RETRANSMIT_RACK || why == RETRANSMIT_RECOVERY ||
		why == RETRANSMIT_AGAIN;
}

void slowstart_again(struct step *step, uint64_t to)
{
	struct slow_start_exit *end = &step->self->rounds.exit;

	if (end->reason == EXIT_LOSS && step->from < end->to && end->from < to)
		end->again = true;
}

void slowstart_original(struct side *side, uint64_t from, uint64_t to)
{
	struct slow_start_exit *end = &side->rounds.exit;

	if (end->reason == EXIT_LOSS && from < end->to && end->from < to)
		end->certain = false;
}

static void withdraw(struct connection *connection, int side)
{
	struct rounds *rounds = &connection->side[side].rounds;

	rounds->exit = (struct slow_start_exit){ 0 };
	events_remove(connection, side, EVENT_EXIT, 0);
}

void slowstart_needless(struct connection *connection, int side, uint64_t from,
	uint64_t to)
{
	const struct slow_start_exit *end = &connection->side[side].rounds.exit;

	if (end->again)
		return;
	slowstart_original(&connection->side[side], from, to);
	/* A probe that was not needed reduces no window (RFC 8985, 7.4). */
	if (end->reason == EXIT_LOSS && end->probe && !end->certain)
		withdraw(connection, side);
}

/* True if the last round is longer than any before by more than congestion
 * avoidance adds, at most half of the window (RFC 9438, 4.2). Rounds below the
 * usual initial window may have used little of theirs. */
static bool outgrows(const struct rounds *rounds, uint64_t size)
{
	uint32_t i = rounds->count - 1;
	uint64_t longest = 0, bytes = rounds->at[i].bytes;

	while (i-- > 0) {
		const struct round *round = &rounds->at[i];
		uint64_t most = greater(round->bytes, round->in_flight_bytes);

		if (bytes * 10 < most * 16)
			return false;
		longest = greater(longest, most);
	}
	return longest >= INITIAL_SEGMENTS * size;
}

uint64_t slowstart_most_bytes(const struct rounds *rounds)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < rounds->exit.round; i++)
		most = greater(most,
			greater(rounds->at[i].bytes,
				rounds->at[i].in_flight_bytes));
	return most;
}

/* True if only the congestion window explains why the round did not grow: after
 * a pause a sender may begin again with its initial window. */
static bool is_stalled(const struct rounds *rounds, uint32_t i)
{
	const struct round *round = &rounds->at[i];

	return !round->app_limited && !round[-1].app_limited &&
		!round->window_full && round->bytes * 4 < round[-1].bytes * 5;
}

/* True if the application paused, and later a flight at least as long as any
 * until then fills the receive window: the pause did not end the growth, the
 * window does. A repeat, a mark or two stalled rounds in between may have ended
 * it. */
static bool fills_after_pause(const struct rounds *rounds)
{
	uint32_t last = rounds->count - 1;
	const struct round *round = &rounds->at[last];

	if (!rounds->at[rounds->exit.round - 1].app_limited ||
		!round->window_full)
		return false;
	for (uint32_t i = rounds->exit.round; i <= last; i++)
		if (rounds->at[i].retransmissions || rounds->at[i].reduced ||
			rounds->at[i].marked ||
			(is_stalled(rounds, i) && is_stalled(rounds, i - 1)))
			return false;
	return greater(round->bytes, round->in_flight_bytes) >=
		slowstart_most_bytes(rounds);
}

/* True if nothing proves the end: later growth disproves it. */
static bool may_resume(const struct slow_start_exit *end)
{
	if (end->reason == EXIT_LOSS)
		return !end->certain || end->unproven;
	return end->reason == EXIT_UNKNOWN ||
		(end->reason >= EXIT_HYSTART && end->reason <= EXIT_PACING);
}

void slowstart_resumed(struct connection *connection, int side)
{
	const struct side *self = &connection->side[side];
	uint64_t size = side_segment_bytes(self);
	struct rounds *rounds = &connection->side[side].rounds;

	if (rounds->count <= rounds->exit.round)
		return;
	bool resumed = rounds->exit.reason == EXIT_APPLICATION ?
		fills_after_pause(rounds) :
		may_resume(&rounds->exit) && size && outgrows(rounds, size);
	if (!resumed)
		return;
	withdraw(connection, side);
	rounds->slow_rounds = 0;
}

void slowstart_disproved(struct side *side, uint64_t number)
{
	struct slow_start_exit *end = &side->rounds.exit;

	if (end->reason == EXIT_LOSS && end->evidence == number)
		end->certain = false;
}

void slowstart_proved(struct side *side, uint64_t number)
{
	if (side->rounds.exit.evidence == number)
		side->rounds.exit.unproven = false;
}
