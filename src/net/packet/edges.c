/*
 * The boundary of two rounds if packets between them are lost. Also the initial
 * window, which is the first round up to that boundary.
 *
 * Data lost between two rounds is counted to the earlier one (rounds.c), but
 * not to the initial window. At the sender's tap, data that was sent later is
 * subtracted. Elsewhere the window may end anywhere in the lost data. Data that
 * was only overtaken shows its round when it arrives.
 */
#include "annotate_internal.h"

/* On a shorter path, a pause of a host looks like the end of a flight. */
enum { ESTIMATE_LEAST_NS = 10000000 };

/* A round begins with the data that was skipped before its first packet. */
void edges_front(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;

	round_open(rounds)->first -= step->gap_bytes;
	rounds_gap(step);
}

/* `bytes` counted to the first round may belong to the second: data skipped
 * between the rounds, without an echo that could decide it. */
void edges_between(struct step *step, uint64_t bytes)
{
	struct rounds *rounds = &step->self->rounds;

	if (!bytes)
		return;
	rounds->edge_bytes += bytes;
	rounds->edge_unknown_bytes += bytes;
}

/* True if new data follows a silence as long as before a tail loss probe (two
 * round trips, RFC 8985, 7.2), by the sender's clock. */
static bool follows_silence(const struct step *step, const struct round *first)
{
	const struct packet *packet = step->packet;
	const struct side *self = step->self;
	int64_t rtt_ns = step->connection->handshake.path_about_ns;
	int64_t silent_ns = packet->t_ns - first->last_ns;

	/* A round trip of data may include a pause of the sender. */
	if (rtt_ns == UNKNOWN_NS || (self->rtt.least_ns != UNKNOWN_NS &&
			self->rtt.least_ns < rtt_ns))
		rtt_ns = self->rtt.least_ns;

	if (!side_is_near(step->connection, step->side) &&
		packet->options.present & OPTION_TIMESTAMPS) {
		int32_t ticks = (int32_t)(packet->options.tsval -
			self->rounds.last_tsval);
		silent_ns = (ticks - 1) * clock_tick(self);
	}
	return rtt_ns != UNKNOWN_NS && silent_ns > rtt_ns + rtt_ns / 2;
}

/* `bytes` at the end of the first round need no longer be guessed. */
static void settle_between(struct rounds *rounds, uint64_t bytes)
{
	if (bytes > rounds->edge_unknown_bytes)
		bytes = rounds->edge_unknown_bytes;
	rounds->edge_bytes -= bytes;
	rounds->edge_unknown_bytes -= bytes;
}

/* Data was skipped before the first packet of the first round, by losses before
 * the tap: the packet may be a tail loss probe after a flight that was lost. */
void edges_first(struct step *step, uint64_t bytes)
{
	step->self->rounds.edge_known = step->self->edge;
	if (!step->gap_bytes || side_is_near(step->connection, step->side))
		return;
	edges_between(step, bytes);
	step->self->rounds.lone_bytes = bytes;
}

static bool echoes_missing(const struct step *step)
{
	const struct packet *packet = step->packet;
	const struct side *peer = step->peer;

	return packet->options.present & OPTION_TIMESTAMPS &&
		peer->has_timestamps &&
		!timestamps_reach(peer->last_tsval, packet->options.tsecr);
}

/* Until it is acknowledged, the first flight is sent at once: new data after a
 * silence is a tail loss probe, or the application wrote no more before. Away
 * from the sender and without timestamps, the flight may have been delayed. */
void edges_silence(struct step *step, uint64_t bytes)
{
	struct rounds *rounds = &step->self->rounds;

	if (rounds_all(rounds) != 1 || !rounds->count)
		return;
	rounds->ack_missed |= echoes_missing(step);
	if (!rounds->after_bytes && !follows_silence(step, rounds->at)) {
		settle_between(rounds, rounds->lone_bytes);
		rounds->lone_bytes = 0;
		return;
	}
	if (!side_is_near(step->connection, step->side) &&
		!(step->packet->options.present & OPTION_TIMESTAMPS)) {
		edges_between(step, bytes);
		return;
	}
	rounds->after_bytes += bytes;
	rounds->edge_bytes += bytes;
}

/* Call for bytes that were overtaken, or recorded late, but not lost: they were
 * skipped, and counted to the round before. If they echo the acknowledgement
 * that released the later round, then it began with them. */
void edges_late(struct step *step, uint64_t to)
{
	struct side *self = step->self;
	struct rounds *rounds = &self->rounds;
	uint32_t i = rounds->count;

	while (i && rounds->at[i - 1].first > step->from)
		i--;
	if (rounds->basis != ROUNDS_ECHO || !i || i == rounds->count ||
		!(step->packet->options.present & OPTION_TIMESTAMPS))
		return;
	struct round *round = &rounds->at[i], *before = round - 1;
	uint64_t bytes = to - step->from;
	if (timestamps_reach(step->packet->options.tsecr, round->echo)) {
		bytes = round->first - step->from;
		if (bytes > before->bytes)
			return;
		round->first -= bytes;
		round->bytes += bytes;
		before->bytes -= bytes;
		round_count(self, before);
		round_count(self, round);
	}
	if (i == 1)
		settle_between(rounds, bytes);
}

/* True if the receiver has reported data after a position. A receiver without
 * SACK reports it by duplicates, followed by recovery. */
static bool has_behind(const struct step *step, uint64_t position)
{
	const struct side *self = step->self;
	const struct ranges *sacked = &self->sacked;

	if (sacked->count)
		return ranges_at(sacked, sacked->count - 1)->to > position;
	if (self->dupacks)
		return true;
	return !(step->peer->offer.options.present & OPTION_SACK_PERMITTED) &&
		self->recover > position;
}

/* Moves the beginning of round i to `to`. */
static void move_edge(struct rounds *rounds, const struct side *self,
	uint32_t i, uint64_t to)
{
	struct round *last = &rounds->at[i], *before = last - 1;
	uint64_t bytes = to - last->first;

	if (bytes > last->bytes)
		bytes = last->bytes;
	before->bytes += bytes;
	last->bytes -= bytes;
	last->first += bytes;
	round_count(self, before);
	round_count(self, last);
	if (i == 1)
		rounds->edge_bytes += bytes;
}

static void move_edges(struct side *self, uint32_t i, uint64_t to)
{
	struct rounds *rounds = &self->rounds;
	const struct round *last = &rounds->at[i];

	move_edge(rounds, self, i, to);
	/* The data after `to` may have been retransmitted before. */
	uint32_t k = ranges_find(&self->again, last->first);
	while (k < self->again.count &&
		ranges_at(&self->again, k)->from <= last->first &&
		last->bytes) {
		move_edge(rounds, self, i, ranges_at(&self->again, k)->to);
		k++;
	}
}

/* Call if [from, to) was retransmitted although later data had arrived: a round
 * may have lost its beginning. */
void edges_again(struct step *step, uint64_t from, uint64_t to)
{
	struct side *self = step->self;
	struct rounds *rounds = &self->rounds;

	if (rounds->basis != ROUNDS_ECHO || rounds->count < 2 ||
		!side_is_near(step->connection, step->side) ||
		!has_behind(step, to))
		return;
	for (uint32_t i = rounds->count; i-- > 1;) {
		if (rounds->at[i].first < from)
			break;
		if (rounds->at[i].first < to)
			move_edges(self, i, to);
	}
}

/* True if the data that opened the second round was not captured: without
 * echoes, it may belong to the first. */
static bool is_edge_missing(const struct side *self)
{
	uint64_t edge = self->rounds.count > 1 ? self->rounds.at[1].first : 0;

	return self->rounds.basis == ROUNDS_ACK_CLOCK && edge &&
		(ranges_overlap(&self->holes, edge, edge + 1) ||
			ranges_overlap(&self->unseen, edge, edge + 1));
}

/* True if packets recorded late hide an end of the first round. Data recorded
 * before the handshake was complete belongs to no round. If nothing was late,
 * the first round equals its bytes in flight. Away from the sender's
 * tap, what looks reordered may have been recorded late. */
static bool is_blurred(const struct connection *connection, int side)
{
	const struct side *self = &connection->side[side];
	const struct rounds *rounds = &self->rounds;
	bool late = connection->side[0].recorded_late || self->reordered ||
		self->unclear || connection->side[1].recorded_late;

	if (!late || !rounds->count)
		return false;
	const struct round *first = &rounds->at[0];
	return rounds->blurred == 1 || rounds->basis == ROUNDS_ESTIMATED ||
		first->first != self->first ||
		(first->in_flight_bytes &&
			first->in_flight_bytes !=
				first->bytes - rounds->edge_bytes);
}

/* True if the first round ends within a segment: the application wrote no more.
 * Smaller segments, all of one size, are whole if the path allows no larger
 * ones. Then slow start continues with them: an application that wrote no more
 * would not write twice as much for the next round. */
static bool ends_incomplete(const struct side *self, uint64_t bytes)
{
	const struct round *first = &self->rounds.at[0], *second = first + 1;
	uint64_t size = side_segment_bytes(self);

	if (!size || bytes % self->mss_bytes == 0)
		return false;
	return bytes % size || first->short_frames || second->short_frames ||
		second->bytes % size || second->bytes * 10 < first->bytes * 16;
}

/* True if the next round is not larger, although nothing held it back: in slow
 * start, a window that was full grows. The last round ends with the data. */
static bool lacks_growth(const struct rounds *rounds, uint64_t bytes)
{
	const struct round *first = &rounds->at[0], *second = first + 1;

	return rounds->count > 2 && second->bytes <= bytes &&
		!first->retransmissions && !second->retransmissions &&
		!first->reduced && !first->marked && !second->window_full;
}

static enum initial_window_state window_state(
	const struct connection *connection, int side, uint64_t bytes)
{
	const struct side *self = &connection->side[side];
	const struct rounds *rounds = &self->rounds;
	const struct round *first = &rounds->at[0];

	uint64_t end = first->first + bytes;
	if (first->window_full && !first->window_over)
		return WINDOW_CUT_BY_PEER;
	if (rounds->edge_unknown_bytes || is_edge_missing(self))
		return WINDOW_CUT_BY_LOSS;
	/* Before its first acknowledgement, the sender knows no other window
	 * than that of the handshake, at any tap. */
	if (end <= rounds->edge_known &&
		end + self->mss_bytes > rounds->edge_known)
		return WINDOW_CUT_BY_PEER;
	/* A probe is one segment. */
	if (rounds->count == 1 || first->app_limited || first->silent ||
		rounds->after_bytes > side_segment_bytes(self) ||
		ends_incomplete(self, bytes))
		return WINDOW_CUT_BY_APP;
	if (lacks_growth(rounds, bytes))
		return WINDOW_NOT_GROWN;
	/* Where a timer repaired a loss before the tap, the last packets of the
	 * flight may be lost too: they pass later, like new data. */
	return first->retransmissions && !side_is_near(connection, side) ?
		WINDOW_CUT_BY_LOSS :
		WINDOW_WHOLE;
}

/* True if the capture lost packets of the first two rounds. */
static bool is_incomplete(const struct side *self)
{
	const struct rounds *rounds = &self->rounds;
	uint64_t end = rounds->count > 2 ? rounds->at[2].first : UINT64_MAX;

	return rounds->ack_missed ||
		ranges_overlap(&self->unseen, self->first, end) > 0;
}

struct initial_window side_initial_window(const struct connection *connection,
	int side)
{
	const struct side *self = &connection->side[side];
	const struct rounds *rounds = &self->rounds;
	struct initial_window window = { .state = WINDOW_UNKNOWN };

	if (!side_is_answered(connection, side))
		return window;
	bool close = connection->handshake.path_ns < ESTIMATE_LEAST_NS;
	if (rounds->basis == ROUNDS_TOO_SHORT ||
		(rounds->basis == ROUNDS_ECHO && rounds->vague) ||
		(rounds->basis == ROUNDS_ESTIMATED &&
			(close || rounds->blurred == 1)))
		window.state = WINDOW_NOT_OBSERVABLE;
	else if (is_incomplete(self) || is_blurred(connection, side))
		window.state = WINDOW_RECORDED_LATE;
	else if (self->isn_known && rounds->count &&
		rounds->at[0].bytes > rounds->edge_bytes) {
		const struct round *first = &rounds->at[0];

		window.bytes = first->bytes - rounds->edge_bytes;
		window.segments = side_segments_about(self, window.bytes,
			first->frames);
		window.state = window_state(connection, side, window.bytes);
	}
	return window;
}
