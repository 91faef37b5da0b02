/*
 * Rounds: the data that one flight of acknowledgements released.
 *
 * Round k begins at byte S. Once something beyond S is acknowledged, also
 * selectively (RFC 2018) or, where the receiver cannot select, by a first
 * duplicate, the next new data that was sent knowing it opens round k + 1: what
 * limited transmit (RFC 3042) sends is of the next round. That it was sent
 * knowing it is seen from its timestamp echo, which is the same at both ends
 * of the path. One tick of the timestamp clock may hold acknowledgements of two
 * rounds: all data that echoes the tick then counts to the later one, at either
 * end. What is lost at the edge of two rounds, between the last segment that
 * arrived of the one and the first of the other, echoes nothing at the
 * receiver: it counts to the earlier round, and at the sender's tap too, once
 * it is sent again (edges.c). Without timestamps all this is certain only at
 * the sender's tap, and elsewhere estimated by time.
 */
#include "annotate_internal.h"

enum {
	SHORTEST_NS = 2000000, /* below, rounds are not to be told apart */
	TICK_NS = 1000000,     /* of a timestamp clock, until it is known */
	TICK_LEARN_NS = 100000000,
};

/* What one step of a side's timestamp clock takes. */
static int64_t tick_of(const struct side *side)
{
	uint32_t ticks = side->last_tsval - side->first_tsval;
	int64_t span_ns = side->last_tsval_ns - side->first_tsval_ns;

	if (span_ns < TICK_LEARN_NS || !ticks)
		return TICK_NS;
	return span_ns / ticks;
}

static enum rounds_basis basis_of(const struct step *step)
{
	const struct connection *connection = step->connection;
	int64_t path_ns = connection->handshake.path_ns;
	bool near = side_is_near(connection, step->side);

	if (path_ns == UNKNOWN_NS && near)
		path_ns = step->self->rtt.least_ns;
	if (path_ns != UNKNOWN_NS && path_ns < SHORTEST_NS)
		return ROUNDS_TOO_SHORT;
	if (connection->tap == TAP_LOOPBACK && path_ns == UNKNOWN_NS)
		return ROUNDS_TOO_SHORT;
	if (step->packet->options.present & OPTION_TIMESTAMPS &&
		(path_ns == UNKNOWN_NS || path_ns > 2 * tick_of(step->peer)))
		return ROUNDS_ECHO;
	if (near)
		return ROUNDS_ACK_CLOCK;
	return path_ns == UNKNOWN_NS ? ROUNDS_NONE : ROUNDS_ESTIMATED;
}

static struct round *current(struct rounds *rounds)
{
	return rounds->count ? &rounds->at[rounds->count - 1] : NULL;
}

/* Without echoes, at the far tap: the data that acknowledgements released
 * comes a round trip after them, shown first by the handshake, then learned
 * from the data itself. */
static bool is_late_enough(const struct step *step)
{
	const struct rounds *rounds = &step->self->rounds;
	int64_t rtt_ns = rounds->learned_ns != UNKNOWN_NS ?
		rounds->learned_ns :
		step->connection->handshake.path_ns * 3 / 4;

	return step->packet->t_ns - rounds->ack_ns >= rtt_ns / 5 * 4;
}

/* Some leave the timestamps out once the connection stands. */
static bool opens_without_echo(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;

	if (side_is_near(step->connection, step->side))
		return true;
	if (step->connection->handshake.path_ns == UNKNOWN_NS)
		return false;
	rounds->basis = ROUNDS_ESTIMATED;
	return is_late_enough(step);
}

/* Could new data have been sent with knowledge of the acknowledgement that was
 * the first of the open round, which its echo cannot show? A sender echoes
 * nothing from behind data that it has not acknowledged itself (RFC 7323, 4.3).
 * At its tap all that follows was; away from it the sender's clock shows what
 * was not, sent within a round trip of what was acknowledged. */
static bool may_be_unechoed(const struct step *step)
{
	const struct side *self = step->self;
	const struct rounds *rounds = &self->rounds;
	int64_t path_ns = step->connection->handshake.path_ns;

	if (!rounds->acked || rounds->basis != ROUNDS_ECHO ||
		!rounds->ack_unechoed)
		return false;
	if (side_is_near(step->connection, step->side))
		return true;
	if (self->rtt.samples && self->rtt.least_ns < path_ns)
		path_ns = self->rtt.least_ns;
	int32_t ticks =
		(int32_t)(step->packet->options.tsval - rounds->ack_tsecr);
	return path_ns != UNKNOWN_NS && ticks >= 0 &&
		(ticks + 1) * tick_of(self) >= path_ns;
}

/* Away from the sender only the first packet to acknowledge that data is sure
 * not to have been able to echo it. */
static bool opens_unechoed(const struct step *step)
{
	const struct side *self = step->self;
	uint64_t from = self->rounds.ack_from;

	if (!may_be_unechoed(step))
		return false;
	return side_is_near(step->connection, step->side) ||
		(self->last_ack < from &&
			unwrap(step->peer->next, step->packet->ack) >= from);
}

static bool opens_next(struct step *step)
{
	const struct rounds *rounds = &step->self->rounds;

	if (!rounds->acked)
		return false;
	switch (rounds->basis) {
	case ROUNDS_ECHO:
		if (!rounds->ack_has_timestamps ||
			!(step->packet->options.present & OPTION_TIMESTAMPS))
			return opens_without_echo(step);
		return timestamps_reach(step->packet->options.tsecr,
			       rounds->ack_tsval) ||
			opens_unechoed(step);
	case ROUNDS_ACK_CLOCK:
		return true;
	case ROUNDS_ESTIMATED:
		return is_late_enough(step);
	default:
		return false;
	}
}

static struct round round_at(const struct step *step)
{
	return (struct round){
		.start_ns = step->packet->t_ns,
		.last_ns = step->packet->t_ns,
		.number = step->packet->number,
		.first = step->from,
		.rtt_ns = UNKNOWN_NS,
	};
}

static struct round *open_round(struct step *step, const struct round *begun)
{
	struct rounds *rounds = &step->self->rounds;
	void *array = rounds->at;

	rounds->acked = false;
	if (!store_grow(step->store, &array, &rounds->room, rounds->count,
		    sizeof *rounds->at, ROUNDS_MAX)) {
		rounds->left_out++;
		step->facts->left_out++;
		return current(rounds);
	}
	rounds->at = array;
	rounds->at[rounds->count] = *begun;
	return &rounds->at[rounds->count++];
}

/* Was the sender out of data when the round ended? At its tap: all was
 * acknowledged for a while; at the far one: the data echoes an acknowledgement
 * of everything, and came late. */
static bool was_idle(const struct step *step)
{
	const struct side *self = step->self;
	int64_t t_ns = step->packet->t_ns;
	int64_t rtt_ns = rtt_best(step->connection, self);

	if (self->idle_since_ns == UNKNOWN_NS || rtt_ns == UNKNOWN_NS)
		return false;
	int64_t idle_ns = t_ns - self->idle_since_ns;
	if (side_is_near(step->connection, step->side))
		return idle_ns > rtt_ns / 4 && idle_ns > 1000000;
	return idle_ns > rtt_ns + rtt_ns / 2;
}

static void learn(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	int64_t gap_ns = step->packet->t_ns - rounds->ack_ns;

	if (rounds->basis == ROUNDS_ESTIMATED && gap_ns > 0 &&
		(rounds->learned_ns == UNKNOWN_NS ||
			gap_ns < rounds->learned_ns))
		rounds->learned_ns = gap_ns;
}

static void close_round(struct step *step)
{
	current(&step->self->rounds)->app_limited = was_idle(step);
	/* What a round led to is known when the next one is over. */
	slowstart_round(step);
}

/* The round a packet of new data belongs to. */
static struct round *round_of(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	struct round begun = round_at(step);

	if (!rounds->count) {
		rounds->basis = basis_of(step);
		if (rounds->basis == ROUNDS_NONE)
			return NULL;
	} else if (!opens_next(step)) {
		return current(rounds);
	} else {
		learn(step);
		close_round(step);
	}
	step->sighting->marks |= MARK_ROUND;
	return open_round(step, &begun);
}

/* Takes note of where the echo moved, and of what was sent since. */
static void note_echo(struct step *step, const struct round *added)
{
	struct rounds *rounds = &step->self->rounds;
	struct round *since = &rounds->since_echo;
	uint32_t tsecr = step->packet->options.tsecr;

	if (!(step->packet->options.present & OPTION_TIMESTAMPS))
		return;
	if (!rounds->echo_known || rounds->echoed != tsecr) {
		rounds->echo_known = true;
		rounds->echoed = tsecr;
		*since = round_at(step);
	}
	since->last_ns = added->last_ns;
	since->bytes += added->bytes;
	since->segments += added->segments;
	since->frames += added->frames;
	if (added->in_flight_bytes > since->in_flight_bytes)
		since->in_flight_bytes = added->in_flight_bytes;
}

/* An edge that was moved by less than a segment took all of one along. */
static uint64_t without(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* At the sender's tap the acknowledgement comes after data that echoes the
 * same tick: at the other end that data is in the next round already. */
static void split(struct step *step)
{
	struct side *sender = step->peer;
	struct rounds *rounds = &sender->rounds;
	struct round *last = current(rounds), *since = &rounds->since_echo;

	if (rounds->basis != ROUNDS_ECHO || !rounds->ack_has_timestamps ||
		!rounds->echo_known || since->first <= last->first ||
		!timestamps_reach(rounds->echoed, rounds->ack_tsval))
		return;
	struct step as_sender = *step;
	as_sender.self = sender;
	as_sender.side = step_peer(step);
	last->bytes = without(last->bytes, since->bytes);
	last->segments = without(last->segments, since->segments);
	last->frames = without(last->frames, since->frames);
	slowstart_round(&as_sender);
	struct round begun = *since;
	begun.window_full = last->window_full;
	begun.window_known = last->window_known;
	begun.window_bytes = last->window_bytes;
	open_round(&as_sender, &begun);
}

/* What is in flight at the sender with this packet. At the far tap the sender
 * knew the acknowledgement it echoes; without echoes it cannot be told. */
static uint64_t flight_of(const struct step *step)
{
	const struct side *self = step->self;
	const struct packet *packet = step->packet;
	uint64_t low = self->acked_known ? self->acked : self->first;

	if (!side_is_near(step->connection, step->side)) {
		const struct tcp_echo *echo =
			packet->options.present & OPTION_TIMESTAMPS ?
			echo_find(step->peer, packet->options.tsecr) :
			NULL;

		if (!echo)
			return 0;
		return step->end > echo->acked ? step->end - echo->acked : 0;
	}
	uint64_t sent = step->end > low ? step->end - low : 0;
	return sent > self->sacked_bytes ? sent - self->sacked_bytes : 0;
}

/* What the tap did not see in front of a packet was sent before it: a queue
 * overflows at the end of a burst, and the next round finds it drained. */
void rounds_gap(struct step *step)
{
	struct round *round = current(&step->self->rounds);

	if (!step->gap_bytes || !round)
		return;
	round->bytes += step->gap_bytes;
	round->segments += side_segments(step->self, step->gap_bytes);
}

/* New data: `bytes` of it. */
void rounds_data(struct step *step, uint64_t bytes)
{
	struct side *self = step->self;
	struct round added = round_at(step);

	uint32_t before = self->rounds.count;
	bool unechoed = may_be_unechoed(step);
	rounds_gap(step);
	struct round *round = round_of(step);

	if (round && !before)
		edges_front(step);
	else if (before == 1 && self->rounds.count > before)
		edges_between(step, step->gap_bytes);
	else if (before == 1 && unechoed)
		edges_between(step, step->gap_bytes + bytes);
	added.in_flight_bytes = flight_of(step);
	if (added.in_flight_bytes > self->in_flight_most_bytes)
		self->in_flight_most_bytes = added.in_flight_bytes;
	if (!round)
		return;
	added.frames = 1;
	added.bytes = bytes;
	added.segments = side_segments(self, bytes);
	round->last_ns = added.last_ns;
	round->frames++;
	round->bytes += added.bytes;
	round->segments += added.segments;
	if (added.in_flight_bytes > round->in_flight_bytes)
		round->in_flight_bytes = added.in_flight_bytes;
	note_echo(step, &added);
}

/* Who can select says what arrived behind a loss; of others the first duplicate
 * says it where nothing but the segment it asks for lies before the open round,
 * unless what was sent again made them repeat themselves. */
static bool is_duplicate_news(const struct step *step,
	const struct round *round)
{
	const struct side *sender = step->peer;
	bool selects = sender->offer.options.present &
		step->self->offer.options.present & OPTION_SACK_PERMITTED;

	if (!(step->sighting->marks & MARK_DUPLICATE_ACK) || selects ||
		sender->retransmitted_frames)
		return false;
	return round->first - sender->acked <= sender->mss_bytes;
}

/* Has anything of a side's open round arrived? */
static bool has_arrived(const struct step *step, const struct round *round)
{
	const struct side *sender = step->peer;
	const struct ranges *sacked = &sender->sacked;

	if (sender->acked > round->first)
		return true;
	if (sacked->count &&
		ranges_at(sacked, sacked->count - 1)->to > round->first)
		return true;
	return is_duplicate_news(step, round);
}

bool rounds_acked(struct step *step)
{
	struct side *sender = step->peer;
	struct rounds *rounds = &sender->rounds;
	const struct round *round = current(rounds);

	if (!round || rounds->acked || !has_arrived(step, round))
		return false;
	rounds->acked = true;
	rounds->ack_ns = step->packet->t_ns;
	rounds->ack_has_timestamps =
		step->packet->options.present & OPTION_TIMESTAMPS;
	rounds->ack_tsval = step->packet->options.tsval;
	rounds->ack_tsecr = step->packet->options.tsecr;
	rounds->ack_from = step->from;
	rounds->ack_unechoed =
		sender->last_ack_known && sender->last_ack < step->from;
	split(step);
	return true;
}

void rounds_rtt(struct side *side, int64_t took_ns)
{
	struct round *round = current(&side->rounds);

	if (!round)
		return;
	round->rtt_samples++;
	if (round->rtt_ns == UNKNOWN_NS || took_ns < round->rtt_ns)
		round->rtt_ns = took_ns;
}
