/* Acknowledgements of the other side's data: cumulative, duplicate and
 * selective ones (RFC 2018, 2883). */
#include "annotate_internal.h"

enum { TRAIN_GAP_NS = 2000000 };

/* Duration of a train of closely spaced acknowledgements, from the first one
 * for the data of a round (HyStart). Once it breaks, it ends until the next
 * round. */
static void note_train(struct step *step, bool begins)
{
	struct side *sender = step->peer;
	int64_t t_ns = step->packet->t_ns;

	if (begins)
		sender->ack_train_ns = sender->ack_seen_ns = t_ns;
	if (sender->rounds.ack_round >= sender->rounds.count ||
		sender->ack_seen_ns == UNKNOWN_NS ||
		t_ns - sender->ack_seen_ns > TRAIN_GAP_NS)
		return;
	sender->ack_seen_ns = t_ns;
	struct round *round = &sender->rounds.at[sender->rounds.ack_round];
	int64_t train_ns = t_ns - sender->ack_train_ns;
	if (train_ns > round->train_ns)
		round->train_ns = train_ns;
}

/* The receiver accepted the byte of a zero-window probe: it was data. */
static void take_probe(struct side *sender)
{
	sender->next = sender->probed;
	sender->payload_bytes++;
	sender->frames++;
	sender->segments = side_segments(sender, sender->payload_bytes,
		sender->frames);
}

static bool is_pure(const struct packet *packet)
{
	return !packet->payload_bytes &&
		!(packet->flags & (TCP_SYN | TCP_FIN | TCP_RST));
}

/* True if the receiver dropped data that it had reported (RFC 2018, 8): it asks
 * for data of a reported range, or reports nothing above a newer ACK. Call
 * before the ACK counts. */
static bool is_reneging(const struct step *step, uint64_t ack)
{
	const struct ranges *sacked = &step->peer->sacked;
	const struct packet *packet = step->packet;
	uint32_t i = ranges_find(sacked, ack);

	if (i == sacked->count)
		return false;
	return ranges_at(sacked, i)->from <= ack ||
		(is_pure(packet) && packet->options.state == OPTIONS_WHOLE &&
			!packet->options.sack_count);
}

static void advance(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;

	if (ack > sender->next && sender->probed == sender->next + 1)
		take_probe(sender);
	unseen_acked(step, ack);
	window_acked(step, ack);
	reduction_acked(step, ack);
	/* Its own blocks follow. */
	sender->sacked_bytes -= ranges_prune(&sender->sacked,
		is_reneging(step, ack) ? sender->next : ack, NULL);
	ranges_prune(&sender->again, ack, NULL);
	rtt_acked(step, ack);
	sender->acked = ack;
	sender->acked_known = true;
	sender->dupacks = 0;
	sender->progress_ns = step->packet->t_ns;
	if (sender->recover && ack >= sender->recover) {
		sender->recover = 0;
		sender->recovered_ns = step->packet->t_ns;
		if (!sender->rounds.reduction.disproved)
			add_span(&sender->recovery_ns,
				sender->recovery_since_ns, step->packet->t_ns);
	}
	if (ack >= sender->next)
		sender->idle_since_ns = step->packet->t_ns;
}

static void note_duplicate(struct step *step, uint64_t ack)
{
	struct side *self = step->self, *sender = step->peer;
	const struct packet *packet = step->packet;

	if (!is_pure(packet) || step->sighting->marks & MARK_KEEPALIVE ||
		!self->last_ack_known || self->last_ack != ack ||
		self->last_ack_window != packet->window || sender->next <= ack)
		return;
	step->sighting->marks |= MARK_DUPLICATE_ACK;
	self->duplicate_acks++;
	if (++sender->dupacks == 3)
		event_add(step, step_peer(step), EVENT_THIRD_DUPLICATE_ACK, 0,
			ack, sender->next);
}

/* ---- selective --------------------------------------------------------- */

struct block {
	uint64_t from, to;
};

static struct block block_at(const struct step *step, unsigned i, uint64_t ack)
{
	const struct tcp_options *options = &step->packet->options;
	struct block block = { .from = unwrap(ack, options->sack[i].from) };

	block.to = unwrap(block.from, options->sack[i].to);
	return block;
}

/* The first block may report duplicate data, relative to the acknowledgement
 * of the same packet. */
static bool is_dsack(const struct step *step, struct block first, uint64_t ack)
{
	if (first.to <= ack)
		return true;
	if (step->packet->options.sack_count < 2)
		return false;
	struct block second = block_at(step, 1, ack);
	return first.from >= second.from && first.to <= second.to;
}

/* True if the receiver had data twice that was sent once, as the sender's tap
 * shows: nothing from there on was ever sent again. Afterwards a DSACK proves
 * no needless repeat: the network may have copied the needed one. */
static bool is_copied(const struct step *step, struct block block)
{
	const struct side *sender = step->peer;

	return side_is_near(step->connection, step_peer(step)) &&
		block.from >= sender->karn && block.to <= sender->next;
}

static void take_dsack(struct step *step, struct block block)
{
	struct side *sender = step->peer;

	step->self->dsacks++;
	step->sighting->marks |= MARK_DSACK;
	step->self->copied |= is_copied(step, block);
	if (!step->self->copied) {
		slowstart_needless(step->connection, step_peer(step),
			block.from, block.to);
		reduction_needless(sender, block.from, block.to);
	}
	event_add(step, step_peer(step), EVENT_DSACK, 0, block.from, block.to);
}

static void take_block(struct step *step, struct block block)
{
	struct side *sender = step->peer;
	const struct byte_range range = {
		.from = block.from,
		.to = block.to,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
	};

	/* A newer acknowledgement may have overtaken this one. */
	if (block.from < sender->acked || block.to > sender->next)
		return;
	uint64_t bytes = ranges_unite(&sender->sacked, step->store, &range);
	sender->sacked_bytes += bytes;
	if (bytes)
		step->sighting->marks |= MARK_SACK;
}

static void take_sack(struct step *step, uint64_t ack)
{
	unsigned count = step->packet->options.sack_count;

	for (unsigned i = 0; i < count; i++) {
		struct block block = block_at(step, i, ack);

		if (block.from >= block.to)
			continue;
		if (i == 0 && is_dsack(step, block, ack)) {
			take_dsack(step, block);
			continue;
		}
		take_block(step, block);
	}
	step->self->sack_acks += (step->sighting->marks & MARK_SACK) != 0;
}

/* ---- congestion notification (RFC 3168, 9768) --------------------------- */

static bool is_ecn_agreed(const struct step *step)
{
	const struct offer *own = &step->self->offer, *other =
		&step->peer->offer;

	return (own->ecn && other->ecn) ||
		(own->accurate_ecn && other->accurate_ecn);
}

/* If the handshake was not captured, a flag is no certain mark. */
static void note_mark(struct step *step)
{
	struct rounds *rounds = &step->peer->rounds;
	bool agreed = is_ecn_agreed(step);

	if (rounds_all(rounds))
		round_open(rounds)->marked |= agreed;
	if (step->self->ece_acks++)
		return;
	event_add(step, step->side, EVENT_ECN_ECHO, 0, 0, 0);
	if (agreed)
		slowstart_end(step, step_peer(step), EXIT_ECN);
}

/* Accurate ECN: the three flags are a counter of marked packets, except in the
 * packet that completes the handshake. It is new information when it
 * changes. */
static void take_counter(struct step *step)
{
	uint16_t flags = step->packet->flags;
	uint8_t marks = (uint8_t)((flags & TCP_AE ? 4 : 0) |
		(flags & TCP_CWR ? 2 : 0) | (flags & TCP_ECE ? 1 : 0));
	bool late = step->peer->acked_known &&
		step->sighting->ack < step->peer->acked;

	if (late || marks == step->self->marks ||
		step->packet->number == step->connection->handshake.ack_number)
		return;
	step->self->marks = marks;
	note_mark(step);
}

/* Without an agreement, which takes both sides, the flags have no meaning (RFC
 * 3168, 6.1.1). */
static bool is_ecn_refused(const struct step *step)
{
	const struct offer *own = &step->self->offer, *other =
		&step->peer->offer;

	return (own->seen && !own->ecn) || (other->seen && !other->ecn);
}

static void take_ecn(struct step *step)
{
	uint16_t flags = step->packet->flags;

	if (flags & TCP_SYN)
		return;
	if (step->self->offer.accurate_ecn && step->peer->offer.accurate_ecn) {
		take_counter(step);
		return;
	}
	/* This is a counter too, whose beginning was not captured. */
	if (flags & TCP_AE || is_ecn_refused(step))
		return;
	if (flags & TCP_ECE)
		note_mark(step);
	/* A sender may report any reduction, also after a loss. */
	if (flags & TCP_CWR && !step->self->cwr_packets++)
		event_add(step, step->side, EVENT_CWR, 0, 0, 0);
}

/* ---- data never sent ---------------------------------------------------- */

#define WINDOW_MOST ((uint64_t)UINT16_MAX << 14) /* RFC 7323 */

/* True if the acknowledged data was not captured and exceeds the window that
 * its receiver offered by more than a sender may exceed it that still knows the
 * window of a SYN. The capture lost data and acknowledgements, or the data was
 * never sent. */
static bool is_beyond(const struct step *step, uint64_t ack)
{
	const struct side *sender = step->peer;
	uint64_t highest = side_highest(sender);
	uint64_t edge = step->self->window_known && sender->edge ?
		sender->edge :
		highest + WINDOW_MOST;

	return sender->placed && is_pure(step->packet) && ack > highest + 1 &&
		ack > edge + UINT16_MAX;
}

/* True if the packet was sent after the one whose acknowledgement is
 * doubted. */
static bool is_sent_later(const struct step *step)
{
	const struct side *sender = step->peer;
	const struct packet *packet = step->packet;

	if (sender->doubted.has_timestamps &&
		packet->options.present & OPTION_TIMESTAMPS &&
		packet->options.tsval != sender->doubted.tsval)
		return timestamps_reach(packet->options.tsval,
			sender->doubted.tsval);
	return packet->t_ns - sender->doubted.t_ns > LATE_NS;
}

static void doubt(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;
	const struct packet *packet = step->packet;

	step->doubted = true;
	step->sighting->marks |= MARK_CAPTURE_GAP;
	sender->doubted.ack = ack;
	sender->doubted.highest = side_highest(sender);
	sender->doubted.number = packet->number;
	sender->doubted.t_ns = packet->t_ns;
	sender->doubted.has_timestamps =
		packet->options.present & OPTION_TIMESTAMPS;
	sender->doubted.tsval = packet->options.tsval;
}

/* Acknowledgements never decrease: a lower one that was sent later shows that
 * the doubted one was about data never sent, which its sender ignores. One that
 * is as high confirms it. */
static void settle(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;

	if (ack < sender->doubted.ack && !is_sent_later(step))
		return;
	if (ack < sender->doubted.ack)
		event_add_of(step, step_peer(step), EVENT_UNSENT_ACKED, 0,
			&(struct byte_range){ .from = sender->doubted.highest,
				.to = sender->doubted.ack,
				.number = sender->doubted.number,
				.t_ns = sender->doubted.t_ns });
	sender->doubted.ack = 0;
}

/* True if nothing follows from the acknowledgement yet. */
static bool is_doubted(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;
	bool confirms = sender->doubted.ack && ack >= sender->doubted.ack;

	if (sender->doubted.ack)
		settle(step, ack);
	if (!confirms && is_beyond(step, ack))
		doubt(step, ack);
	return step->doubted;
}

void acks_step(struct step *step)
{
	const struct packet *packet = step->packet;
	struct side *self = step->self, *sender = step->peer;

	if (!(packet->flags & TCP_ACK) || !sender->started)
		return;
	uint64_t ack = unwrap(side_highest(sender), packet->ack);
	step->sighting->ack = ack;
	if (packet->flags & TCP_RST || is_doubted(step, ack))
		return;
	take_ecn(step);
	bool advances = !sender->acked_known || ack > sender->acked;
	if (advances || ack == sender->acked)
		window_proves(step, ack);
	if (advances)
		advance(step, ack);
	else if (ack == sender->acked)
		note_duplicate(step, ack);
	take_sack(step, ack);
	if (advances ||
		step->sighting->marks & (MARK_SACK | MARK_DUPLICATE_ACK))
		note_train(step, rounds_acked(step));
	self->last_ack = ack;
	self->last_ack_known = true;
	self->last_ack_window = packet->window;
}
