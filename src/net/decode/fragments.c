/* Joins fragments with the TCP header of their first one. */
#include "fragments.h"

#include <string.h>

static bool is_same(const struct packet *a, const struct packet *b)
{
	const int64_t most_ns = 30 * INT64_C(1000000000);
	size_t bytes = a->from.version == 6 ? 16 : 4;
	uint64_t apart_ns = a->t_ns > b->t_ns ?
		(uint64_t)a->t_ns - (uint64_t)b->t_ns :
		(uint64_t)b->t_ns - (uint64_t)a->t_ns;

	return a->fragment_id == b->fragment_id && a->vlan == b->vlan &&
		a->from.version == b->from.version &&
		!memcmp(a->from.address, b->from.address, bytes) &&
		!memcmp(a->to.address, b->to.address, bytes) &&
		apart_ns <= (uint64_t)most_ns;
}

/* The latest stored packet of a class that belongs to the same datagram. */
static struct packet *find(struct fragments *fragments,
	const struct packet *packet, enum packet_class class)
{
	for (uint32_t i = 1; i <= FRAGMENTS_KEPT; i++) {
		struct packet *stored = &fragments->list[
			(fragments->next - i) % FRAGMENTS_KEPT];

		if (stored->number && stored->class == class &&
			is_same(stored, packet))
			return stored;
	}
	return NULL;
}

/* The stored copy must not borrow from the record. */
static void store(struct fragments *fragments, const struct packet *packet)
{
	struct packet *stored =
		&fragments->list[fragments->next++ % FRAGMENTS_KEPT];

	*stored = *packet;
	stored->payload = NULL;
	stored->payload_captured = 0;
}

/* False if the fragment has only options of TCP. */
static bool join(const struct packet *first, struct packet *later)
{
	uint32_t header = first->header_bytes;
	uint32_t skipped =
		later->fragment_at < header ? header - later->fragment_at : 0;

	if (later->payload_bytes <= skipped)
		return false;
	later->class = PACKET_TCP;
	later->payload_bytes -= skipped;
	later->seq = first->seq + (first->flags & TCP_SYN ? 1 : 0) +
		later->fragment_at + skipped - header;
	later->ack = first->ack;
	later->header_bytes = first->header_bytes;
	later->flags = first->flags & (TCP_ACK | TCP_PSH | TCP_ECE);
	if (later->fragment_last)
		later->flags |= first->flags & TCP_FIN;
	later->window = first->window;
	later->window_known = first->window_known;
	later->from = first->from;
	later->to = first->to;
	later->options.present = first->options.present & OPTION_TIMESTAMPS;
	later->options.tsval = first->options.tsval;
	later->options.tsecr = first->options.tsecr;
	return true;
}

void fragments_begin(struct fragments *fragments, struct packet *first)
{
	store(fragments, first);
	first->flags &= (uint16_t)~TCP_FIN;
}

bool fragments_join(struct fragments *fragments, struct packet *later)
{
	if (!later->payload_bytes)
		return false;
	const struct packet *first = find(fragments, later, PACKET_TCP);
	if (first)
		return join(first, later);
	store(fragments, later);
	return false;
}

bool fragments_next(struct fragments *fragments, const struct packet *first,
	struct packet *later)
{
	struct packet *stored;

	while ((stored = find(fragments, first, PACKET_FRAGMENT))) {
		*later = *stored;
		stored->class = PACKET_OTHER;
		later->t_ns = first->t_ns;
		later->number = first->number;
		if (join(first, later))
			return true;
	}
	return false;
}
