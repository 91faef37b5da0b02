/* The roles, the offered options, and the times of the three packets. */
#include <string.h>

#include "annotate_internal.h"

static void tries_add(struct tries *tries, const struct step *step)
{
	const struct packet *packet = step->packet;
	uint32_t place =
		tries->count < TRIES_MAX ? tries->count : TRIES_MAX - 1;

	tries->count++;
	tries->at[place] = (struct try){
		.t_ns = packet->t_ns,
		.number = packet->number,
		.tsval = packet->options.tsval,
		.tsecr = packet->options.tsecr,
		.has_timestamps = packet->options.present & OPTION_TIMESTAMPS,
		.side = (uint8_t)step->side,
	};
}

static uint32_t tries_kept(const struct tries *tries)
{
	return tries->count < TRIES_MAX ? tries->count : TRIES_MAX;
}

static bool is_loopback(const struct endpoint *end)
{
	static const uint8_t one[16] = { [15] = 1 };

	return end->version == 4 ? end->address[0] == 127 :
				   !memcmp(end->address, one, sizeof one);
}

static void no_legs(struct handshake *handshake, enum leg_state state)
{
	handshake->a = handshake->b =
		(struct leg){ state, UNKNOWN_NS, UNKNOWN_NS, 0, 0 };
	handshake->path_ns = handshake->path_about_ns = UNKNOWN_NS;
}

void handshake_forget(struct handshake *handshake)
{
	no_legs(handshake, LEG_UNSEEN);
}

/* Sets the roles from the first packet, which may be the best evidence. */
void handshake_open(struct step *step)
{
	struct connection *connection = step->connection;
	uint16_t flags = step->packet->flags;
	struct handshake *handshake = &connection->handshake;

	handshake->ack_ns = UNKNOWN_NS;
	no_legs(handshake, LEG_UNSEEN);
	if (flags & TCP_SYN) {
		connection->client = flags & TCP_ACK ? 1 : 0;
		connection->role = flags & TCP_ACK ? ROLE_SYNACK : ROLE_SYN;
	} else {
		/* Servers usually have the lower port. */
		connection->client =
			connection->end[0].port < connection->end[1].port;
		connection->role = ROLE_GUESSED;
	}
	if (connection->self_connect)
		connection->client = 0;
	if (connection->tap_basis == TAP_NOT_KNOWN &&
		(connection->self_connect || is_loopback(&step->packet->from) ||
			!memcmp(connection->end[0].address,
				connection->end[1].address,
				sizeof connection->end[0].address))) {
		connection->tap = TAP_LOOPBACK;
		connection->tap_basis = TAP_ADDRESSES;
	}
}

/* True for the connection's own SYN or SYN/ACK, recorded after later packets:
 * what they show of its sender's stream lies within the largest unscaled window
 * behind it. A SYN/ACK acknowledges the other side's SYN; before that is
 * recorded, the delay of a recorder is the limit. */
static bool is_late(const struct connection *connection, int side,
	const struct packet *packet)
{
	const struct side *self = &connection->side[side];
	const struct side *peer = &connection->side[!side];

	if (self->isn_known ||
		(uint32_t)self->first - (packet->seq + 1) > UINT16_MAX)
		return false;
	if (packet->flags & TCP_ACK && peer->isn_known)
		return packet->ack - (uint32_t)peer->first <=
			peer->offer.payload_bytes;
	return packet->t_ns - connection->first_ns <= LATE_NS;
}

/* True if this SYN or SYN/ACK begins another connection. False if its sequence
 * number is, or may be, the sender's initial one. */
bool handshake_is_new(const struct connection *connection, int side,
	const struct packet *packet)
{
	const struct side *self = &connection->side[side];

	return packet->flags & TCP_SYN && !(packet->flags & TCP_RST) &&
		self->started && (uint32_t)self->first != packet->seq + 1 &&
		!is_late(connection, side, packet);
}

static void note_scaling(struct step *step)
{
	struct connection *connection = step->connection;
	const struct offer *a = &connection->side[0].offer;
	const struct offer *b =
		connection->self_connect ? a : &connection->side[1].offer;
	unsigned both = a->options.present & b->options.present;

	if (!a->seen || !b->seen)
		return;
	connection->scaling_known = a->options.state == OPTIONS_WHOLE &&
		b->options.state == OPTIONS_WHOLE;
	connection->scaling = both & OPTION_WSCALE;
}

/* The largest segment that a receiver accepts (RFC 9293, 3.7.1). */
static uint32_t mss_of(const struct offer *offer, uint8_t version)
{
	enum { MSS_WITHOUT_4 = 536, MSS_WITHOUT_6 = 1220 };

	if (offer->options.present & OPTION_MSS)
		return offer->options.mss_bytes;
	return version == 6 ? MSS_WITHOUT_6 : MSS_WITHOUT_4;
}

static bool hides_mss(const struct offer *offer)
{
	return offer->options.state == OPTIONS_TRUNCATED &&
		!(offer->options.present & OPTION_MSS);
}

/* The largest segments of each side: what the other side accepts, but not more
 * than its own offer, which shows the MTU of its network. */
static void note_mss(struct step *step)
{
	const struct offer *self = &step->self->offer;
	const struct offer *peer = &step->peer->offer;
	unsigned both = self->options.present & peer->options.present;
	unsigned taken_bytes = both & OPTION_TIMESTAMPS ? TIMESTAMPS_BYTES : 0;

	if (!self->seen || !peer->seen || hides_mss(self) || hides_mss(peer))
		return;
	for (int i = 0; i < 2; i++) {
		struct side *side = &step->connection->side[i];
		const struct offer *own = &side->offer;
		int of = side_peer(step->connection, i);
		uint32_t mss = mss_of(&step->connection->side[of].offer,
			step->packet->from.version);

		if (own->options.present & OPTION_MSS &&
			own->options.mss_bytes < mss)
			mss = own->options.mss_bytes;
		side->mss_bytes = mss > taken_bytes ? mss - taken_bytes : mss;
	}
}

/* RFC 9768, table 2: all three flags request it, and the replies also report
 * how the SYN was marked. */
static bool is_accurate(const struct step *step, unsigned ecn)
{
	const struct offer *asked = &step->peer->offer;

	if (!(step->packet->flags & TCP_ACK))
		return ecn == (TCP_AE | TCP_CWR | TCP_ECE);
	return (!asked->seen || asked->accurate_ecn) &&
		(ecn == TCP_CWR || ecn == (TCP_CWR | TCP_ECE) ||
			ecn == TCP_AE || ecn == (TCP_AE | TCP_CWR));
}

static void note_offer(struct step *step)
{
	const struct packet *packet = step->packet;
	struct offer *offer = &step->self->offer;
	unsigned ecn = packet->flags & (TCP_ECE | TCP_CWR | TCP_AE);

	if (offer->seen)
		return;
	offer->seen = true;
	offer->options = packet->options;
	offer->payload_bytes = packet->payload_bytes;
	offer->ecn = packet->flags & TCP_ACK ?
		ecn == TCP_ECE :
		(ecn & (TCP_ECE | TCP_CWR)) == (TCP_ECE | TCP_CWR);
	offer->accurate_ecn = is_accurate(step, ecn);
	if (packet->options.present & OPTION_WSCALE &&
		packet->options.wscale > 14)
		event_add(step, step->side, EVENT_WSCALE_CLAMPED, 0,
			packet->options.wscale, 0);
	note_scaling(step);
	note_mss(step);
}

/* The time from the request to its reply. Of several requests, a reply that
 * echoes the timestamp of the last alone answers that one. Any other reply may
 * itself be a repetition, of a reply that was lost (Karn). */
static struct leg leg_between(const struct tries *tries, int64_t t_ns,
	uint64_t number, bool has_echo, uint32_t tsecr)
{
	struct leg leg = { LEG_UNSEEN, UNKNOWN_NS, UNKNOWN_NS, 0, number };
	const struct try *last = NULL;
	uint32_t before = 0;
	bool echoed = false, echoes_earlier = false;

	for (uint32_t i = 0; i < tries_kept(tries); i++) {
		const struct try *try = &tries->at[i];

		if (try->number > number)
			continue;
		before++;
		last = try;
		echoes_earlier |= echoed;
		echoed = has_echo && try->has_timestamps && try->tsval == tsecr;
	}
	if (!last) {
		leg.state = tries->count ? LEG_OUT_OF_ORDER : LEG_UNSEEN;
		/* The capture may have several queues that record late: the leg
		 * is about 0. */
		if (tries->count && tries->at[0].t_ns - t_ns <= LATE_NS)
			leg.least_ns = 0;
		return leg;
	}
	/* The clocks of two processors may differ slightly: the time is never
	 * negative. */
	leg.from = last->number;
	leg.least_ns = t_ns > last->t_ns ? t_ns - last->t_ns : 0;
	if (before == 1 ? tries->count <= TRIES_MAX :
			  echoed && !echoes_earlier) {
		leg.state = LEG_KNOWN;
		leg.took_ns = leg.least_ns;
	} else {
		leg.state = LEG_AMBIGUOUS;
	}
	return leg;
}

static bool is_part_of_path(const struct leg *leg)
{
	return leg->least_ns != UNKNOWN_NS &&
		leg->least_ns < ROUND_TRIP_MOST_NS;
}

static void note_legs(struct step *step)
{
	struct connection *connection = step->connection;
	struct handshake *handshake = &connection->handshake;
	const struct try *synack = &handshake->synack.at[0];

	if (handshake->synack.count)
		handshake->a = leg_between(&handshake->syn, synack->t_ns,
			synack->number, synack->has_timestamps && synack->tsecr,
			synack->tsecr);
	if (handshake->complete)
		handshake->b = leg_between(&handshake->synack,
			handshake->ack_ns, handshake->ack_number,
			handshake->ack_has_timestamps, handshake->ack_tsecr);
	handshake->path_ns = handshake->path_about_ns = UNKNOWN_NS;
	/* The SYN/ACK was recorded late, so both legs are unknown. */
	if (handshake->b.state == LEG_OUT_OF_ORDER) {
		handshake->a = handshake->b;
		return;
	}
	if (handshake->waited || handshake->simultaneous ||
		!is_part_of_path(&handshake->a) ||
		!is_part_of_path(&handshake->b))
		return;
	if (handshake->a.state == LEG_OUT_OF_ORDER &&
		handshake->b.least_ns < NEAR_SHARE * LATE_NS)
		return;
	handshake->path_about_ns =
		handshake->a.least_ns + handshake->b.least_ns;
	if (handshake->a.state != LEG_OUT_OF_ORDER)
		handshake->path_ns = handshake->path_about_ns;
	tap_infer(step, handshake->a.least_ns, handshake->b.least_ns);
}

/* Two SYNs crossed: from one SYN to the other, then to the first reply. */
static void note_crossed_legs(struct handshake *handshake)
{
	const struct try *other = &handshake->syn_other.at[0];

	if (!handshake->syn_other.count)
		return;
	handshake->a = leg_between(&handshake->syn, other->t_ns, other->number,
		false, 0);
	if (handshake->synack.count)
		handshake->b = leg_between(&handshake->syn_other,
			handshake->synack.at[0].t_ns,
			handshake->synack.at[0].number, false, 0);
}

/* Counts a repeated SYN or SYN/ACK. Its data, if any, is counted with the
 * stream. */
static void note_again(struct step *step, enum event_kind kind)
{
	event_add(step, step->side, kind, 0, 0, 0);
	if (step->packet->payload_bytes)
		return;
	step->self->retransmitted_segments++;
	step->self->retransmissions[RETRANSMIT_SYN]++;
	step->sighting->marks |= MARK_RETRANSMISSION;
	step->sighting->why = RETRANSMIT_SYN;
}

static void take_syn(struct step *step)
{
	struct connection *connection = step->connection;
	struct handshake *handshake = &connection->handshake;
	bool first = !step->self->offer.seen;

	if (!connection->seen && connection->role != ROLE_SYN)
		connection->client = step->side;
	if (connection->role != ROLE_SYN && !handshake->simultaneous) {
		connection->role = ROLE_SYN;
		connection->client = step->side;
	}
	connection->seen |= 1;
	if (!first)
		note_again(step, EVENT_SYN_AGAIN);
	if (step->side == connection->client) {
		tries_add(&handshake->syn, step);
	} else {
		handshake->simultaneous |= !handshake->synack.count;
		tries_add(&handshake->syn_other, step);
	}
	note_offer(step);
}

/* Reports a client that closed a connection before it was established. */
static void note_early_fin(struct step *step)
{
	const struct connection *connection = step->connection;
	const struct close_leg *leg =
		&connection->teardown.leg[connection->client];
	uint64_t fin = connection->side[connection->client].fin;
	const struct byte_range early = {
		.from = fin,
		.to = fin + 1,
		.t_ns = leg->fin_ns,
		.number = leg->fin_number,
	};

	if (leg->fins && connection->handshake.synack.count == 1 &&
		connection->seen & 1)
		event_add_of(step, connection->client, EVENT_FIN_EARLY, 0,
			&early);
}

/* Call for a SYN/ACK: its acknowledgement may have been captured before. */
static void note_early_ack(struct step *step)
{
	struct handshake *handshake = &step->connection->handshake;

	if (handshake->complete || !handshake->ack_number)
		return;
	handshake->complete = handshake->ack_value == step->packet->seq + 1;
	if (!handshake->complete) {
		handshake->ack_number = 0;
		handshake->ack_ns = UNKNOWN_NS;
	}
}

static void take_synack(struct step *step)
{
	struct connection *connection = step->connection;
	struct handshake *handshake = &connection->handshake;

	connection->seen |= 2;
	if (connection->self_connect)
		handshake->simultaneous = true;
	if (step->side == connection->client && !handshake->simultaneous) {
		/* This side's SYN was a listener's reply. */
		event_add(step, step->side, EVENT_SYN_MISMATCH, 0, 0, 0);
		return;
	}
	if (handshake->synack.count && !handshake->simultaneous)
		note_again(step, EVENT_SYNACK_AGAIN);
	tries_add(&handshake->synack, step);
	note_early_ack(step);
	note_offer(step);
	note_early_fin(step);
}

/* True if the sender's stream continues here after its SYN, or after the data
 * in it. */
static bool follows_syn(const struct step *step)
{
	uint32_t first = (uint32_t)step->self->first;
	uint32_t data = (uint32_t)step->self->offer.payload_bytes;

	return step->packet->seq == first || step->packet->seq == first + data;
}

/* True for the third packet. Any later one acknowledges more or begins later.
 * It may be captured before the SYN/ACK that it acknowledges: take_synack()
 * checks this. */
static bool is_third(const struct step *step)
{
	const struct connection *connection = step->connection;
	const struct handshake *handshake = &connection->handshake;
	const struct packet *packet = step->packet;

	if (handshake->complete || !(packet->flags & TCP_ACK) ||
		(!handshake->simultaneous &&
			step->side != connection->client) ||
		!follows_syn(step))
		return false;
	if (!handshake->synack.count)
		return handshake->syn.count && !handshake->ack_number;
	return step->peer->isn_known &&
		packet->ack == (uint32_t)step->peer->first;
}

/* Later data of the client that answers the SYN/ACK. If the third packet was
 * not captured, it may come long after it. */
static void note_ahead(struct step *step)
{
	struct handshake *handshake = &step->connection->handshake;
	const struct packet *packet = step->packet;

	if (handshake->complete || handshake->ahead.number ||
		!handshake->synack.count || handshake->simultaneous ||
		step->side != step->connection->client ||
		!(packet->flags & TCP_ACK) || !packet->payload_bytes ||
		!step->peer->isn_known ||
		(int32_t)(packet->ack - (uint32_t)step->peer->first) < 0)
		return;
	handshake->ahead.t_ns = packet->t_ns;
	handshake->ahead.number = packet->number;
	handshake->ahead.tsecr = packet->options.tsecr;
}

static void take_ack(struct step *step)
{
	struct handshake *handshake = &step->connection->handshake;
	const struct packet *packet = step->packet;

	step->connection->seen |= 4;
	handshake->complete = handshake->synack.count > 0;
	handshake->ack_ns = packet->t_ns;
	handshake->ack_number = packet->number;
	handshake->ack_side = step->side;
	handshake->ack_value = packet->ack;
	handshake->ack_with_data = packet->payload_bytes > 0;
	handshake->ack_has_timestamps =
		packet->options.present & OPTION_TIMESTAMPS;
	handshake->ack_tsecr = packet->options.tsecr;
	/* A repeated SYN/ACK is answered at once, however late data was. */
	if (!handshake->ahead.number || handshake->synack.count > 1 ||
		handshake->ahead.t_ns > packet->t_ns)
		return;
	handshake->ack_ns = handshake->ahead.t_ns;
	handshake->ack_number = handshake->ahead.number;
	handshake->ack_tsecr = handshake->ahead.tsecr;
	handshake->ack_with_data = true;
}

void handshake_step(struct step *step)
{
	const struct packet *packet = step->packet;
	struct handshake *handshake = &step->connection->handshake;
	unsigned kind = packet->flags & (TCP_SYN | TCP_ACK | TCP_RST);

	if (packet->payload_bytes && !(kind & TCP_RST))
		step->connection->seen |= 8;
	if (kind & TCP_RST)
		return;
	if (kind == TCP_SYN) {
		take_syn(step);
	} else if (kind == (TCP_SYN | TCP_ACK)) {
		take_synack(step);
	} else if (is_third(step)) {
		take_ack(step);
	} else {
		note_ahead(step);
		return;
	}
	if (step->connection->stamps_invalid)
		no_legs(handshake, LEG_UNTIMED);
	else if (step->connection->mixed)
		handshake_forget(handshake);
	else if (handshake->simultaneous)
		note_crossed_legs(handshake);
	else
		note_legs(step);
}
