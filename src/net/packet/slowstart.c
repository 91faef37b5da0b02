/* Finds why the congestion window stopped doubling: at the first loss or mark,
 * or when two consecutive rounds did not grow. A full receive window ends slow
 * start, unless doubling continues when the window is wider. The thresholds of
 * HyStart are those of the Linux kernel (tcp_cubic.c) and RFC 9406. */
#include "annotate_internal.h"

enum {
	SLOW_ROUNDS = 2,
	HYSTART_LEAST_SEGMENTS = 16,
	HYSTART_SAMPLES = 8,
	DELAY_LEAST_NS = 4000000,
	DELAY_MOST_NS = 16000000,
};

static void end_at(struct step *step, int side, enum exit_reason reason,
	bool certain)
{
	struct side *self = &step->connection->side[side];
	struct slow_start_exit *end = &self->rounds.exit;

	if (end->reason != EXIT_NONE || !self->rounds.count ||
		!side_is_answered(step->connection, side))
		return;
	*end = (struct slow_start_exit){
		.reason = reason,
		.certain = certain,
		.round = self->rounds.count,
		.evidence = step->packet->number,
		.t_ns = step->packet->t_ns,
		.in_flight_bytes = self->in_flight_most_bytes,
	};
	if (reason != EXIT_END_OF_DATA)
		event_add(step, side, EVENT_EXIT, reason, 0, 0);
}

/* True if a round grew by less than a quarter. */
static bool is_slow(const struct rounds *rounds, uint32_t i)
{
	return i && rounds->at[i].bytes * 4 < rounds->at[i - 1].bytes * 5;
}

/* Smaller growth than in any slow start (1.6 and more): the round was cut
 * short. */
static bool is_short(const struct rounds *rounds, uint32_t i)
{
	return rounds->at[i].bytes * 10 < rounds->at[i - 1].bytes * 16;
}

/* The minimum round trip of the rounds before `before`. */
static int64_t base_rtt(const struct connection *connection,
	const struct rounds *rounds, uint32_t before)
{
	int64_t base_ns = connection->handshake.path_ns;

	for (uint32_t i = 0; i < before; i++) {
		int64_t rtt_ns = rounds->at[i].rtt_ns;

		if (rtt_ns != UNKNOWN_NS &&
			(base_ns == UNKNOWN_NS || rtt_ns < base_ns))
			base_ns = rtt_ns;
	}
	return base_ns;
}

/* The HyStart criterion that applies to the last round that grew. */
static enum exit_reason hystart_sign(const struct connection *connection,
	const struct side *self, uint32_t last)
{
	const struct rounds *rounds = &self->rounds;
	int64_t base_ns = base_rtt(connection, rounds, last);

	if (base_ns == UNKNOWN_NS)
		return EXIT_HYSTART;
	int64_t more_ns = base_ns / 8;
	if (more_ns < DELAY_LEAST_NS)
		more_ns = DELAY_LEAST_NS;
	if (more_ns > DELAY_MOST_NS)
		more_ns = DELAY_MOST_NS;
	/* The delay is known after the first acknowledgements of a round, the
	 * length of the train only later. */
	for (uint32_t i = last > 1 ? last - 2 : 0; i <= last; i++) {
		if (rounds->at[i].rtt_samples >= HYSTART_SAMPLES &&
			rounds->at[i].rtt_ns >= base_ns + more_ns)
			return EXIT_HYSTART_DELAY;
		if (rounds->at[i].train_ns > base_ns / 2)
			return EXIT_HYSTART_TRAIN;
	}
	return EXIT_HYSTART;
}

/* True if the send buffer limits the rounds: the sender sends the whole buffer
 * in each round. */
static bool fills_buffer(const struct side *side, uint32_t last)
{
	const struct round *round = &side->rounds.at[last];

	return last && side->mss_bytes && round->bytes % side->mss_bytes &&
		round->bytes == round[-1].bytes &&
		round->bytes > side->mss_bytes;
}

static enum exit_reason by_growth(const struct step *step, uint32_t last)
{
	const struct side *self = step->self;
	const struct rounds *rounds = &self->rounds;
	const struct round *round = &rounds->at[last];

	if (step->options->paced)
		return EXIT_PACING;
	if (fills_buffer(self, last))
		return EXIT_SEND_BUFFER;
	/* The round contains all data if it ends with an incomplete segment. */
	if (round->segments < HYSTART_LEAST_SEGMENTS)
		return self->mss_bytes && round->bytes % self->mss_bytes ?
			EXIT_APPLICATION :
			EXIT_UNKNOWN;
	return hystart_sign(step->connection, self, last);
}

/* True if a later round carried more than the filled window had allowed: either
 * without filling its window, or because the window grew by half. */
static bool has_resumed(const struct rounds *rounds)
{
	uint32_t last = rounds->count - 1;
	const struct round *round = &rounds->at[last];
	uint64_t most = 0;

	if (last < rounds->exit.round)
		return false;
	for (uint32_t i = 0; i < rounds->exit.round; i++)
		if (rounds->at[i].bytes > most)
			most = rounds->at[i].bytes;
	if (!round->window_full)
		return round->bytes * 10 > most * 11;
	return round->bytes * 2 > most * 3 &&
		round->window_bytes * 2 >
		rounds->at[rounds->exit.round - 1].window_bytes * 3;
}

/* Withdraws an end by the receive window: the receiver was late or its window
 * was still growing. The actual end of slow start comes later. */
static void note_resumed(struct connection *connection, int side)
{
	struct rounds *rounds = &connection->side[side].rounds;

	if (rounds->exit.reason != EXIT_WINDOW || !has_resumed(rounds))
		return;
	for (uint32_t i = connection->event_count; i-- > 0;) {
		struct tcp_event *event = &connection->events[i];

		if (event->kind == EVENT_EXIT && event->side == side) {
			event->kind = EVENT_WINDOW_FULL;
			event->why = 0;
			break;
		}
	}
	rounds->exit = (struct slow_start_exit){ 0 };
	rounds->slow_rounds = 0;
}

/* Call when a round is complete and the next is about to open. */
void slowstart_round(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	uint32_t last = rounds->count - 1;
	const struct round *round = &rounds->at[last];

	note_resumed(step->connection, step->side);
	/* While data is missing, it may be lost. Until this is known, a short
	 * round has no other meaning. */
	if (rounds->exit.reason != EXIT_NONE || step->self->sacked.count ||
		step->self->dupacks)
		return;
	if ((round->app_limited || round->silent) && !round->window_full &&
		last && is_short(rounds, last)) {
		/* Away from the sender's tap this is only inferred from
		 * time. */
		end_at(step, step->side, EXIT_APPLICATION,
			side_is_near(step->connection, step->side));
		return;
	}
	if (!is_slow(rounds, last)) {
		rounds->slow_rounds = 0;
		if (round->window_full && last &&
			round->bytes * 2 < rounds->at[last - 1].bytes * 3)
			end_at(step, step->side, EXIT_WINDOW, true);
		return;
	}
	if (round->window_full)
		end_at(step, step->side, EXIT_WINDOW, true);
	else if (rounds->basis == ROUNDS_ESTIMATED && rounds->blurred == 1)
		; /* not even the first flight had a visible end */
	else if (++rounds->slow_rounds >= SLOW_ROUNDS)
		end_at(step, step->side, by_growth(step, last), false);
}

/* Call for a retransmission. If the window had stopped growing before, the
 * cause was another one. */
void slowstart_loss(struct step *step, uint64_t to)
{
	struct rounds *rounds = &step->self->rounds;

	note_resumed(step->connection, step->side);
	if (rounds->slow_rounds && rounds->count > 1 && !step->options->paced &&
		rounds->at[rounds->count - 2].segments >=
			HYSTART_LEAST_SEGMENTS)
		end_at(step, step->side, by_growth(step, rounds->count - 2),
			false);
	else
		end_at(step, step->side, EXIT_LOSS, true);
	if (rounds->exit.evidence == step->packet->number) {
		rounds->exit.from = step->from;
		rounds->exit.to = to;
	}
}

void slowstart_needless(struct side *side, uint64_t from, uint64_t to)
{
	struct slow_start_exit *end = &side->rounds.exit;

	if (end->reason == EXIT_LOSS && from < end->to && end->from < to)
		end->certain = false;
}

void slowstart_end(struct step *step, int side, enum exit_reason reason)
{
	note_resumed(step->connection, side);
	end_at(step, side, reason, true);
}
