/*
 * Rounds: the data released by one flight of acknowledgements.
 *
 * Round k begins at byte S. Once data after S is acknowledged, the next new
 * data that was sent with knowledge of this acknowledgement opens round k + 1.
 * The acknowledgement may be selective (RFC 2018) or, for a receiver without
 * SACK, a first duplicate. So data of limited transmit (RFC 3042) belongs to
 * the next round. The timestamp echo of the data shows whether the sender knew
 * the acknowledgement; it is the same at both ends of the path.
 *
 * One tick of the timestamp clock may contain acknowledgements of two rounds.
 * All data that echoes the tick then counts to the later round, at either end.
 * Data lost at the boundary, between the last arrived segment of one round and
 * the first of the next, has no echo at the receiver. It counts to the earlier
 * round, and at the sender's tap too, once it is retransmitted (edges.c).
 * Without timestamps all this is certain only at the sender's tap; elsewhere it
 * is estimated from time.
 */
#include "annotate_internal.h"

/* From the tap to the end of a side and back, in the handshake. */
static int64_t leg_ns_of(const struct connection *connection, int side)
{
	const struct handshake *handshake = &connection->handshake;

	return side == connection->client ? handshake->b.least_ns :
					    handshake->a.least_ns;
}

/* Without echoes, away from the sender's tap: data released by acknowledgements
 * passes after the leg between tap and sender. The time is first taken from the
 * handshake, then measured from the data. */
static bool is_late_enough(const struct step *step)
{
	const struct rounds *rounds = &step->self->rounds;
	int64_t leg_ns = rounds->learned_ns != UNKNOWN_NS ?
		rounds->learned_ns :
		leg_ns_of(step->connection, step->side) * 3 / 4;

	return step->packet->t_ns - rounds->ack_ns >= leg_ns / 5 * 4;
}

/* Some systems omit timestamps after the handshake. */
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

/* True if new data may have been sent with knowledge of the open round's first
 * acknowledgement although its echo cannot show it. A receiver does not update
 * its echo from data after a gap (RFC 7323, 4.3). At the sender's tap this
 * holds for all data that follows. Elsewhere the sender's clock excludes data
 * sent within a round trip of what was acknowledged. */
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
		(ticks + 1) * clock_tick(self) >= path_ns;
}

/* True if data without the echo opens the next round. Away from the sender's
 * tap, only the first packet that acknowledges the data before ack_from
 * certainly could not echo it. */
static bool opens_unechoed(const struct step *step)
{
	const struct side *self = step->self;
	uint64_t from = self->rounds.ack_from;

	if (!may_be_unechoed(step))
		return false;
	return side_is_near(step->connection, step->side) ||
		(self->last_ack < from &&
			unwrap(side_highest(step->peer), step->packet->ack) >=
				from);
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

bool rounds_asked(const struct step *step)
{
	return step->peer->last_data_ns != UNKNOWN_NS &&
		step->peer->last_data_ns > step->self->sent_ns;
}

static struct round round_at(const struct step *step)
{
	return (struct round){
		.start_ns = step->packet->t_ns,
		.last_ns = step->packet->t_ns,
		.number = step->packet->number,
		.first = step->from,
		.echo = step->packet->options.tsecr,
		.rtt_ns = UNKNOWN_NS,
		.early_rtt_ns = UNKNOWN_NS,
		.asked = rounds_asked(step),
	};
}

static struct round *open_round(struct step *step, const struct round *begun)
{
	struct rounds *rounds = &step->self->rounds;
	void *array = rounds->at;
	/* Most connections are so short. */
	uint32_t most = rounds->room ? ROUNDS_MAX : 2;

	rounds->acked = false;
	rounds->edge_begun = step->self->edge;
	if (rounds->left_out ||
		!store_grow(step->store, &array, &rounds->room, rounds->count,
			sizeof *rounds->at, most)) {
		if (!rounds->left_out++)
			rounds->kept_end = begun->first;
		step->facts->left_out++;
		rounds->beyond = *begun;
		return &rounds->beyond;
	}
	rounds->at = array;
	rounds->at[rounds->count] = *begun;
	return &rounds->at[rounds->count++];
}

static void close_round(struct step *step)
{
	idle_round(step, rtt_best(step->connection, step->self));
	full_waited(step);
	full_round(step->self, step->packet->t_ns);
	/* The effect of a round is known when the next one is complete. */
	slowstart_round(step);
}

/* True if the round that ends has no visible end. At the sender's tap, the
 * order of recording separates data from the acknowledgement that ends its
 * round; data at most LATE_NS before it may have been sent after it. Rounds
 * estimated from time are separated by the sender's silence. */
static bool is_end_hidden(struct connection *connection, int side,
	int64_t next_ns)
{
	struct side *self = &connection->side[side];
	struct rounds *rounds = &self->rounds;

	if (rounds->basis == ROUNDS_ESTIMATED)
		return next_ns - self->sent_ns <
			leg_ns_of(connection, side) / 2;
	return side_is_near(connection, side) &&
		rounds->ack_ns - round_open(rounds)->last_ns <= LATE_NS;
}

/* Data that follows the data before without a silence did not wait for the
 * acknowledgement: it would make the leg shorter in each round. */
static void learn(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	int64_t t_ns = step->packet->t_ns, gap_ns = t_ns - rounds->ack_ns;

	if (rounds->basis == ROUNDS_ESTIMATED && gap_ns > 0 &&
		!is_end_hidden(step->connection, step->side, t_ns) &&
		(rounds->learned_ns == UNKNOWN_NS ||
			gap_ns < rounds->learned_ns))
		rounds->learned_ns = gap_ns;
}

static void note_blur(struct connection *connection, int side, int64_t next_ns)
{
	struct rounds *rounds = &connection->side[side].rounds;

	if (!rounds->blurred && is_end_hidden(connection, side, next_ns))
		rounds->blurred = (uint32_t)rounds_all(rounds);
}

/* In estimated rounds, data after a silence may open the next one although it
 * follows the acknowledgement too soon: a host's pause in the handshake made
 * the leg look longer than it is. */
static void note_doubt(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;

	if (rounds->basis == ROUNDS_ESTIMATED && rounds->acked &&
		!rounds->blurred &&
		!is_end_hidden(step->connection, step->side,
			step->packet->t_ns))
		rounds->blurred = (uint32_t)rounds_all(rounds);
}

/* Data that is sent before the handshake is complete (TCP Fast Open) waits for
 * the round trip of the path. */
static struct round *early_round(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;

	if (rounds->coarse || !step->self->isn_known ||
		step->connection->handshake.complete)
		return NULL;
	if (!rounds->early.frames)
		rounds->early = round_at(step);
	return &rounds->early;
}

/* Call for an acknowledgement: the handshake may be complete now. Data that is
 * acknowledged before belongs to no round. */
static void open_early(struct step *step)
{
	struct side *sender = step->peer;
	struct rounds *rounds = &sender->rounds;
	struct step as_sender = *step;

	as_sender.self = sender;
	as_sender.peer = step->self;
	as_sender.side = step_peer(step);
	if (sender->acked > rounds->early.first) {
		rounds->early = (struct round){ 0 };
		return;
	}
	rounds->basis = basis_find(&as_sender);
	if (rounds->basis != ROUNDS_NONE)
		open_round(&as_sender, &rounds->early);
}

/* The round of a packet with new data. */
static struct round *round_of(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	bool is_first = !rounds_all(rounds);

	if (is_first) {
		rounds->basis = basis_find(step);
		if (rounds->basis == ROUNDS_NONE)
			return early_round(step);
	} else if (!opens_next(step)) {
		note_doubt(step);
		return round_open(rounds);
	} else if (basis_withdraw(step)) {
		return NULL;
	} else {
		learn(step);
		note_blur(step->connection, step->side, step->packet->t_ns);
		close_round(step);
	}
	const struct round begun = is_first && rounds->early.frames ?
		rounds->early :
		round_at(step);
	step->sighting->marks |= MARK_ROUND;
	return open_round(step, &begun);
}

/* Records changes of the echo, and the data sent since. */
static void note_echo(struct step *step, const struct sent *added)
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
	round_add(since, added);
}

/* Bytes that an edge moved out of the round may have been counted in
 * `part`. */
static uint64_t without(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

/* At the sender's tap the acknowledgement is seen after data that echoes the
 * same tick. At the other end that data belongs to the next round, so it is
 * moved there. */
static void split(struct step *step)
{
	struct side *sender = step->peer;
	struct rounds *rounds = &sender->rounds;
	struct round *last = round_open(rounds), *since = &rounds->since_echo;

	if (rounds->basis != ROUNDS_ECHO || !rounds->ack_has_timestamps ||
		!rounds->echo_known || since->first <= last->first ||
		!timestamps_reach(rounds->echoed, rounds->ack_tsval))
		return;
	struct step as_sender = *step;
	as_sender.self = sender;
	as_sender.side = step_peer(step);
	note_blur(step->connection, as_sender.side, since->start_ns);
	last->bytes = without(last->bytes, since->bytes);
	last->frames = without(last->frames, since->frames);
	last->short_frames = without(last->short_frames, since->short_frames);
	last->unprompted_bytes =
		without(last->unprompted_bytes, since->unprompted_bytes);
	round_count(sender, last);
	slowstart_round(&as_sender);
	struct round begun = *since;
	round_count(sender, &begun);
	begun.window_full = last->window_full;
	begun.window_known = last->window_known;
	begun.window_bytes = last->window_bytes;
	open_round(&as_sender, &begun);
}

/* Bytes in flight at the sender with this packet. At the far tap, the sender
 * knew the acknowledgement that it echoes; without echoes it is unknown. */
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

/* Data that the tap missed before a packet belongs to the round before: a queue
 * overflows at the end of a burst, and is drained when the next round begins.
 * At the sender's tap no queue overflows before: there it belongs to the
 * packet's round. */
void rounds_gap(struct step *step)
{
	struct round *round = round_open(&step->self->rounds);

	if (!step->gap_bytes || !round)
		return;
	round->bytes += step->gap_bytes;
	round_count(step->self, round);
}

/* Adds `bytes` of new data. */
void rounds_data(struct step *step, uint64_t bytes)
{
	struct side *self = step->self;
	struct sent added = { .t_ns = step->packet->t_ns, .bytes = bytes };

	if (step->connection->mixed)
		return;
	uint64_t before = rounds_all(&self->rounds);
	bool unechoed = may_be_unechoed(step);
	bool clocked = self->rounds.basis == ROUNDS_ACK_CLOCK;
	if (!clocked)
		rounds_gap(step);
	struct round *round = round_of(step);
	bool opened = rounds_all(&self->rounds) > before;

	if (opened && (clocked || !before))
		edges_front(step);
	else if (clocked)
		rounds_gap(step);
	else if (before == 1 && opened)
		edges_between(step, step->gap_bytes);
	else if (before == 1 && unechoed)
		edges_between(step, step->gap_bytes + bytes);
	if (opened && !before)
		edges_first(step, bytes);
	else if (!opened)
		edges_silence(step, bytes);
	self->rounds.last_tsval = step->packet->options.tsval;
	added.in_flight_bytes = flight_of(step);
	if (added.in_flight_bytes > self->in_flight_most_bytes)
		self->in_flight_most_bytes = added.in_flight_bytes;
	if (!round)
		return;
	slowstart_released(step, opened, &added);
	round_add(round, &added);
	round_count(self, round);
	note_echo(step, &added);
}

/* With SACK, the receiver reports what arrived after a loss. Without SACK, the
 * first duplicate shows it, if only the requested segment lies before the open
 * round, and no retransmission caused the duplicate. */
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

/* True if data of a side's open round has arrived. */
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

	if (!rounds_all(rounds) && rounds->early.frames)
		open_early(step);
	const struct round *round = round_open(rounds);
	rounds->vague = round &&
		!basis_is_fine(step->connection, step_peer(step));
	if (!round || rounds->acked || !has_arrived(step, round))
		return false;
	rounds->acked = true;
	rounds->ack_round = (uint32_t)rounds_all(rounds) - 1;
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

void rounds_rtt(struct side *side, uint64_t end, int64_t took_ns)
{
	struct rounds *rounds = &side->rounds;
	uint32_t i = rounds->count;

	while (i && rounds->at[i - 1].first >= end)
		i--;
	if (!i || (rounds->left_out && end > rounds->kept_end))
		return;
	struct round *round = &rounds->at[i - 1];
	if (round->rtt_ns == UNKNOWN_NS || took_ns < round->rtt_ns)
		round->rtt_ns = took_ns;
	if (++round->rtt_samples <= EARLY_SAMPLES)
		round->early_rtt_ns = round->rtt_ns;
}
