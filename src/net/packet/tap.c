/* Where the capture was taken, inferred from the legs of the handshake. */
#include <string.h>

#include "annotate_internal.h"

enum { NEAR_NS = 1000000 };

/* ---- several points ---------------------------------------------------- */

bool tap_is_elsewhere(const struct connection *connection, int side,
	const struct packet *packet)
{
	const struct side *self = &connection->side[side];
	const struct try *last = tries_last(&connection->handshake.syn);
	unsigned kind = packet->flags & (TCP_SYN | TCP_ACK | TCP_RST);
	bool differs = self->interface != packet->interface ||
		self->ttl != packet->ttl;

	/* What a machine forwards was captured at one point of the path. */
	if (kind != TCP_SYN || side != connection->client || !last ||
		self->leaving != packet->leaving ||
		(uint32_t)self->first != packet->seq + 1 ||
		last->has_timestamps !=
			(bool)(packet->options.present & OPTION_TIMESTAMPS) ||
		last->tsval != packet->options.tsval)
		return false;
	/* After an answer the clocks of the points differ by more than the way
	 * between them, and what was recorded once may be of either. */
	if (!differs)
		return packet->second && !self->second &&
			!connection->handshake.synack.count;
	/* What is closer was captured twice at one point. A SYN is sent again
	 * after a second (RFC 6298), with another timestamp. */
	uint64_t apart_ns = packet->t_ns > last->t_ns ?
		(uint64_t)packet->t_ns - (uint64_t)last->t_ns :
		(uint64_t)last->t_ns - (uint64_t)packet->t_ns;
	return apart_ns > DUPLICATES_WITHIN_TICK_NS &&
		(last->tsval || apart_ns < DUPLICATES_FAR_NS);
}

bool tap_is_beside(const struct connection *a, const struct connection *b)
{
	const struct side *one = &a->side[a->client],
			  *other = &b->side[b->client];

	return one->vlan == other->vlan && one->interface == other->interface &&
		one->ttl == other->ttl;
}

void tap_separate(struct connection *a, struct connection *b)
{
	const struct side *one = &a->side[a->client],
			  *other = &b->side[b->client];

	if (one->vlan != other->vlan)
		return;
	a->points = one->interface != other->interface ? POINTS_INTERFACES :
		one->ttl != other->ttl ? POINTS_HOPS :
					 POINTS_ORDER;
	if (b->points != POINTS_ORDER)
		b->points = a->points;
}

bool tap_is_at(const struct side *side, enum tap_points points,
	const struct packet *packet)
{
	switch (points) {
	case POINTS_INTERFACES:
		return side->interface == packet->interface;
	case POINTS_HOPS:
		return side->interface == packet->interface &&
			side->ttl == packet->ttl;
	case POINTS_ORDER:
		return side->interface == packet->interface &&
			side->ttl == packet->ttl &&
			side->second == packet->second;
	default:
		return true;
	}
}

void tap_mix(struct connection *connection)
{
	struct handshake *handshake = &connection->handshake;

	if (connection->mixed)
		return;
	connection->mixed = true;
	if (connection->tap_basis != TAP_TOLD)
		connection->tap_basis = TAP_NOT_KNOWN;
	if (connection->tap_basis == TAP_NOT_KNOWN)
		connection->tap = TAP_UNKNOWN;
	handshake_forget(handshake);
	for (int i = 0; i < 2; i++) {
		connection->side[i].rtt = (struct rtt){ .least_ns = UNKNOWN_NS,
			.last_ns = UNKNOWN_NS };
		rounds_withdraw(connection, i);
	}
}

/* True if the packet added last comes again at once, and too few packets before
 * it are known to tell whether the capture, which began after the SYN, shows
 * each twice. Some may have passed since its first record. */
static bool may_be_second(const struct duplicates *duplicates,
	const struct side *self)
{
	uint32_t at = duplicates->next + DUPLICATES_BACK - 1;

	return duplicates->last[at % DUPLICATES_BACK].again &&
		!self->offer.seen &&
		self->doubles.packets < 2 * DOUBLES_ENOUGH;
}

bool tap_is_copy(struct duplicates *duplicates, struct step *step,
	struct record record)
{
	const struct packet *packet = step->packet;
	struct connection *connection = step->connection;

	/* The SYN of another point is no copy, however near. */
	if (step->elsewhere && record.copy)
		record = (struct record){ .second = true };
	if (connection->points == POINTS_ORDER || step->elsewhere) {
		if (record.third && packet->flags & TCP_SYN)
			tap_mix(connection);
		record.copy |= record.third && connection->mixed;
		duplicates_pair(duplicates, packet, record);
		return record.copy;
	}
	bool leaves = packet->leaving && !step->self->leaving;

	if (leaves && step->self->forwarded) {
		duplicates_count(duplicates);
		return true;
	}
	struct earlier earlier = { &step->self->doubles,
		connection->duplicates };
	int64_t since_ns = duplicates_add(duplicates, packet,
		connection->points != POINTS_ONE ? COPIES_BESIDE :
			connection->mixed	 ? COPIES_FAR :
						   COPIES_NEAR,
		&earlier);
	step->peer->copied |= duplicates->identical;
	step->identical = duplicates->identical ||
		may_be_second(duplicates, step->self);
	step->soon = duplicates->soon;
	step->self->forwarded |= leaves && since_ns >= 0;
	if (since_ns > DUPLICATES_POINTS_NS && !leaves)
		tap_mix(connection);
	if (since_ns > DUPLICATES_WITHIN_TICK_NS &&
		since_ns > connection->copies_apart_ns)
		connection->copies_apart_ns = since_ns;
	connection->several |= packet->flags & TCP_SYN && !leaves &&
		since_ns >= DUPLICATES_WITHIN_TICK_NS;
	if (since_ns >= 0 || !stamps_recorded(step))
		return since_ns >= 0;
	duplicates_count(duplicates);
	tap_mix(connection);
	return true;
}

bool tap_is_second(const struct step *step)
{
	return step->connection->points == POINTS_ORDER &&
		!step->packet->second && stamps_recorded(step);
}

void tap_check_order(const struct step *step)
{
	struct connection *connection = step->connection;
	unsigned kind = step->packet->flags & (TCP_SYN | TCP_ACK | TCP_RST);
	bool lacks = kind == TCP_ACK && !step->peer->packets;

	if (connection->points != POINTS_ORDER)
		return;
	for (int i = 0; i < 2; i++) {
		const struct side *side = &connection->side[i];
		const struct ranges *unseen = &side->unseen;

		lacks |= unseen->count &&
			ranges_at(unseen, 0)->from < side->unseen_told;
	}
	if (lacks)
		tap_mix(connection);
}

/* ---- one point --------------------------------------------------------- */

/* Counts a connection for the host near the tap, by the majority vote of Boyer
 * and Moore. A capture is taken in one place, so the winner also places the
 * connections whose legs are inconclusive. */
static void vote(struct tap_host *host, const struct endpoint *end)
{
	if (!host->votes)
		memcpy(host->address, end->address, sizeof host->address);
	if (!memcmp(host->address, end->address, sizeof host->address))
		host->votes++;
	else
		host->votes--;
}

static void take_host(const struct tap_host *host,
	struct connection *connection)
{
	for (int side = 0; side < 2 && host->votes; side++) {
		if (memcmp(connection->end[side].address, host->address,
			    sizeof host->address))
			continue;
		connection->tap = side == connection->client ? TAP_CLIENT :
							       TAP_SERVER;
		connection->tap_basis = TAP_HOST;
		return;
	}
}

/* A sender's own packets are not overtaken before its tap. What looked so
 * before the tap was known was recorded late. */
static void call_late(struct connection *connection)
{
	for (uint32_t i = 0; i < connection->event_count; i++) {
		struct tcp_event *event = &connection->events[i];

		if (event->kind == EVENT_REORDERED &&
			side_is_near(connection, event->side))
			event->kind = EVENT_RECORDED_LATE;
	}
	for (int i = 0; i < 2; i++) {
		struct side *side = &connection->side[i];

		if (!side_is_near(connection, i))
			continue;
		side->recorded_late += side->reordered;
		side->reordered = 0;
	}
}

void tap_place(const struct tap_host *host, struct connection *connection)
{
	if (connection->tap != TAP_UNKNOWN ||
		connection->points != POINTS_ONE ||
		connection->tap_basis != TAP_LEGS)
		return;
	take_host(host, connection);
	call_late(connection);
}

/* The tap is at the end whose leg is below 1 ms and below a tenth of the path.
 * If both legs are at least 1 ms, it is in the middle. Otherwise a host's
 * response time may be as long as the shorter leg, so the legs are
 * inconclusive. */
void tap_infer(struct step *step, int64_t a_ns, int64_t b_ns)
{
	struct connection *connection = step->connection;
	int64_t near_ns = a_ns < b_ns ? a_ns : b_ns;
	bool voted = connection->tap_basis == TAP_LEGS ||
		connection->points != POINTS_ONE;

	if (connection->tap_basis == TAP_TOLD ||
		connection->tap_basis == TAP_ADDRESSES)
		return;
	connection->tap_basis = TAP_LEGS;
	if (near_ns >= NEAR_NS) {
		connection->tap = TAP_MIDDLE;
	} else if (near_ns * NEAR_SHARE >= a_ns + b_ns) {
		connection->tap = TAP_UNKNOWN;
		if (connection->points == POINTS_ONE)
			take_host(step->tap_host, connection);
	} else {
		connection->tap = a_ns < b_ns ? TAP_SERVER : TAP_CLIENT;
		if (!voted)
			vote(step->tap_host,
				&connection->end[(connection->tap ==
							 TAP_CLIENT) ==
						(connection->client == 1)]);
		call_late(connection);
	}
}

/* A shorter reply than this shows that the leg includes a wait of the host: a
 * tenth of a leg in mid-path; at an end, a time with which tap_infer() would
 * not have placed the tap there, and at most half of the leg. */
static int64_t leg_limit(const struct connection *connection,
	const struct leg *leg, const struct leg *other)
{
	int64_t limit_ns = other->least_ns * (NEAR_SHARE - 1);

	if (connection->tap == TAP_MIDDLE)
		return leg->least_ns / NEAR_SHARE;
	return limit_ns < leg->least_ns / 2 ? limit_ns : leg->least_ns / 2;
}

void rounds_withdraw(struct connection *connection, int side)
{
	struct rounds *rounds = &connection->side[side].rounds;

	*rounds = (struct rounds){
		.at = rounds->at,
		.room = rounds->room,
		.learned_ns = UNKNOWN_NS,
	};
	events_remove(connection, side, EVENT_EXIT, 0);
}

/* If the legs do not show where the tap was, withdraws what rests on them. A
 * late recorder shortens a time by up to LATE_NS. */
void tap_doubt(struct step *step, int64_t took_ns)
{
	struct connection *connection = step->connection;
	struct handshake *handshake = &connection->handshake;
	bool client = step->side == connection->client;
	const struct leg *leg = client ? &handshake->b : &handshake->a;
	const struct leg *other = client ? &handshake->a : &handshake->b;

	if (connection->tap_basis != TAP_LEGS ||
		connection->tap == TAP_UNKNOWN ||
		took_ns >= leg->least_ns - LATE_NS ||
		took_ns >= leg_limit(connection, leg, other))
		return;
	handshake->waited = true;
	connection->tap = TAP_UNKNOWN;
	connection->tap_basis = TAP_NOT_KNOWN;
	handshake->path_ns = handshake->path_about_ns = UNKNOWN_NS;
	for (int i = 0; i < 2; i++) {
		connection->side[i].rtt = (struct rtt){ .least_ns = UNKNOWN_NS,
			.last_ns = UNKNOWN_NS };
		rounds_withdraw(connection, i);
	}
}
