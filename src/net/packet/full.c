/* The time for which a full or closed receive window limits its sender. */
#include "annotate_internal.h"

enum { FULL_EVENTS = 64 };

/* The sender's data fills the other side's window from now on, or again. */
static void full_begin(struct side *sender, int64_t t_ns)
{
	if (sender->full_since_ns == UNKNOWN_NS)
		sender->full_since_ns = t_ns;
	sender->full_until_ns = UNKNOWN_NS;
}

static void add_full(struct side *sender, int64_t end_ns)
{
	struct round *round = round_open(&sender->rounds);
	int64_t full_ns = side_full_open_ns(sender, end_ns);

	add_span(&sender->full_ns, 0, full_ns);
	if (round)
		add_span(&round->full_ns, 0, full_ns);
}

static void full_end(struct side *sender, int64_t t_ns)
{
	add_full(sender, t_ns);
	sender->full_since_ns = sender->full_until_ns = UNKNOWN_NS;
}

void full_round(struct side *sender, int64_t t_ns)
{
	add_full(sender, t_ns);
	if (sender->full_since_ns != UNKNOWN_NS)
		sender->full_since_ns = t_ns;
}

/* ---- acknowledgements -------------------------------------------------- */

/* The window of a sender is wider than the one that it filled. At its tap it
 * knows. At the far tap, its data is here after a round trip at most. */
static void note_open(const struct step *step, int side)
{
	struct side *sender = &step->connection->side[side];
	int64_t rtt_ns = rtt_best(step->connection, sender);

	if (sender->full_since_ns == UNKNOWN_NS ||
		sender->full_until_ns != UNKNOWN_NS)
		return;
	if (side_is_near(step->connection, side) || rtt_ns == UNKNOWN_NS)
		full_end(sender, step->packet->t_ns);
	else
		sender->full_until_ns = step->packet->t_ns + rtt_ns;
}

/* A sender before a closed window is not idle. */
void full_closed(struct side *sender, int64_t t_ns)
{
	full_begin(sender, t_ns);
	sender->idle_since_ns = UNKNOWN_NS;
	if (rounds_all(&sender->rounds))
		round_open(&sender->rounds)->window_full = true;
}

/* True if the sender waits for a wider window: it sends no less than a segment
 * or half the widest window (RFC 9293, 3.8.6.2.1). `end`: of its data. */
static bool is_narrow(const struct side *receiver, const struct side *sender,
	uint64_t end, uint64_t edge)
{
	uint64_t room_bytes = edge > end ? edge - end : 0;

	return !room_bytes ||
		(room_bytes < sender->mss_bytes &&
			room_bytes * 2 < receiver->window_most_bytes);
}

/* After all data is acknowledged, the sender waits for the window, or has no
 * data. */
void full_room(struct step *step, uint64_t edge)
{
	struct side *sender = step->peer;
	int64_t t_ns = step->packet->t_ns;
	bool all = sender->acked >= sender->next && !sender->fin_seen;

	if (!is_narrow(step->self, sender, sender->next, edge)) {
		note_open(step, step_peer(step));
		if (all && sender->idle_since_ns == UNKNOWN_NS)
			sender->idle_since_ns = t_ns;
	} else if (all && sender->progress_ns == t_ns) {
		full_closed(sender, t_ns);
	}
}

/* ---- data -------------------------------------------------------------- */

/* The end of the window that the sender knew, and in *acked where it begins. At
 * the sender's tap, this is the last one captured; at the far tap, the one in
 * the echoed acknowledgement. 0: unknown. */
static uint64_t known_edge(const struct step *step, uint64_t *acked)
{
	const struct packet *packet = step->packet;

	*acked = step->self->acked;
	if (side_is_near(step->connection, step->side))
		return step->self->edge;
	if (!(packet->options.present & OPTION_TIMESTAMPS) ||
		!step->peer->last_has_timestamps)
		return 0;
	const struct tcp_echo *echo =
		echo_find(step->peer, packet->options.tsecr);
	if (!echo)
		return 0;
	*acked = echo->acked;
	return echo->edge;
}

/* If not even two segments fit, as on loopback, a half empty window waits for
 * data, not for room. */
static bool waits_for_data(const struct step *step, uint64_t acked,
	uint64_t edge, uint64_t mss)
{
	return edge < acked + 2 * mss && step->end >= acked &&
		2 * (step->end - acked) < edge - acked;
}

/* True if a packet fills the window that the sender knew. */
static bool fills(const struct step *step, uint64_t acked, uint64_t edge)
{
	uint64_t mss = step->self->mss_bytes;

	if (!mss)
		mss = step->packet->payload_bytes;
	return edge && step->end + mss > edge &&
		!waits_for_data(step, acked, edge, mss);
}

static void note_full(struct step *step, uint64_t edge)
{
	struct side *self = step->self;

	full_begin(self, step->packet->t_ns);
	if (edge < self->edge &&
		!is_narrow(step->peer, self, step->end, self->edge))
		note_open(step, step->side);
	step->sighting->marks |= MARK_WINDOW_FULL;
	if (self->window_filled)
		return;
	self->window_filled = true;
	if (++self->window_fulls <= FULL_EVENTS)
		event_add(step, step->side, EVENT_WINDOW_FULL, 0, step->from,
			edge);
}

void full_sent(struct step *step)
{
	struct side *self = step->self;
	uint64_t acked, edge = known_edge(step, &acked);
	bool full = fills(step, acked, edge);
	int64_t until_ns = self->full_until_ns;
	struct round *round = round_open(&self->rounds);

	if (round) {
		round->window_full = full;
		round->window_over |= edge && step->end > edge;
		round->window_known = edge != 0;
		if (edge > acked)
			round->window_bytes = edge - acked;
	}
	self->window_filled &= full;
	if (!full ||
		(until_ns != UNKNOWN_NS && until_ns < step->packet->t_ns))
		full_end(self, step->packet->t_ns);
	if (full)
		note_full(step, edge);
}

/* True if the last round was an answer, and the sender waited for the next
 * request. Not if a round as long filled the window without one: a receiver may
 * report its progress while it takes a long answer. */
static bool is_answer(const struct step *step, const struct round *round)
{
	const struct rounds *rounds = &step->self->rounds;

	return rounds_asked(step) &&
		(!rounds->filled_bytes ||
			round->bytes + step->self->mss_bytes <
				rounds->filled_bytes);
}

/* Without timestamps, at the receiver: an estimated round begins after a
 * silence, so its sender knew the window of before. If the data of the round
 * ends with this window, the sender waited for the next one. The receiver may
 * have reported only later that little is left. */
void full_waited(struct step *step)
{
	struct side *self = step->self;
	const struct rounds *rounds = &self->rounds;
	struct round *round = round_open(&self->rounds);
	uint64_t end = round->first + round->bytes, edge = rounds->edge_begun;

	if (rounds->basis != ROUNDS_ESTIMATED || round->retransmissions ||
		round->silent || round->app_limited || end > edge ||
		end + self->mss_bytes <= edge || is_answer(step, round) ||
		!side_is_near(step->connection, step_peer(step)))
		return;
	self->window_fulls++;
	round->window_full = true;
	round->window_bytes = edge - round->first;
	self->full_since_ns = round->last_ns;
	self->full_until_ns = UNKNOWN_NS;
	full_end(self, step->packet->t_ns);
}
