/* When data was sent, by its first record: a timestamp and an identification.
 *
 * A file with the records of several points has each byte several times, and
 * cards and hosts cut or merge packets between the points. So bytes are
 * compared, not packets. A packet that is sent again has another timestamp,
 * and another IPv4 identification than the packet that its bytes were in. */
#include "annotate_internal.h"

enum {
	STAMPS_MAX = 4096,
	/* Data is sent again after a round trip, within which slower clocks
	 * need not tick. */
	TICK_MOST_NS = 10000000,
};

/* Identifications count the segments of a merged packet (RFC 6864), so that of
 * the first byte is the same however packets are cut. */
static uint16_t first_id(const struct step *step, uint64_t from)
{
	uint64_t mss_bytes = side_segment_bytes(step->self);

	return (uint16_t)(step->packet->ip_id -
		(mss_bytes ? from / mss_bytes : 0));
}

static struct stamp stamp_of(const struct step *step, uint64_t from)
{
	const struct packet *packet = step->packet;
	bool has_id = packet->from.version == 4 && packet->ip_id;
	bool has_tsval = packet->options.present & OPTION_TIMESTAMPS;

	return (struct stamp){
		.from = from,
		.tsval = has_tsval ? packet->options.tsval : 0,
		.id = has_id ? first_id(step, from) : 0,
		.has_id = has_id,
		.has_tsval = has_tsval,
	};
}

static bool same_send(const struct stamp *a, const struct stamp *b)
{
	return a->has_id == b->has_id && a->id == b->id &&
		a->has_tsval == b->has_tsval && a->tsval == b->tsval;
}

static struct stamp *stamp_at(const struct stamps *stamps, uint32_t i)
{
	return &stamps->at[(stamps->first + i) % stamps->room];
}

static void add(struct step *step, struct stamp stamp)
{
	struct stamps *stamps = &step->self->stamps;
	void *array = stamps->at;

	struct stamp *last =
		stamps->count ? stamp_at(stamps, stamps->count - 1) : NULL;

	if (last && same_send(last, &stamp)) {
		last->joined = true;
		return;
	}
	if (!stamps->first)
		store_grow(step->store, &array, &stamps->room, stamps->count,
			sizeof *stamps->at, STAMPS_MAX);
	stamps->at = array;
	if (!stamps->room)
		return;
	if (stamps->count == stamps->room) {
		stamps->first = (stamps->first + 1) % stamps->room;
		stamps->count--;
	}
	*stamp_at(stamps, stamps->count++) = stamp;
}

static bool is_several(const struct connection *connection)
{
	return connection->several || connection->mixed ||
		connection->points == POINTS_ORDER;
}

/* True of a recorder that was told its place, and of loopback, where nothing
 * cuts packets: what it records are no copies of another point. */
static bool is_one_point(const struct connection *connection)
{
	return connection->tap_basis == TAP_TOLD ||
		connection->tap == TAP_LOOPBACK;
}

/* Points before and after the segmentation by a card cut packets differently,
 * and one of them has frames larger than a segment. */
static bool may_be_several(const struct step *step)
{
	const struct side *self = step->self, *peer = step->peer;
	uint64_t largest_bytes = greater(step->packet->payload_bytes,
		greater(self->largest_bytes, peer->largest_bytes));

	return is_several(step->connection) ||
		(!is_one_point(step->connection) &&
			largest_bytes >
				(self->mss_bytes ? self->mss_bytes :
						   ETHERNET_SEGMENT_BYTES));
}

void stamps_note(struct step *step, uint64_t next)
{
	struct stamps *stamps = &step->self->stamps;
	uint64_t from = step->from > next ? step->from : next;

	if (!may_be_several(step) && !step->connection->duplicates)
		return;
	/* What is missing has an unknown one. */
	if (stamps->count && from > stamps->end)
		add(step, (struct stamp){ .from = stamps->end });
	/* The identification is that of the packet's first byte. */
	struct stamp stamp = stamp_of(step, step->from);
	stamp.from = from;
	add(step, stamp);
	stamps->end = step->end;
}

/* The stamp of a position, as its index; the count: unknown. */
static uint32_t find(const struct stamps *stamps, uint64_t position)
{
	uint32_t low = 0, high = stamps->count;

	if (!high || stamp_at(stamps, 0)->from > position ||
		position >= stamps->end)
		return stamps->count;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (stamp_at(stamps, middle)->from > position)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* True if an equal timestamp suffices. Where identifications count segments,
 * and for a packet that is cut as before, they decide. */
static bool is_timed(const struct step *step, const struct stamp *own,
	uint32_t i, uint64_t to)
{
	const struct stamps *stamps = &step->self->stamps;
	const struct stamp *first = stamp_at(stamps, i);
	uint64_t end = i + 1 < stamps->count ? stamp_at(stamps, i + 1)->from :
					       stamps->end;
	bool whole = first->from == own->from && end == to;

	return own->has_tsval && first->has_tsval &&
		first->tsval == own->tsval && is_several(step->connection) &&
		clock_tick_least(step->self) < TICK_MOST_NS &&
		!(own->has_id && (first->joined || whole));
}

bool stamps_same(const struct step *step, uint64_t from, uint64_t to)
{
	const struct stamps *stamps = &step->self->stamps;
	uint32_t i = find(stamps, from);

	if ((!is_several(step->connection) && !step->connection->duplicates) ||
		i == stamps->count || to > stamps->end || from >= to)
		return false;
	const struct stamp own = stamp_of(step, from);
	for (; i < stamps->count && stamp_at(stamps, i)->from < to; i++) {
		bool same = own.has_id && same_send(stamp_at(stamps, i), &own);

		if (!same && !is_timed(step, &own, i, to))
			return false;
	}
	return true;
}

/* True if the packet was sent after the data at its beginning was. Without the
 * handshake it is unknown how many segments an identification counts. */
static bool is_newer(const struct step *step)
{
	const struct stamps *stamps = &step->self->stamps;
	uint32_t i = find(stamps, step->from);

	if (i == stamps->count)
		return false;
	const struct stamp *first = stamp_at(stamps, i);
	const struct stamp own = stamp_of(step, step->from);
	return (own.has_tsval && first->has_tsval &&
		       !timestamps_reach(first->tsval, own.tsval)) ||
		(step->self->offer.seen && own.has_id && first->has_id &&
			own.id != first->id);
}

/* Where points are mixed, the copy of data may be recorded after a request for
 * its repeat, and the copy of a repeat is newer than the data too. The newest
 * timestamp of a side is no copy's. Beyond the sender's tap, the network may
 * have made a copy that comes soon. */
bool stamps_unproven(const struct step *step, enum retransmission why)
{
	const struct connection *connection = step->connection;
	bool mixed = connection->mixed || connection->several;
	bool unasked = why == RETRANSMIT_UNKNOWN || why == RETRANSMIT_FIN ||
		why == RETRANSMIT_SPURIOUS || why == RETRANSMIT_TAIL_PROBE;
	bool repeated = mixed &&
		(why == RETRANSMIT_AGAIN || why == RETRANSMIT_SPURIOUS);

	return (step->identical && !is_by_timer(why)) ||
		(unasked && step->soon &&
			!side_is_near(connection, step->side)) ||
		((mixed || unasked) && may_be_several(step) && !step->newest &&
			(repeated || !is_newer(step)) &&
			idle_before(step) < TIMEOUT_LEAST_NS);
}

/* True if the packet was sent before another one that was recorded earlier, and
 * its bytes and its acknowledgement are known: where records of several points
 * are mixed, it is one of an earlier packet. */
static bool is_behind(const struct step *step, uint64_t to)
{
	const struct packet *packet = step->packet;
	const struct side *self = step->self, *peer = step->peer;

	return step->connection->mixed &&
		step_stamped(step) &&
		!timestamps_reach(packet->options.tsval, self->last_tsval) &&
		to <= self->next && !self->holes.count &&
		!self->unseen.count && packet->flags & TCP_ACK &&
		peer->acked_known &&
		unwrap(peer->acked, packet->ack) <= peer->acked;
}

bool stamps_recorded(const struct step *step)
{
	const struct side *self = step->self;
	const struct packet *packet = step->packet;

	if ((!self->stamps.count && !step->connection->mixed) ||
		packet->flags & (TCP_SYN | TCP_RST) || !self->started)
		return false;
	uint64_t from = unwrap(side_highest(self), packet->seq);
	uint64_t to = from + packet->payload_bytes;
	return stamps_same(step, from, to) || is_behind(step, to);
}
