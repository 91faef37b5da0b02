/* The annotator: from packets to explained connections. */
#include "annotate.h"

#include <stdlib.h>
#include <string.h>

#include "annotate_internal.h"
#include "fragments.h"
#include "memory.h"

enum {
	STORE_BYTES = 24 << 20,
	/* Silence after which packets between the same ends are a new
	 * connection: twice the maximum segment lifetime (two minutes in RFC
	 * 9293; systems use one minute). */
	IDLE_NEW_S = 120,
};

struct annotator {
	struct annotator_options options;
	struct capture_facts facts;
	struct duplicates duplicates;
	bool ordered; /* a connection is separated by POINTS_ORDER */
	struct fragments fragments;
	struct store store;
	struct tap_host tap_host;
	struct connection_table *table;
	struct step blank; /* as the step of each packet begins */
};

struct annotator *annotator_new(const struct annotator_options *options)
{
	struct annotator *annotator = xcalloc(1, sizeof *annotator);

	if (options)
		annotator->options = *options;
	annotator->store.left_bytes = STORE_BYTES;
	annotator->facts.first_ns = annotator->facts.last_ns = UNKNOWN_NS;
	annotator->facts.resolution_ns = 1000000;
	annotator->table = connection_table_new(&annotator->store,
		&annotator->options, &annotator->facts);
	annotator->blank = (struct step){
		.options = &annotator->options,
		.store = &annotator->store,
		.facts = &annotator->facts,
		.tap_host = &annotator->tap_host,
	};
	return annotator;
}

void annotator_free(struct annotator *annotator)
{
	if (!annotator)
		return;
	connection_table_free(annotator->table);
	free(annotator);
}

void annotator_damaged(struct annotator *annotator)
{
	annotator->facts.damaged = true;
}

const struct capture_facts *annotator_facts(const struct annotator *annotator)
{
	return &annotator->facts;
}

size_t annotator_count(const struct annotator *annotator)
{
	return connection_table_count(annotator->table);
}

const struct connection *annotator_connection(const struct annotator *annotator,
	size_t i)
{
	return connection_table_at(annotator->table, i);
}

/* `answers`: the VLAN of the other direction in an earlier connection between
 * the same ends. */
static struct connection *connection_open(struct step *step,
	struct connection_table *table, bool reused, uint32_t answers)
{
	const struct packet *packet = step->packet;
	struct connection *made =
		connection_table_add(table, &packet->from, &packet->to,
			(packet->flags & (TCP_SYN | TCP_ACK)) == TCP_SYN);

	made->port_reused = reused;
	made->first_ns = made->last_ns = packet->t_ns;
	made->side[1].vlan = answers;
	made->tap = step->options->tap;
	made->tap_basis = made->tap ? TAP_TOLD : TAP_NOT_KNOWN;
	step->connection = made;
	step->side = 0;
	handshake_open(step);
	return made;
}

static bool is_old(const struct connection *connection,
	const struct packet *packet)
{
	return packet->t_ns > connection->last_ns &&
		(uint64_t)packet->t_ns - (uint64_t)connection->last_ns >
		(uint64_t)IDLE_NEW_S * 1000000000u;
}

/* False if no SYN was answered: another one replaces it. */
static bool is_established(const struct connection *connection)
{
	return connection->handshake.synack.count ||
		(connection->role == ROLE_GUESSED && connection->seen & 8 &&
			connection->side[0].packets &&
			connection->side[1].packets);
}

/* True if a SYN begins another connection between the same ends, even before it
 * is answered. */
static bool is_reused(const struct connection *connection, int side,
	const struct packet *packet)
{
	if (!handshake_is_new(connection, side, packet))
		return false;
	return connection->teardown.first >= 0 ||
		connection->teardown.reset != RESET_NONE ||
		!is_established(connection) || is_old(connection, packet);
}

static void find_connection(struct step *step, struct connection_table *table)
{
	const struct packet *packet = step->packet;
	int side = 0;
	struct connection *found =
		connection_table_find(table, &packet->from, &packet->to,
			packet, &side);
	bool reused = found &&
		(step->begins || is_reused(found, side, packet));

	step->elsewhere = found && tap_is_elsewhere(found, side, packet);
	if (!found || reused || step->elsewhere) {
		uint32_t answers = found ?
			found->side[side_peer(found, side)].vlan :
			VLAN_UNSEEN;

		reused |= found && found->port_reused;
		found = connection_open(step, table, reused, answers);
		side = 0;
	}
	step->connection = found;
	step->side = side;
	step->self = &found->side[side];
	step->peer = &found->side[side_peer(found, side)];
	step->self->vlan = packet->vlan;
	if (!step->self->packets) {
		step->self->interface = packet->interface;
		step->self->ttl = packet->ttl;
		step->self->second = packet->second;
		step->self->leaving = packet->leaving;
	}
}

/* Keeps a SYN that may begin another connection, until it is answered. */
static void keep_syn(struct step *step, bool same)
{
	struct connection *connection = step->connection;
	struct stray_syns *strays = &connection->strays;
	const struct packet *packet = step->packet;
	void *array = strays->at;

	if (connection->self_connect)
		return;
	if (strays->count &&
		(strays->side != step->side ||
			strays->at[0].seq != packet->seq ||
			strays->at[0].flags != packet->flags))
		strays->count = 0;
	if (strays->count == TRIES_MAX)
		strays->count--;
	if (!store_grow(step->store, &array, &strays->room, strays->count,
		    sizeof *strays->at, TRIES_MAX))
		return;
	strays->at = array;
	if (!strays->count ||
		connection->last_ns != strays->at[strays->count - 1].t_ns)
		strays->before_ns = connection->last_ns;
	strays->side = step->side;
	strays->same = same;
	strays->at[strays->count] = *packet;
	strays->at[strays->count].payload = NULL;
	strays->at[strays->count++].payload_captured = 0;
}

/* Keeps a SYN with another initial sequence number. */
static void keep_stray(struct step *step)
{
	event_add(step, step->side, EVENT_SYN_MISMATCH, 0, 0, 0);
	step->sighting->position = step->sighting->end =
		side_highest(step->self);
	step->sighting->ack = side_highest(step->peer);
	keep_syn(step, false);
}

/* True for a SYN without data that the client repeats after the handshake. */
static bool is_late_syn(const struct step *step)
{
	const struct packet *packet = step->packet;

	return (packet->flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN &&
		!packet->payload_bytes &&
		step->side == step->connection->client &&
		step->self->offer.seen &&
		step->connection->handshake.complete;
}

/* True if the kept SYN began another connection: its answer acknowledges it. An
 * endpoint that has a connection answers a stray SYN with an ACK of that. If
 * the answer was lost by the capture, the third packet shows it. */
static bool is_answered(const struct connection *connection, int side,
	const struct packet *packet)
{
	const struct stray_syns *strays = &connection->strays;
	const struct side *peer = &connection->side[!side];

	if (!strays->count || packet->flags & TCP_RST ||
		!(packet->flags & TCP_ACK))
		return false;
	const struct packet *syn = &strays->at[0];
	uint32_t first = syn->seq + 1;
	bool synack = syn->flags & TCP_ACK;
	if (strays->same)
		return side != strays->side && packet->ack == first &&
			handshake_is_new(connection, side, packet);
	if (side == strays->side)
		return !synack && !(packet->flags & TCP_SYN) &&
			packet->seq == first && peer->started &&
			packet->ack - (uint32_t)peer->first >
			side_highest(peer) - peer->first;
	if (packet->ack - first > syn->payload_bytes)
		return false;
	return synack ? packet->seq == syn->ack : packet->flags & TCP_SYN;
}

static void take_packet(struct step *step)
{
	handshake_step(step);
	stream_step(step);
	acks_step(step);
	if (step->doubted)
		return;
	window_step(step);
	teardown_step(step);
}

static void annotate_tcp(struct step *step)
{
	struct connection *connection = step->connection;
	bool stray =
		handshake_is_new(connection, step->side, step->packet);

	if (stray)
		keep_stray(step);
	else if (is_late_syn(step))
		keep_syn(step, true);
	stall_step(step);
	connection->packets++;
	connection->last_ns = step->packet->t_ns;
	if (connection->first_ns > connection->last_ns)
		connection->first_ns = connection->last_ns;
	connection->options_truncated +=
		step->packet->options.state == OPTIONS_TRUNCATED;
	connection->stamps_invalid += step->packet->stamp_invalid;
	step->self->packets++;
	if (!connection->self_connect) {
		step->peer->unanswered = step->peer->expired = 0;
		step->peer->unprompted = step->peer->next;
		step->peer->unprompted_ns = UNKNOWN_NS;
	}
	unseen_claim(step, 0);
	unseen_claim(step, 1);
	if (!stray)
		take_packet(step);
}

/* A router reports that packets are too big: the sender will reduce them. */
static void annotate_too_big(struct step *step, struct connection_table *table)
{
	const struct packet *packet = step->packet;
	int side;

	/* The report travels in the direction of the answers. */
	step->connection = connection_table_find(table, &packet->to,
		&packet->from, packet, &side);
	if (!step->connection)
		return;
	side = side_peer(step->connection, side);
	struct side *self = &step->connection->side[side];
	bool six = packet->from.version == 6;
	/* Minimum MTU of every link (RFC 791, 8200): senders ignore less. */
	uint32_t least_bytes = six ? 1280 : 68;
	uint32_t headers_bytes =
		(six ? 60 : 40) + (self->has_timestamps ? 12u : 0);
	self->mtu_bytes = packet->mtu_bytes;
	if (packet->mtu_bytes >= least_bytes && self->mss_bytes &&
		packet->mtu_bytes - headers_bytes < self->mss_bytes)
		self->mss_bytes = packet->mtu_bytes - headers_bytes;
	event_add(step, side, EVENT_MTU, 0, packet->mtu_bytes, 0);
}

/* Once a connection shows where the capture was taken, those before it that did
 * not are placed too. */
static void place_earlier(struct annotator *annotator)
{
	struct tap_host *host = &annotator->tap_host;

	if (host->placed || !host->votes)
		return;
	host->placed = true;
	for (size_t i = 0; i < connection_table_count(annotator->table); i++)
		tap_place(host, connection_table_at(annotator->table, i));
}

static void see(struct annotator *annotator, struct step *step)
{
	annotate_tcp(step);
	place_earlier(annotator);
	if (step->connection->packets == 1 &&
		step->connection->handshake.syn.count)
		connection_table_pair(annotator->table, step->connection);
	tap_check_order(step);
	annotator->ordered |= step->connection->points == POINTS_ORDER;
}

static void tell(const struct annotator *annotator,
	const struct sighting *sighting)
{
	if (annotator->options.watch)
		annotator->options.watch(annotator->options.context, sighting);
}

/* Takes the kept SYNs out of a connection, to which they did not belong. */
static void withdraw_strays(struct connection *connection)
{
	struct stray_syns *strays = &connection->strays;
	const struct packet *last = &strays->at[strays->count - 1];
	struct side *side = &connection->side[strays->side];

	events_remove(connection, strays->side,
		strays->same ? EVENT_SYN_AGAIN : EVENT_SYN_MISMATCH,
		strays->at[0].number);
	if (strays->same) {
		side->retransmitted_segments -= strays->count;
		side->retransmissions[RETRANSMIT_SYN] -= strays->count;
		connection->handshake.syn.count -= strays->count;
	}
	connection->packets -= strays->count;
	side->packets -= strays->count;
	if (connection->last_ns == last->t_ns)
		connection->last_ns = strays->before_ns;
	strays->count = 0;
}

/* Begins another connection with the kept SYNs of this one. */
static void begin_another(struct annotator *annotator, struct step *step)
{
	struct packet syns[TRIES_MAX];
	uint32_t count = step->connection->strays.count;

	for (uint32_t i = 0; i < count; i++)
		syns[i] = step->connection->strays.at[i];
	withdraw_strays(step->connection);
	for (uint32_t i = 0; i < count; i++) {
		struct sighting sighting = { .packet = &syns[i],
			.rtt_ns = UNKNOWN_NS,
			.moved = true };
		struct step again = *step;

		again.packet = &syns[i];
		again.sighting = &sighting;
		again.begins = !i;
		find_connection(&again, annotator->table);
		sighting.connection = again.connection;
		sighting.side = again.side;
		see(annotator, &again);
		tell(annotator, &sighting);
	}
	find_connection(step, annotator->table);
}

static void annotate(struct annotator *annotator, struct packet *packet)
{
	struct sighting sighting = { .packet = packet,
		.rtt_ns = UNKNOWN_NS };
	struct step step = annotator->blank;
	struct record record = { 0 };

	step.packet = packet;
	step.sighting = &sighting;
	if (packet->class == PACKET_TOO_BIG) {
		annotate_too_big(&step, annotator->table);
		return;
	}
	duplicates_look(&annotator->duplicates, packet);
	if (annotator->ordered || packet->flags & TCP_SYN)
		record = duplicates_record(&annotator->duplicates, packet);
	packet->second = record.second;
	find_connection(&step, annotator->table);
	if (tap_is_second(&step)) {
		packet->second = record.second = true;
		find_connection(&step, annotator->table);
	}
	bool copy = tap_is_copy(&annotator->duplicates, &step, record);
	if (!copy && is_answered(step.connection, step.side, packet))
		begin_another(annotator, &step);
	sighting.connection = step.connection;
	sighting.side = step.side;
	if (copy) {
		step.connection->duplicates++;
		sighting.marks = MARK_COPY;
	} else {
		see(annotator, &step);
	}
	if (annotator->ordered)
		connection_table_mix(annotator->table, step.connection);
	annotator->facts.copies = annotator->duplicates.copies;
	annotator->facts.repeats = annotator->duplicates.repeats;
	annotator->facts.bare = annotator->duplicates.bare;
	tell(annotator, &sighting);
}

/* Analyses a first fragment and those that waited for it, or a later one. */
static void annotate_fragment(struct annotator *annotator,
	const struct packet *packet)
{
	struct fragments *fragments = &annotator->fragments;
	struct packet made = *packet;

	if (packet->class == PACKET_FRAGMENT) {
		if (fragments_join(fragments, &made))
			annotate(annotator, &made);
		return;
	}
	fragments_begin(fragments, &made);
	annotate(annotator, &made);
	while (fragments_next(fragments, packet, &made))
		annotate(annotator, &made);
}

void annotator_add(struct annotator *annotator,
	const struct packet_record *record)
{
	struct packet packet;

	packet_decode(record, ++annotator->facts.packets, &packet);
	facts_note(&annotator->facts, record, &packet);
	bool tcp = packet.class == PACKET_TCP;
	if (packet.class == PACKET_FRAGMENT || (tcp && packet.ip_fragment))
		annotate_fragment(annotator, &packet);
	else if (tcp || packet.class == PACKET_TOO_BIG)
		annotate(annotator, &packet);
}
