/* Positions of what a side sends: new, missing, late or sent again. */
#include "annotate_internal.h"

/* Far from 0, so that what lies before the first packet has a position. */
#define POSITION_BASE ((uint64_t)1 << 32)

static uint64_t position_start(uint32_t seq)
{
	return POSITION_BASE + seq;
}

static void start_self(struct step *step)
{
	struct side *self = step->self;
	const struct packet *packet = step->packet;
	bool syn = packet->flags & TCP_SYN;

	if (!self->started) {
		self->started = true;
		self->first = self->next = position_start(packet->seq) + syn;
	}
	if (syn && !self->isn_known) {
		self->isn_known = true;
		self->first = unwrap(self->first, packet->seq) + 1;
		if (self->next < self->first)
			self->next = self->first;
	}
}

/* What is acknowledged says where a side is that was not seen yet. */
static void start_peer(struct step *step)
{
	struct side *peer = step->peer;

	if (peer->started || !(step->packet->flags & TCP_ACK))
		return;
	peer->started = true;
	peer->first = peer->next = position_start(step->packet->ack);
}

static void note_timestamps(struct step *step)
{
	struct side *self = step->self;
	const struct packet *packet = step->packet;

	self->last_has_timestamps = packet->options.present & OPTION_TIMESTAMPS;
	if (!self->last_has_timestamps)
		return;
	if (!self->has_timestamps) {
		self->has_timestamps = true;
		self->first_tsval = self->last_tsval = packet->options.tsval;
		self->first_tsval_ns = self->last_tsval_ns = packet->t_ns;
	} else if (timestamps_reach(packet->options.tsval, self->last_tsval)) {
		self->last_tsval = packet->options.tsval;
		self->last_tsval_ns = packet->t_ns;
	}
}

/* ---- old data ---------------------------------------------------------- */

static uint16_t id_of(const struct packet *packet)
{
	return packet->from.version == 4 ? (uint16_t)packet->ip_id : 0;
}

/* Sent after the packet that opened a hole (1) or before (-1), where the sender
 * numbers its packets of IPv4 one after the other; 0: it cannot be told. */
static int id_order(const struct packet *packet, const struct byte_range *hole)
{
	enum { NEAR = 4096 };
	uint16_t ahead = (uint16_t)(id_of(packet) - hole->ip_id);

	if (!id_of(packet) || !hole->ip_id || !ahead)
		return 0;
	if (ahead <= NEAR)
		return 1;
	return ahead >= UINT16_MAX - NEAR ? -1 : 0;
}

/* Late and never seen, where not every packet passes: lost before the tap and
 * sent again, or overtaken? `hole` is what it fills; NULL: it is from before
 * the first packet. */
static bool was_sent_again(const struct step *step,
	const struct byte_range *hole)
{
	const struct side *self = step->self;
	const struct packet *packet = step->packet;
	bool stamped = packet->options.present & OPTION_TIMESTAMPS;
	uint32_t opener = hole ? hole->tsval : self->first_tsval;
	int64_t opened_ns = hole ? hole->t_ns : step->connection->first_ns;
	int64_t rtt_ns = rtt_best(step->connection, self);

	if (stamped && self->has_timestamps && packet->options.tsval != opener)
		return timestamps_reach(packet->options.tsval, opener);
	/* One tick of the clock: a sender that has just learnt of several
	 * losses sends new data and old in one go. */
	int order = hole ? id_order(packet, hole) : 0;
	if (order)
		return order > 0;
	/* Wherever the tap is: the news of the hole and its cure take a round
	 * trip, however many duplicate ACKs have passed by then. */
	if (rtt_ns != UNKNOWN_NS)
		return packet->t_ns - opened_ns >= rtt_ns / 2;
	return self->dupacks >= 3;
}

static void take_again(struct step *step, uint64_t to)
{
	step->sighting->marks |= MARK_RETRANSMISSION;
	step->sighting->why = losses_kind(step, to);
	losses_count(step, step->from, to);
}

static void take_reordered(struct step *step)
{
	step->sighting->marks |= MARK_REORDERED;
	step->self->reordered++;
	event_add(step, step->side, EVENT_REORDERED, 0, step->from, step->end);
}

/* The part of a packet that lies below what was seen. */
static void take_old(struct step *step, uint64_t to)
{
	struct side *self = step->self;
	uint64_t never = ranges_overlap(&self->holes, step->from, to);
	uint64_t before = 0;
	struct byte_range hole = { 0 };

	if (!self->isn_known && step->from < self->first)
		before = (to < self->first ? to : self->first) - step->from;
	if (never) {
		uint32_t i = ranges_find(&self->holes, step->from);

		hole = *ranges_at(&self->holes, i);
		ranges_remove(&self->holes, step->store, step->from, to);
	}
	if (never + before < to - step->from)
		take_again(step, to);
	else if (!side_is_near(step->connection, step->side) &&
		was_sent_again(step, never ? &hole : NULL))
		take_again(step, to);
	else
		take_reordered(step);
}

/* ---- new data ---------------------------------------------------------- */

/* What lies between the highest that was seen and this packet. */
static struct byte_range skipped_by(const struct step *step)
{
	return (struct byte_range){
		.from = step->self->next,
		.to = step->from,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
		.tsval = step->packet->options.tsval,
		.ip_id = id_of(step->packet),
	};
}

static void open_gap(struct step *step)
{
	struct side *self = step->self;
	const struct byte_range hole = skipped_by(step);

	step->gap_bytes = step->from - self->next;
	step->sighting->marks |= MARK_GAP;
	self->gaps++;
	step->facts->gaps++;
	event_add(step, step->side, EVENT_GAP, 0, hole.from, hole.to);
	if (!ranges_insert(&self->holes, step->store, &hole)) {
		self->ranges_lost++;
		step->facts->left_out++;
	}
}

static void note_frame(struct step *step, uint64_t bytes)
{
	struct side *self = step->self;
	uint64_t length = step->packet->payload_bytes;

	self->frames++;
	self->segments += side_segments(self, length);
	self->payload_bytes += bytes;
	self->super_frames += self->mss_bytes && length > self->mss_bytes;
	if (length > self->largest_bytes)
		self->largest_bytes = length;
	if (self->first_data_ns == UNKNOWN_NS)
		self->first_data_ns = step->packet->t_ns;
	self->last_data_ns = step->packet->t_ns;
}

/* Has the sender been silent for longer than a timeout? Then its congestion
 * window begins anew (RFC 2861). */
static void note_idle(struct step *step)
{
	struct side *self = step->self;
	int64_t t_ns = step->packet->t_ns;

	if (self->idle_since_ns == UNKNOWN_NS)
		return;
	int64_t idle_ns = t_ns - self->idle_since_ns;
	if (idle_ns > 0 && self->frames) {
		add_span(&self->idle_ns, self->idle_since_ns, t_ns);
		if (idle_ns > rtt_timeout(step->connection, self) &&
			step->packet->payload_bytes)
			event_add(step, step->side, EVENT_IDLE_RESTART, 0,
				self->next, step->end);
	}
}

/* `bytes` of new data, and how they came about. */
static void take_first(struct step *step, uint64_t bytes)
{
	note_idle(step);
	rtt_echo(step);
	if (bytes) {
		note_frame(step, bytes);
		rounds_data(step, bytes);
	}
	rtt_sent(step);
	if (bytes)
		window_sent(step);
}

/* The only copy of `bytes` that arrives, though not the first that was sent:
 * part of the round that was lost with them, no sign of an idle application. */
static void take_only_copy(struct step *step, uint64_t bytes)
{
	take_again(step, step->end);
	if (bytes) {
		note_frame(step, bytes);
		step->gap_bytes += bytes;
		rounds_gap(step);
	}
	/* Behind the last of them nothing is known to have been sent. */
	if (bytes < step->self->mss_bytes)
		step->self->sent_to = 0;
}

/* A packet without data carries the position of what is sent next. */
static void note_told(struct step *step)
{
	struct side *self = step->self;

	if (step->packet->flags & (TCP_SYN | TCP_FIN | TCP_RST) ||
		step->end > step->from || step->from <= self->next ||
		step->from > self->edge ||
		side_is_near(step->connection, step->side))
		return;
	self->told = skipped_by(step);
}

/* Was what looks new sent before, though no copy arrived? */
static bool is_only_copy(struct step *step)
{
	const struct side *self = step->self;

	return numbering_shows_again(step) ||
		(step->from >= self->next && step->end <= self->told.to &&
			was_sent_again(step, &self->told));
}

static void take_new(struct step *step)
{
	struct side *self = step->self;
	uint64_t from = step->from > self->next ? step->from : self->next;
	bool fin = step->packet->flags & TCP_FIN;
	uint64_t bytes = step->end - from - fin;
	bool again = is_only_copy(step);

	step->sighting->marks |= MARK_NEW_DATA;
	if (step->from > self->next && (self->isn_known || self->frames))
		open_gap(step);
	if (again)
		take_only_copy(step, bytes);
	else
		take_first(step, bytes);
	self->next = step->end;
	self->idle_since_ns = UNKNOWN_NS;
	self->last_small = bytes < self->mss_bytes;
	self->sent_ns = step->packet->t_ns;
}

/* ---- FIN --------------------------------------------------------------- */

static bool take_fin(struct step *step, uint64_t position)
{
	struct side *self = step->self;

	if (self->fin_seen) {
		event_add(step, step->side, EVENT_FIN_AGAIN, 0, position,
			step->end);
		self->fin = position;
		return true;
	}
	self->fin_seen = true;
	self->fin = position;
	if ((step->connection->seen & 3) == 1)
		event_add(step, step->side, EVENT_FIN_EARLY, 0, position,
			step->end);
	return false;
}

/* A FIN alone that was sent before, wherever it stands now. */
static bool only_fin_again(struct step *step, bool again)
{
	if (!again || step->packet->payload_bytes)
		return false;
	step->sighting->marks |= MARK_RETRANSMISSION;
	step->sighting->why = losses_kind(step, step->end);
	losses_count(step, step->from, step->end);
	if (step->end > step->self->next)
		step->self->next = step->end;
	return true;
}

void stream_step(struct step *step)
{
	const struct packet *packet = step->packet;
	struct side *self = step->self;
	bool fin = packet->flags & TCP_FIN, again = false;

	if (packet->flags & TCP_RST && !self->started)
		return;
	start_peer(step);
	start_self(step);
	note_timestamps(step);
	step->from = unwrap(self->next, packet->seq) +
		(packet->flags & TCP_SYN ? 1 : 0);
	step->end = step->from + packet->payload_bytes + fin;
	numbering_step(step);
	note_told(step);
	step->sighting->position = step->from;
	step->sighting->end = step->end;
	if (packet->flags & TCP_RST || window_is_probe(step) ||
		step->end == step->from)
		return;
	if (fin) {
		again = take_fin(step, step->end - 1);
		if (only_fin_again(step, again))
			return;
	}
	uint64_t next = self->next;
	if (step->from < next && !(fin && step->end <= self->first))
		take_old(step, step->end < next ? step->end : next);
	if (step->end > next)
		take_new(step);
	if (again && step->sighting->marks & MARK_RETRANSMISSION)
		self->fin_retransmissions++;
}
