/* The receive window: size, zero windows, full windows, and probes (RFC 9293
 * 3.8.6, 7323). */
#include "annotate_internal.h"

enum {
	WSCALE_MOST = 14,
	PROVEN_AT_ONCE = 1024, /* packets by one acknowledgement */
};

/* True if the sender has nothing to acknowledge and was silent. An ACK of the
 * other side's data that was recorded after the sender's FIN has the sequence
 * number of a keep-alive too. */
static bool follows_silence(const struct step *step)
{
	const struct side *self = step->self, *peer = step->peer;
	int64_t t_ns = step->packet->t_ns;

	return t_ns - self->progress_ns > LATE_NS &&
		(self->sent_ns == UNKNOWN_NS ||
			t_ns - self->sent_ns > LATE_NS) &&
		(!peer->acked_known ||
			step->packet->ack == (uint32_t)peer->acked);
}

/* True if a byte that the receiver has acknowledged is data sent again, since
 * that acknowledgement was lost behind the tap: it has the mark of a write's
 * end, which keep-alives do not have, or echoes an older acknowledgement. */
static bool is_data_again(const struct step *step)
{
	const struct packet *packet = step->packet;
	const struct tcp_echo *echo =
		packet->options.present & OPTION_TIMESTAMPS ?
		echo_find(step->peer, packet->options.tsecr) :
		NULL;

	return packet->payload_bytes &&
		(packet->flags & TCP_PSH ||
			(echo && echo->acked < step->self->acked &&
				!side_is_near(step->connection, step->side)));
}

/* True for the last byte sent, if all data is acknowledged. If the capture lost
 * that acknowledgement, the byte shows it: a segment that is sent again has its
 * first byte, too. */
static bool is_last_byte(const struct step *step)
{
	const struct side *self = step->self;

	if (self->next <= self->acked)
		return step->from + 1 == self->acked;
	return step->from + 1 == self->next && step->from > self->acked &&
		step->from > self->sent_from;
}

/* True for a probe of a zero window or of a silent peer. Linux sends both as an
 * empty segment one byte below the acknowledged data; others send one byte. */
bool window_is_probe(struct step *step)
{
	struct side *self = step->self;
	const struct packet *packet = step->packet;
	uint64_t length = packet->payload_bytes;
	bool shut = step->peer->zero_since_ns != UNKNOWN_NS;

	if (packet->flags & (TCP_SYN | TCP_FIN | TCP_RST) ||
		!self->acked_known || length > 1)
		return false;
	bool below = step->from + 1 == self->acked;
	if (shut && (below || (length && step->from == self->acked))) {
		self->zero_window_probes++;
		step->sighting->marks |= MARK_PROBE;
		event_add(step, step->side, EVENT_ZERO_WINDOW_PROBE, 0,
			step->from, step->end);
		/* A new byte is only data if it is acknowledged. */
		if (step->from >= self->next)
			self->probed = step->end;
		return true;
	}
	if (!is_last_byte(step) || is_data_again(step) ||
		!follows_silence(step))
		return false;
	self->keepalives++;
	step->sighting->marks |= MARK_KEEPALIVE;
	event_add(step, step->side, EVENT_KEEPALIVE, 0, step->from, step->end);
	return true;
}

static void note_shut(struct step *step, bool shut)
{
	struct side *self = step->self;
	int64_t t_ns = step->packet->t_ns;

	if (shut) {
		step->sighting->marks |= MARK_ZERO_WINDOW;
		self->zero_window_acks++;
		if (!(step->packet->flags & TCP_SYN))
			full_closed(step->peer, t_ns);
		if (self->zero_since_ns != UNKNOWN_NS)
			return;
		self->zero_since_ns = t_ns;
		self->zero_windows++;
		event_add(step, step->side, EVENT_ZERO_WINDOW, 0, 0, 0);
	} else if (self->zero_since_ns != UNKNOWN_NS) {
		add_span(&self->zero_window_ns, self->zero_since_ns, t_ns);
		self->zero_since_ns = UNKNOWN_NS;
		event_add(step, step->side, EVENT_WINDOW_OPEN, 0, 0,
			self->window_bytes);
	}
}

static unsigned shift_of(const struct step *step)
{
	unsigned shift = step->self->offer.options.wscale;
	bool scaled = step->connection->scaling &&
		!(step->packet->flags & TCP_SYN);

	if (shift > WSCALE_MOST)
		shift = WSCALE_MOST;
	return scaled ? shift : 0;
}

static void note_width(struct step *step)
{
	struct side *self = step->self;

	self->window_known = step->connection->scaling_known;
	self->window_bytes = (uint64_t)step->packet->window << shift_of(step);
	if (step->packet->flags & TCP_SYN)
		return;
	if (!self->window_most_bytes ||
		self->window_bytes < self->window_least_bytes)
		self->window_least_bytes = self->window_bytes;
	if (self->window_bytes > self->window_most_bytes)
		self->window_most_bytes = self->window_bytes;
}

void window_step(struct step *step)
{
	struct side *self = step->self, *sender = step->peer;
	const struct packet *packet = step->packet;
	uint64_t before_bytes = self->window_bytes;

	if (!packet->window_known || packet->flags & TCP_RST)
		return;
	note_width(step);
	if (!(packet->flags & TCP_ACK) || !sender->started)
		return;
	if (step->sighting->ack < sender->acked)
		return;
	note_shut(step, !packet->window);
	if (!packet->payload_bytes && self->window_bytes != before_bytes &&
		!(step->sighting->marks & MARK_NEW_DATA) &&
		!(packet->flags & (TCP_SYN | TCP_FIN)) &&
		self->last_ack_known && before_bytes &&
		sender->progress_ns != packet->t_ns) {
		self->window_updates++;
		step->sighting->marks |= MARK_WINDOW_UPDATE;
	}
	if (!self->window_known)
		return;
	uint64_t edge = step->sighting->ack + self->window_bytes;
	if (edge > sender->edge) {
		sender->edge = edge;
		sender->window_filled = false;
	}
	if (!(packet->flags & TCP_SYN))
		full_room(step, edge);
	rtt_note_ack(step, edge);
}

/* One event for all such packets in a row. */
static void note_beyond(struct step *step, uint64_t end)
{
	struct connection *connection = step->connection;
	struct tcp_event *last = connection->event_count ?
		&connection->events[connection->event_count - 1] :
		NULL;

	if (!last || last->kind != EVENT_BEYOND_WINDOW ||
		last->side != step->side)
		event_add(step, step->side, EVENT_BEYOND_WINDOW, 0,
			step->self->edge, end);
	else if (end > last->to)
		last->to = end;
}

/* True if the sender may know a window that is not recorded: packets are
 * recorded late, or it echoes an acknowledgement that was not captured. */
static bool may_know_more(const struct step *step)
{
	const struct side *peer = step->peer;
	bool stamped = peer->has_timestamps &&
		step->packet->options.present & OPTION_TIMESTAMPS;

	return step->self->recorded_late || peer->recorded_late ||
		(stamped &&
			!timestamps_reach(peer->last_tsval,
				step->packet->options.tsecr));
}

/* Data beyond the receive window, which the receiver may discard. */
bool window_exceeded(struct step *step)
{
	struct side *self = step->self;

	if (!step->peer->window_known || !self->edge ||
		step->packet->payload_bytes < 2)
		return false;
	uint64_t end = step->from + step->packet->payload_bytes;
	if (end <= self->edge || may_know_more(step))
		return false;
	if (!self->beyond.packets++) {
		self->beyond.number = step->packet->number;
		self->beyond.edge = self->edge;
		self->beyond.bytes = self->beyond_window_bytes;
		self->beyond.proven = (struct proof){ 0 };
	}
	self->beyond_window++;
	if (end - self->edge > self->beyond_window_bytes)
		self->beyond_window_bytes = end - self->edge;
	note_beyond(step, end);
	return true;
}

void window_excess(struct step *step)
{
	struct side *self = step->self;
	const struct byte_range excess = {
		.from = step->from > self->edge ? step->from : self->edge,
		.to = step->from + step->packet->payload_bytes,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
	};

	ranges_remove(&self->excess, step->store, excess.from, excess.to);
	if (ranges_insert(&self->excess, step->store, &excess))
		return;
	self->ranges_lost++;
	step->facts->left_out++;
}

/* True if what the receiver does with data shows at the tap: the data has
 * passed the path, and the receiver reports what it keeps. */
static bool shows_discards(const struct step *step)
{
	return side_is_near(step->connection, step_peer(step)) &&
		step->self->offer.options.present &
		step->peer->offer.options.present & OPTION_SACK_PERMITTED;
}

enum discard window_again(struct step *step, uint64_t to)
{
	struct side *self = step->self;

	bool kept = ranges_overlap(&self->sacked, step->from, to);
	uint64_t bytes =
		ranges_remove(&self->excess, step->store, step->from, to);
	if (kept || !bytes)
		return DISCARD_NONE;
	if (!shows_discards(step))
		return DISCARD_POSSIBLE;
	/* So the data did exceed the window: nothing is left to prove. */
	if (to > self->beyond.edge)
		self->beyond.packets = 0;
	self->discarded_bytes += bytes;
	return DISCARD_CERTAIN;
}

/* Data ends `bytes` beyond any window that the sender knew. */
static void prove_beyond(struct side *sender, const struct byte_range *data,
	uint64_t bytes)
{
	struct proof *proven = &sender->beyond.proven;

	if (!proven->packets++ || data->number < proven->first.number) {
		proven->first.t_ns = data->t_ns;
		proven->first.number = data->number;
	}
	if (bytes > proven->bytes)
		proven->bytes = bytes;
	if (data->to <= proven->first.to)
		return;
	proven->first.from = data->to - bytes;
	proven->first.to = data->to;
}

/* A window never ends before an earlier one, except by rounding (RFC 7323,
 * 2.4). So its end in an acknowledgement that was recorded after data is an
 * upper bound for every window that the sender knew when it sent the data, also
 * for those that the capture missed. */
void window_proves(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;
	const struct packet *packet = step->packet;
	uint64_t room_bytes = (uint64_t)packet->window << shift_of(step);
	uint64_t edge = ack + room_bytes + (UINT64_C(1) << shift_of(step)) - 1;
	uint32_t i = sender->excess.count;

	if (!sender->beyond.packets || !packet->window_known ||
		(packet->options.present & OPTION_TIMESTAMPS &&
			packet->options.tsval != step->self->last_tsval))
		return;
	/* A receiver that did reduce its window proves nothing. */
	if (edge < sender->edge) {
		sender->beyond.proven.packets = 0;
		return;
	}
	for (int k = 0; k < PROVEN_AT_ONCE && i-- > 0; k++) {
		struct byte_range *data = ranges_at(&sender->excess, i);

		if (data->times || data->number < sender->beyond.number)
			break;
		if (packet->t_ns - data->t_ns <= LATE_NS)
			continue;
		data->times = 1;
		if (data->to > edge)
			prove_beyond(sender, data,
				data->to - ack - room_bytes);
	}
}

/* Only what is proven remains. */
static void withdraw_beyond(struct step *step)
{
	struct side *sender = step->peer;
	const struct proof *proven = &sender->beyond.proven;

	sender->beyond_window -= sender->beyond.packets - proven->packets;
	sender->beyond_window_bytes = sender->beyond.bytes;
	sender->beyond.packets = 0;
	events_remove(step->connection, step_peer(step), EVENT_BEYOND_WINDOW,
		sender->beyond.number);
	if (!proven->packets) {
		sender->rounds.exit.beyond = false;
		return;
	}
	if (proven->bytes > sender->beyond_window_bytes)
		sender->beyond_window_bytes = proven->bytes;
	event_add_of(step, step_peer(step), EVENT_BEYOND_WINDOW, 0,
		&proven->first);
}

void window_acked(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;

	if (sender->beyond.packets && ack > sender->beyond.edge)
		withdraw_beyond(step);
	ranges_prune(&sender->excess, ack, NULL);
}
