/* The end of a connection: FINs, their acknowledgements, and resets. */
#include <ctype.h>
#include <string.h>

#include "annotate_internal.h"

/* A FIN with the sequence number of the SYN needs an acknowledgement beyond
 * both. */
static bool is_fin_acked(const struct side *sender, uint64_t ack)
{
	return ack > sender->fin && (!sender->isn_known || ack > sender->first);
}

/* The FIN that acknowledges the other is the second, even if it was recorded
 * before the other. */
static void order_fins(struct step *step)
{
	struct teardown *teardown = &step->connection->teardown;
	struct close_leg *leg = &teardown->leg[step->side];
	const struct close_leg *other = &teardown->leg[step_peer(step)];

	if (is_fin_acked(step->peer, leg->fin_ack))
		return;
	teardown->crossed = !is_fin_acked(step->self, other->fin_ack);
	if (teardown->crossed)
		return;
	teardown->first = step->side;
	leg->ack_ns = other->fin_ns;
	leg->ack_number = other->fin_number;
}

static void take_fin(struct step *step)
{
	struct teardown *teardown = &step->connection->teardown;
	struct close_leg *leg = &teardown->leg[step->side];

	step->connection->seen |= 16;
	if (leg->fins++)
		return;
	leg->fin_ns = step->packet->t_ns;
	leg->fin_number = step->packet->number;
	leg->fin_ack = step->sighting->ack;
	if (teardown->first < 0)
		teardown->first = step->side;
	else
		order_fins(step);
	slowstart_end(step, step->side, EXIT_END_OF_DATA);
}

static void take_ack(struct step *step)
{
	struct teardown *teardown = &step->connection->teardown;
	struct close_leg *leg = &teardown->leg[step_peer(step)];

	if (!leg->fins || leg->ack_ns != UNKNOWN_NS ||
		!is_fin_acked(step->peer, step->sighting->ack))
		return;
	leg->ack_ns = step->packet->t_ns;
	leg->ack_number = step->packet->number;
}

/* True if the reset may be the answer of a closed socket to a delayed segment:
 * it has the number that the segment acknowledges, which is below the window
 * (RFC 9293, 3.10.7.1). Away from its host, other segments may have passed
 * since. */
static bool answers_old(const struct step *step)
{
	const struct side *self = step->self, *peer = step->peer;

	if (step->packet->flags & TCP_ACK || !self->acked_known ||
		step->from >= self->acked || step->from < self->first)
		return false;
	return !side_is_near(step->connection, step->side) ||
		(peer->last_ack_known && step->from == peer->last_ack);
}

/* True if the reset may be from the other end: its sequence number is the
 * expected one, or at least within the window. */
static bool is_plausible(const struct step *step)
{
	const struct side *self = step->self, *peer = step->peer;
	uint64_t low = self->acked_known ? self->acked : self->first;
	uint64_t high = self->next > low ? self->next : low;

	if (!self->started)
		return true;
	if (answers_old(step))
		return true;
	if (peer->window_known)
		high = self->edge > high ? self->edge : high;
	else
		high += 65535;
	return step->from + 1 >= low && step->from <= high;
}

/* True if only SYNs, with or without data (RFC 7413), and resets were captured
 * before the reset. */
static bool follows_syns(const struct connection *connection)
{
	return connection->packets == connection->handshake.syn.count +
			connection->teardown.resets + 1;
}

static enum reset_kind reset_kind_of(const struct step *step)
{
	const struct connection *connection = step->connection;

	bool client = step->side == connection->client;
	bool alone = connection->seen & 1 && !(connection->seen & 2);

	if (alone && client && !(connection->seen & 8))
		return RESET_ABORT;
	if (alone && !client && follows_syns(connection))
		return RESET_REFUSED;
	if (!is_plausible(step))
		return RESET_SUSPICIOUS;
	if (connection->teardown.first >= 0)
		return RESET_AFTER_FIN;
	return RESET_ABORT;
}

static void note_text(struct step *step)
{
	struct teardown *teardown = &step->connection->teardown;
	const struct packet *packet = step->packet;
	size_t length = 0;

	for (; length < packet->payload_captured &&
		length + 1 < sizeof teardown->reset_text;
		length++) {
		uint8_t c = packet->payload[length];

		teardown->reset_text[length] =
			c >= ' ' && c < 0x7f ? (char)c : '.';
	}
	teardown->reset_text[length] = '\0';
}

/* What a reset leaves unacknowledged, which may acknowledge data itself. */
static uint64_t unacknowledged(const struct step *step)
{
	uint64_t bytes = 0;

	for (int i = 0; i < 2; i++) {
		const struct side *side = &step->connection->side[i];
		uint64_t ack = side == step->peer ? step->sighting->ack : 0;
		uint64_t acked = greater(side->acked, ack);

		if (side->acked_known && side->next > acked)
			bytes += side->next - acked;
	}
	return bytes;
}

/* A closed socket answers a segment with a reset that acknowledges nothing (RFC
 * 9293, 3.5.2). So its host obeyed the reset after which the other side
 * continued. */
static bool answers_for_closed(const struct step *step)
{
	const struct teardown *teardown = &step->connection->teardown;

	return teardown->reset_ignored && teardown->reset_side != step->side &&
		!(step->packet->flags & TCP_ACK);
}

static void take_reset(struct step *step)
{
	struct connection *connection = step->connection;
	struct teardown *teardown = &connection->teardown;
	enum reset_kind kind = reset_kind_of(step);
	bool stands = !teardown->reset_ignored || answers_for_closed(step);

	connection->seen |= 32;
	event_add(step, step->side, EVENT_RESET, kind, step->from, step->end);
	teardown->reset_ignored = false;
	if (teardown->resets++ && stands)
		return;
	teardown->reset = kind;
	teardown->reset_side = step->side;
	teardown->reset_ns = step->packet->t_ns;
	teardown->reset_number = step->packet->number;
	teardown->reset_position = step->from;
	teardown->reset_highest = side_highest(step->peer);
	teardown->reset_old = answers_old(step);
	/* A direction that was not captured may have left anything. */
	teardown->reset_unacked_known = connection->self_connect ||
		(side_is_answered(connection, 0) &&
			side_is_answered(connection, 1));
	teardown->reset_unacked_bytes = unacknowledged(step);
	note_text(step);
}

/* True if the packet acknowledges data that was captured after the reset: the
 * host that takes it did not close. Packets that a late recorder put behind the
 * reset follow it at once. */
static bool takes_data(const struct step *step)
{
	const struct teardown *teardown = &step->connection->teardown;
	uint64_t ack = step->sighting->ack;

	return step->packet->flags & TCP_ACK && step->peer->started &&
		ack > teardown->reset_highest && ack <= step->peer->next &&
		step->packet->t_ns - teardown->reset_ns > LATE_NS;
}

/* The events show the resets of a side as they were judged at first. */
static void doubt_events(struct connection *connection, int side)
{
	for (uint32_t i = 0; i < connection->event_count; i++) {
		struct tcp_event *event = &connection->events[i];

		if (event->kind == EVENT_RESET && event->side == side)
			event->why = RESET_SUSPICIOUS;
	}
}

/* If a side continues after its reset, the reset was sent by another host. Data
 * below the reset was sent before it. */
static void note_disobeyed(struct step *step)
{
	struct teardown *teardown = &step->connection->teardown;
	bool opens = step->packet->flags & TCP_SYN;
	bool sends = step->sighting->marks & MARK_NEW_DATA &&
		step->end > teardown->reset_position;
	/* A socket that was closed before sends nothing more. */
	bool goes_on = teardown->reset_old &&
		step->packet->t_ns - teardown->reset_ns > LATE_NS;

	if (teardown->reset == RESET_NONE || teardown->reset_side != step->side)
		return;
	if (teardown->reset_ignored ||
		(!opens && !sends && !goes_on && !takes_data(step)))
		return;
	doubt_events(step->connection, step->side);
	teardown->reset = RESET_SUSPICIOUS;
	teardown->reset_ignored = true;
}

void teardown_step(struct step *step)
{
	const struct packet *packet = step->packet;
	struct teardown *teardown = &step->connection->teardown;
	const struct close_leg *other = &teardown->leg[step_peer(step)];

	if (packet->flags & TCP_RST) {
		take_reset(step);
		return;
	}
	note_disobeyed(step);
	/* Also on the packet that acknowledges the FIN. */
	if (other->fins && !step->connection->self_connect &&
		is_fin_acked(step->peer, step->sighting->ack))
		teardown->half_close_bytes += step->fresh_bytes;
	if (packet->flags & TCP_FIN)
		take_fin(step);
	if (packet->flags & TCP_ACK)
		take_ack(step);
}

/* True if a reset ended the connection before both FINs were sent. */
static bool is_aborted(const struct teardown *teardown)
{
	uint64_t number = teardown->reset_number;

	return teardown->reset == RESET_ABORT ||
		(teardown->reset == RESET_AFTER_FIN &&
			(number < teardown->leg[0].fin_number ||
				number < teardown->leg[1].fin_number));
}

/* CLOSE_NONE: the other side answered, or too few tries show that it did
 * not. */
static enum close_kind failed_tries(const struct connection *connection)
{
	uint32_t tries = connection->side[0].expired;

	if (connection->side[1].expired > tries)
		tries = connection->side[1].expired;
	if (tries < TRIES_LEAST)
		return CLOSE_NONE;
	return tries >= GIVEN_UP_TRIES &&
			connection->teardown.unanswered_ns >=
				GIVEN_UP_SECONDS * INT64_C(1000000000) ?
		CLOSE_TIMEOUT :
		CLOSE_UNANSWERED;
}

void teardown_restore(struct connection *connection, const char *kind)
{
	bool gave_up = !strcmp(kind, close_name(CLOSE_TIMEOUT));
	bool failed = gave_up || !strcmp(kind, close_name(CLOSE_UNANSWERED)) ||
		!strcmp(kind, "timeout");

	if (failed)
		connection->side[0].expired =
			gave_up ? GIVEN_UP_TRIES : TRIES_LEAST;
	/* Used only for a reset that ended nothing. */
	connection->teardown.reset_ignored =
		strcmp(kind, close_name(CLOSE_RESET)) != 0;
	if (gave_up)
		connection->teardown.unanswered_ns =
			GIVEN_UP_SECONDS * INT64_C(1000000000);
}

enum close_kind connection_close(const struct connection *connection)
{
	const struct teardown *teardown = &connection->teardown;
	bool one = connection->self_connect;
	enum close_kind failed = failed_tries(connection);
	unsigned fins = 0;

	for (int side = 0; side < (one ? 1 : 2); side++)
		fins += teardown->leg[side].fins != 0;
	if (teardown->reset == RESET_REFUSED)
		return CLOSE_REFUSED;
	if (fins == (one ? 1 : 2) && !is_aborted(teardown)) {
		if (failed != CLOSE_NONE)
			return failed;
		return teardown->crossed ? CLOSE_SIMULTANEOUS : CLOSE_ORDERLY;
	}
	if (teardown->reset != RESET_NONE && !teardown->reset_ignored)
		return CLOSE_RESET;
	/* The contents of a direction that was not captured are unknown. */
	if (!side_is_answered(connection, 0) ||
		!side_is_answered(connection, 1))
		return CLOSE_NONE;
	if (failed != CLOSE_NONE)
		return failed;
	bool known = !side_lacks_end(&connection->side[0]) &&
		!side_lacks_end(&connection->side[1]);
	return fins && known ? CLOSE_HALF : CLOSE_NONE;
}
