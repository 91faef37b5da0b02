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

	if (!may_resume(&rounds->exit) || rounds->count <= rounds->exit.round ||
		!size || !outgrows(rounds, size))
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
