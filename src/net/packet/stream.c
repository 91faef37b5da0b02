/* Positions of a side's data: new, missing, late or retransmitted. */
#include "annotate_internal.h"

/* If the capture cut the timestamps off a SYN, the first packet with them shows
 * that they take part of each segment. */
static void note_mss_left(struct step *step)
{
	const struct offer *own = &step->self->offer, *other =
		&step->peer->offer;
	unsigned both = own->options.present & other->options.present;

	if (own->seen && other->seen && !(both & OPTION_TIMESTAMPS) &&
		!step->self->mss_left &&
		step->self->mss_bytes > TIMESTAMPS_BYTES) {
		step->self->mss_bytes -= TIMESTAMPS_BYTES;
		step->self->mss_left = true;
	}
}

static bool may_offer_timestamps(const struct offer *offer)
{
	return offer->options.present & OPTION_TIMESTAMPS ||
		offer->options.state == OPTIONS_TRUNCATED;
}

/* True if the capture cut off options that have the size of timestamps, here
 * and in a SYN. */
static bool hides_timestamps(const struct step *step)
{
	const struct packet *packet = step->packet;

	return packet->payload_bytes && !(packet->flags & TCP_SYN) &&
		packet->options.state == OPTIONS_TRUNCATED &&
		packet->header_bytes >= 20 + TIMESTAMPS_BYTES &&
		may_offer_timestamps(&step->self->offer) &&
		may_offer_timestamps(&step->peer->offer);
}

static void note_timestamps(struct step *step)
{
	struct side *self = step->self;
	const struct packet *packet = step->packet;

	self->last_has_timestamps = packet->options.present & OPTION_TIMESTAMPS;
	if (!self->last_has_timestamps) {
		if (hides_timestamps(step))
			note_mss_left(step);
		return;
	}
	if (!self->has_timestamps) {
		self->has_timestamps = true;
		note_mss_left(step);
		self->first_tsval = self->last_tsval = packet->options.tsval;
		self->first_tsval_ns = self->last_tsval_ns = packet->t_ns;
	} else if (timestamps_reach(packet->options.tsval, self->last_tsval)) {
		step->newest = packet->options.tsval != self->last_tsval;
		self->last_tsval = packet->options.tsval;
		self->last_tsval_ns = packet->t_ns;
	}
}

/* ---- old data ---------------------------------------------------------- */

static void take_again(struct step *step, uint64_t to, uint64_t bytes,
	enum retransmission why)
{
	step->sighting->marks |= MARK_RETRANSMISSION;
	step->sighting->why = why;
	losses_count(step, to, bytes);
}

static void take_reordered(struct step *step, uint64_t to)
{
	step->sighting->marks |= MARK_REORDERED;
	step->self->reordered++;
	edges_late(step, to);
	event_add(step, step->side, EVENT_REORDERED, 0, step->from, to);
}

/* Data that was recorded once, and neither lost nor overtaken: the recorder was
 * late. */
static void take_recorded_late(struct step *step, uint64_t to)
{
	step->sighting->marks |= MARK_RECORDED_LATE;
	step->self->recorded_late++;
	edges_late(step, to);
	event_add(step, step->side, EVENT_RECORDED_LATE, 0, step->from, to);
}

/* Data that was sent again, only delayed, or recorded late or twice: the
 * packets do not show which. `missing`: no copy of it was captured before. */
static void take_unclear(struct step *step, uint64_t to, bool missing)
{
	step->sighting->marks |= MARK_RETRANSMISSION | MARK_REORDERED;
	step->sighting->why = RETRANSMIT_UNKNOWN;
	step->self->unclear++;
	if (missing)
		losses_perhaps(step, to);
	event_add(step, step->side, EVENT_UNCLEAR, 0, step->from, to);
}

static void note_frame(struct step *step, uint64_t bytes)
{
	struct side *self = step->self;
	uint64_t length = packet_fragment_from(step->packet) +
		step->packet->payload_bytes;

	self->payload_bytes += bytes;
	if (!step->fresh_bytes) {
		self->frames++;
		self->super_frames +=
			self->mss_bytes && length > self->mss_bytes;
		if (length > self->largest_bytes)
			self->largest_bytes = length;
		if (self->first_data_ns == UNKNOWN_NS)
			self->first_data_ns = step->packet->t_ns;
		self->last_data_ns = step->packet->t_ns;
	}
	step->fresh_bytes += bytes;
	self->segments =
		side_segments(self, self->payload_bytes, self->frames);
}

static struct filling fill(struct step *step, uint64_t to)
{
	struct side *self = step->self;
	struct filling filling = { 0 };

	filling.unseen = unseen_taken(step, to, &filling.hole);
	filling.holes = ranges_overlap(&self->holes, step->from, to);
	if (filling.holes) {
		if (!filling.unseen)
			filling.hole = *ranges_at(&self->holes,
				ranges_find(&self->holes, step->from));
		ranges_remove(&self->holes, step->store, step->from, to);
	}
	return filling;
}

/* True if the first captured data may have overtaken this: not at the sender's
 * tap, nor if a newer timestamp shows that this was sent later. */
static bool may_be_overtaken(const struct step *step, uint64_t to)
{
	const struct side *self = step->self;
	bool newer = step_stamped(step) &&
		!timestamps_reach(self->first_tsval,
			step->packet->options.tsval);

	return !self->isn_known && to <= self->first && !newer &&
		!side_is_near(step->connection, step->side);
}

/* True if the data may have been sent before the capture began, and recorded
 * after its acknowledgement or after later data. */
static bool may_be_first(const struct step *step, uint64_t to)
{
	return (to <= step->self->before || may_be_overtaken(step, to)) &&
		idle_before(step) < TIMEOUT_LEAST_NS;
}

/* True if the data was first recorded after the last packet of the other side,
 * less than a quarter of a round trip ago, and nothing else was sent again:
 * nothing requested it, and no timer is that short. It was recorded twice, or
 * the network made a copy. A newer timestamp is no copy's. */
static bool is_too_soon(const struct step *step)
{
	const struct side *self = step->self;
	int64_t rtt_ns = rtt_best(step->connection, self);
	int64_t least_ns = rtt_ns == UNKNOWN_NS ?
		DUPLICATES_WITHIN_TICK_NS :
		rtt_ns / 4;

	return !step->newest && !self->again.count &&
		step->from >= self->unprompted &&
		self->unprompted_ns != UNKNOWN_NS &&
		step->packet->t_ns - self->unprompted_ns < least_ns;
}

/* Processes the part of a packet below the highest position, up to `to`. `fin`:
 * the part contains the first FIN. */
static void take_old(struct step *step, uint64_t to, bool fin)
{
	struct filling filling = fill(step, to);
	uint64_t filled = filling.unseen + filling.holes;
	uint64_t again = to - step->from - filled;
	enum retransmission why = late_kind(step, &filling, to);
	enum late_verdict verdict = LATE_ONCE;

	if (again)
		again -= late_original(step, to, why, &verdict);
	bool unproven = again &&
		(stamps_unproven(step, why) || may_be_first(step, to) ||
			is_too_soon(step));
	if (filled)
		verdict = late_judge(step, &filling, to);
	if (filled && verdict != LATE_ONCE)
		late_repaired(step, &filling, to, verdict);
	if (filled && verdict == LATE_AGAIN) {
		again += filled;
	} else if (unproven) {
		again = 0;
		verdict = filled ? verdict : LATE_UNCLEAR;
	}
	if (filled > fin)
		note_frame(step, filled - fin);
	/* At the sender's tap no network reorders. At any tap, a packet with an
	 * earlier time passed before the one that seemed to skip it. */
	if (again)
		take_again(step, to, again, why);
	else if (verdict == LATE_UNCLEAR)
		take_unclear(step, to, filled);
	else if (filling.unseen || side_is_near(step->connection, step->side) ||
		step->packet->t_ns < filling.hole.skipped_ns)
		take_recorded_late(step, to);
	else
		take_reordered(step, to);
}

/* ---- new data ---------------------------------------------------------- */

/* The range between the highest known position and this packet. */
static struct byte_range skipped_by(const struct step *step)
{
	struct byte_range range = {
		.from = side_highest(step->self),
		.to = step->from,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
		.skipped = true,
		.skipped_ns = step->packet->t_ns,
		.tsval = step->packet->options.tsval,
	};

	ids_stamp(step, &range);
	return range;
}

static void open_gap(struct step *step)
{
	struct side *self = step->self;
	const struct byte_range hole = skipped_by(step);

	step->gap_bytes = step->from - self->next;
	if (hole.from >= hole.to)
		return;
	step->sighting->marks |= MARK_GAP;
	self->gaps++;
	step->facts->gaps++;
	event_add(step, step->side, EVENT_GAP, 0, hole.from, hole.to);
	if (!ranges_insert(&self->holes, step->store, &hole)) {
		self->ranges_lost++;
		step->facts->left_out++;
	}
}

/* Checks for silence longer than a timeout, after which the congestion window
 * restarts (RFC 2861). */
static void note_idle(struct step *step)
{
	struct side *self = step->self;
	int64_t t_ns = step->packet->t_ns;

	if (self->idle_since_ns == UNKNOWN_NS)
		return;
	int64_t idle_ns = t_ns - self->idle_since_ns;
	int64_t path_ns = step->connection->handshake.path_ns;
	/* Elsewhere the pause includes the way to the sender and back. */
	if (side_is_near(step->connection, step->side) || path_ns < 0)
		path_ns = 0;
	if (idle_ns > 0 && self->frames) {
		add_span(&self->idle_ns, self->idle_since_ns, t_ns - path_ns);
		if (idle_ns > rtt_timeout(step->connection, self) &&
			step->packet->payload_bytes)
			event_add(step, step->side, EVENT_IDLE_RESTART, 0,
				self->next, step->end);
	}
}

/* Processes `bytes` of new data. */
static void take_first(struct step *step, uint64_t bytes)
{
	note_idle(step);
	rtt_echo(step);
	if (bytes) {
		note_frame(step, bytes);
		rounds_data(step, bytes);
	}
	if (step->end > step->self->acked || !step->self->acked_known)
		rtt_sent(step);
	if (bytes)
		full_sent(step);
}

/* Processes `bytes` that are recorded for the first time but were sent before:
 * they belong to the round that is open, and do not show an idle
 * application. */
static void take_only_copy(struct step *step, uint64_t bytes)
{
	if (!bytes)
		return;
	note_frame(step, bytes);
	step->gap_bytes += bytes;
	rounds_gap(step);
}

/* Records the range skipped by a packet without data: its sequence number shows
 * that the range was sent. */
static void note_told(struct step *step)
{
	struct side *self = step->self;

	if (step->packet->flags & (TCP_SYN | TCP_FIN | TCP_RST) ||
		step->end > step->from || step->from <= side_highest(self) ||
		step->from > self->edge ||
		side_is_near(step->connection, step->side))
		return;
	self->told = skipped_by(step);
}

/* True if data that appears new was sent before, but no copy arrived. */
static bool is_only_copy(struct step *step)
{
	const struct side *self = step->self;
	const struct filling told = { .hole = self->told };

	return step->from >= self->next && step->end <= self->told.to &&
		late_judge(step, &told, step->end) == LATE_AGAIN;
}

static void take_new(struct step *step)
{
	struct side *self = step->self;
	uint64_t from = step->from > self->next ? step->from : self->next;
	bool fin = step->packet->flags & TCP_FIN;
	uint64_t bytes = step->end - from - fin;
	bool acked = step->end <= side_highest(self);
	struct filling filling = { 0 };

	filling.unseen = unseen_taken(step, step->end, &filling.hole);
	bool late = filling.unseen || acked;
	enum late_verdict verdict = late ?
		late_judge(step, &filling, step->end) :
		is_only_copy(step) ? LATE_AGAIN : LATE_ONCE;

	step->sighting->marks |= MARK_NEW_DATA;
	if (step->from > self->next)
		open_gap(step);
	if (verdict == LATE_AGAIN)
		take_again(step, step->end,
			late ? filling.unseen : step->end - step->from,
			late_kind(step, &filling, step->end));
	else if (verdict == LATE_UNCLEAR)
		take_unclear(step, step->end, true);
	else if (late)
		take_recorded_late(step, step->end);
	if ((verdict == LATE_AGAIN && !late) || acked)
		take_only_copy(step, bytes);
	else
		take_first(step, bytes);
	self->next = step->end;
	if (!self->acked_known || step->end > self->acked)
		self->idle_since_ns = UNKNOWN_NS;
	self->sent_ns = step->packet->t_ns;
	self->sent_from = step->from;
	if (self->unprompted_ns == UNKNOWN_NS)
		self->unprompted_ns = step->packet->t_ns;
}

/* ---- FIN --------------------------------------------------------------- */

static bool take_fin(struct step *step, uint64_t position)
{
	struct side *self = step->self;

	if (self->fin_seen) {
		if (!stamps_unproven(step, RETRANSMIT_FIN))
			event_add(step, step->side, EVENT_FIN_AGAIN, 0,
				position, step->end);
		self->fin = position;
		return true;
	}
	self->fin_seen = true;
	self->fin = position;
	return false;
}

/* Processes a retransmitted FIN without data, at any position. */
static bool only_fin_again(struct step *step, bool again)
{
	if (!again || step->packet->payload_bytes)
		return false;
	if (stamps_unproven(step, RETRANSMIT_FIN))
		take_unclear(step, step->end, false);
	else
		take_again(step, step->end, step->end - step->from,
			RETRANSMIT_FIN);
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
	begin_peer(step);
	begin_self(step);
	note_timestamps(step);
	ids_note(step);
	step->from = unwrap(side_highest(self), packet->seq) +
		(packet->flags & TCP_SYN ? 1 : 0);
	step->end = step->from + packet->payload_bytes + fin;
	note_told(step);
	step->sighting->position = step->from;
	step->sighting->end = step->end;
	if (packet->flags & TCP_RST || window_is_probe(step) ||
		step->end == step->from)
		return;
	bool exceeds = window_exceeded(step);
	if (fin) {
		again = take_fin(step, step->end - 1);
		if (only_fin_again(step, again))
			return;
	}
	uint64_t next = self->next;
	begin_earlier(step);
	uint64_t to = step->end < next ? step->end : next;
	if (step->from < next && !(fin && step->end <= self->first) &&
		!stamps_same(step, step->from, to))
		take_old(step, to, fin && !again && step->end <= next);
	if (step->end > next) {
		take_new(step);
		stamps_note(step, next);
	}
	if (exceeds)
		window_excess(step);
	unsigned marks = step->sighting->marks;
	if (again && marks & MARK_RETRANSMISSION && !(marks & MARK_REORDERED))
		self->fin_retransmissions++;
}
