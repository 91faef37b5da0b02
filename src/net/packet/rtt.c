/* Round-trip times: from acknowledgements at the sender's tap, from timestamp
 * echoes at the receiver's tap. At any other tap the times lack a leg of the
 * path, so there are none. RFC 6298 and Karn's rule. */
#include "annotate_internal.h"

enum {
	TIMEOUT_FIRST_NS = 1000000000,
	FAR_LONGER = 8,
};

/* Call when the round trip of a side's data before `end` is known. */
static void sample(struct step *step, int of, uint64_t end, int64_t took_ns)
{
	struct side *side = &step->connection->side[of];
	struct rtt *rtt = &side->rtt;

	if (step->connection->stamps_invalid || step->connection->mixed)
		return;
	step->sighting->rtt_ns = took_ns;
	step->sighting->rtt_side = of;
	if (!rtt->samples++) {
		rtt->smoothed_ns = took_ns;
		rtt->variation_ns = took_ns / 2;
	} else {
		int64_t off_ns = took_ns - rtt->smoothed_ns;

		rtt->variation_ns +=
			((off_ns < 0 ? -off_ns : off_ns) - rtt->variation_ns) /
			4;
		rtt->smoothed_ns += off_ns / 8;
	}
	rtt->last_ns = took_ns;
	if (rtt->least_ns == UNKNOWN_NS || took_ns < rtt->least_ns)
		rtt->least_ns = took_ns;
	rounds_rtt(side, end, took_ns);
}

static bool is_sane(int64_t from_ns, int64_t to_ns)
{
	return to_ns >= from_ns && to_ns - from_ns < ROUND_TRIP_MOST_NS;
}

/* Call for new data. */
void rtt_sent(struct step *step)
{
	struct side *self = step->self;
	uint32_t place;

	if (self->pending_count == PENDING_MAX)
		return;
	place = (self->pending_head + self->pending_count++) % PENDING_MAX;
	self->pending[place].end = step->end;
	self->pending[place].t_ns = step->packet->t_ns;
}

/* Call when the other side's data is acknowledged up to `acked`. If some of it
 * was sent again, the acknowledgement may answer that copy, and have waited for
 * it: no sample (Karn). */
void rtt_acked(struct step *step, uint64_t acked)
{
	struct side *sender = step->peer;
	bool again = sender->karn > sender->acked;
	int64_t sent_ns = UNKNOWN_NS;
	uint64_t end = 0;

	while (sender->pending_count) {
		uint32_t head = sender->pending_head;

		if (sender->pending[head].end > acked)
			break;
		sent_ns = sender->pending[head].t_ns;
		end = sender->pending[head].end;
		sender->pending_head = (head + 1) % PENDING_MAX;
		sender->pending_count--;
	}
	if (again || sent_ns == UNKNOWN_NS ||
		!is_sane(sent_ns, step->packet->t_ns))
		return;
	tap_doubt(step, step->packet->t_ns - sent_ns);
	if (side_is_near(step->connection, step_peer(step)))
		sample(step, step_peer(step), end,
			step->packet->t_ns - sent_ns);
}

/* ---- echoes ------------------------------------------------------------ */

static struct tcp_echo *echo_at(const struct side *side, uint32_t i)
{
	uint32_t place = side->echo_first + i;

	return &side->echoes[place < side->echo_room ? place :
						place - side->echo_room];
}

static struct tcp_echo *echo_place(struct step *step)
{
	struct side *self = step->self;
	void *array = self->echoes;

	/* The ring can only grow while it does not wrap. */
	if (self->echo_count == self->echo_room && !self->echo_first &&
		store_grow(step->store, &array, &self->echo_room,
			self->echo_count, sizeof *self->echoes, ECHOES_MAX))
		self->echoes = array;
	if (!self->echo_room)
		return NULL;
	if (self->echo_count == self->echo_room)
		self->echo_first = (self->echo_first + 1) % self->echo_room;
	else
		self->echo_count++;
	return echo_at(self, self->echo_count - 1);
}

/* Call for an acknowledgement of this side, which opens its window to
 * `edge`. */
void rtt_note_ack(struct step *step, uint64_t edge)
{
	struct side *self = step->self;
	uint32_t tsval = step->packet->options.tsval;
	struct tcp_echo *last =
		self->echo_count ? echo_at(self, self->echo_count - 1) : NULL;

	if (!(step->packet->options.present & OPTION_TIMESTAMPS) ||
		(last && !timestamps_reach(tsval, last->tsval)))
		return;
	if (last && last->tsval == tsval) {
		last->acked = step->sighting->ack;
		if (edge > last->edge)
			last->edge = edge;
		return;
	}
	struct tcp_echo *place = echo_place(step);
	if (place)
		*place = (struct tcp_echo){ tsval, step->packet->t_ns,
			step->sighting->ack, edge };
}

const struct tcp_echo *echo_find(const struct side *side, uint32_t tsval)
{
	uint32_t low = 0, high = side->echo_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (timestamps_reach(echo_at(side, middle)->tsval, tsval))
			high = middle;
		else
			low = middle + 1;
	}
	if (low == side->echo_count || echo_at(side, low)->tsval != tsval)
		return NULL;
	return echo_at(side, low);
}

/* For new data at the far tap: the time since the echoed acknowledgement. */
void rtt_echo(struct step *step)
{
	if (!(step->packet->options.present & OPTION_TIMESTAMPS) ||
		side_is_near(step->connection, step->side) ||
		step->connection->tap == TAP_UNKNOWN ||
		step->connection->tap == TAP_MIDDLE)
		return;
	const struct tcp_echo *echo =
		echo_find(step->peer, step->packet->options.tsecr);
	if (!echo || !is_sane(echo->t_ns, step->packet->t_ns))
		return;
	/* A much longer time contains a wait for the application. */
	int64_t took_ns = step->packet->t_ns - echo->t_ns;
	int64_t known_ns = step->self->rtt.samples ?
		step->self->rtt.least_ns :
		step->connection->handshake.path_ns;
	if (known_ns == UNKNOWN_NS || took_ns / FAR_LONGER <= known_ns)
		sample(step, step->side, step->end, took_ns);
}

/* The best estimate of the round trip; UNKNOWN_NS if there is none. */
int64_t rtt_best(const struct connection *connection, const struct side *side)
{
	return side->rtt.samples ? side->rtt.smoothed_ns :
				   connection->handshake.path_about_ns;
}

/* The shortest round trip that is known; UNKNOWN_NS if there is none. */
int64_t rtt_least(const struct connection *connection, const struct side *side)
{
	int64_t path_ns = connection->handshake.path_about_ns;

	return side->rtt.samples &&
			(path_ns == UNKNOWN_NS ||
				side->rtt.least_ns < path_ns) ?
		side->rtt.least_ns :
		path_ns;
}

int64_t rtt_timeout(const struct connection *connection,
	const struct side *side)
{
	int64_t timeout_ns = TIMEOUT_FIRST_NS;

	if (side->rtt.samples)
		timeout_ns = side->rtt.smoothed_ns + 4 * side->rtt.variation_ns;
	else if (connection->handshake.path_ns != UNKNOWN_NS)
		timeout_ns = 3 * connection->handshake.path_ns;
	return timeout_ns < TIMEOUT_LEAST_NS ? TIMEOUT_LEAST_NS : timeout_ns;
}
