/* From an EtherType, LLC or MPLS to IP, on links that have them. */
#include "decode_internal.h"

enum {
	ETHER_LENGTH_MOST = 1500, /* more is a type (IEEE 802.3) */
	ETHER_IPV4 = 0x0800,
	ETHER_IPV6 = 0x86dd,
	ETHER_VLAN = 0x8100,
	ETHER_QINQ = 0x88a8,
	ETHER_QINQ_OLD = 0x9100,
	ETHER_PPPOE = 0x8864,
	ETHER_MPLS = 0x8847,
	ETHER_MPLS_MULTICAST = 0x8848,
	ETHER_VNTAG = 0x8926,
	ADDRESSES = 12, /* of Ethernet */
	TAGS_MAX = 4,
	/* Direction relative to the capturing machine (SLL, SLL2). */
	SLL_HOST = 0,
	SLL_OUTGOING = 4,
};

/* An unknown type leaves the class as it is. */
static void decode_payload(struct cursor *cursor, uint16_t type,
	struct packet *packet)
{
	switch (type) {
	case ETHER_IPV4:
		decode_ipv4(cursor, packet);
		break;
	case ETHER_IPV6:
		decode_ipv6(cursor, packet);
		break;
	case ETHER_PPPOE:
		decode_pppoe(cursor, packet);
		break;
	case ETHER_MPLS:
	case ETHER_MPLS_MULTICAST:
		decode_mpls(cursor, packet);
		break;
	default:
		if (type <= ETHER_LENGTH_MOST)
			decode_llc(cursor, packet);
	}
}

/* Decodes the protocol of an EtherType, after any tags. */
void decode_ethertype(struct cursor *cursor, uint16_t type,
	struct packet *packet)
{
	for (;; type = cursor_u16(cursor)) {
		if (type == ETHER_VNTAG) {
			cursor_skip(cursor, 4);
			continue;
		}
		if (type != ETHER_VLAN && type != ETHER_QINQ &&
			type != ETHER_QINQ_OLD)
			break;
		if (packet->vlan_tags++ == TAGS_MAX) {
			packet->class = PACKET_INVALID;
			return;
		}
		packet->vlan = (packet->vlan & VLAN_ID) << VLAN_BITS |
			(cursor_u16(cursor) & VLAN_ID);
	}
	if (cursor->cut)
		decode_failed(cursor, packet);
	else
		decode_payload(cursor, type, packet);
}

void decode_next(struct cursor *cursor, struct packet *packet)
{
	decode_ethertype(cursor, cursor_u16(cursor), packet);
}

/* LLC with the address of IP, or with SNAP (RFC 1042), whose organisation is
 * that of Ethernet. */
void decode_llc(struct cursor *cursor, struct packet *packet)
{
	enum { LLC_IP = 0x0606, LLC_SNAP = 0xaaaa, UNNUMBERED = 3 };
	uint16_t access = cursor_u16(cursor);
	uint8_t control = cursor_u8(cursor);

	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (access == LLC_IP && control == UNNUMBERED)
		decode_ipv4(cursor, packet);
	if (access != LLC_SNAP || control != UNNUMBERED)
		return;
	uint32_t organisation = (uint32_t)cursor_u16(cursor) << 8;
	organisation |= cursor_u8(cursor);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (!organisation)
		decode_next(cursor, packet);
}

/* After the labels: IP, by its first four bits, or Ethernet after the control
 * word of RFC 4448. */
void decode_mpls(struct cursor *cursor, struct packet *packet)
{
	enum { BOTTOM = 0x100 };

	while (!cursor->cut && !(cursor_u32(cursor) & BOTTOM))
		;
	if (!cursor_has(cursor, 1)) {
		decode_failed(cursor, packet);
		return;
	}
	unsigned first = cursor->at[0] >> 4;
	if (first == 4 || first == 6)
		decode_ip(cursor, packet);
	if (first)
		return;
	cursor_skip(cursor, 4 + ADDRESSES);
	decode_next(cursor, packet);
}

static void note_way(unsigned way, struct packet *packet)
{
	packet->arriving = way == SLL_HOST;
	packet->leaving = way == SLL_OUTGOING;
}

void decode_sll(struct cursor *cursor, struct packet *packet)
{
	uint16_t way = cursor_u16(cursor);

	cursor_skip(cursor, 12);
	note_way(way, packet);
	decode_next(cursor, packet);
}

void decode_sll2(struct cursor *cursor, struct packet *packet)
{
	uint16_t type = cursor_u16(cursor);

	cursor_skip(cursor, 8);
	uint8_t way = cursor_u8(cursor);
	cursor_skip(cursor, 9);
	note_way(way, packet);
	decode_ethertype(cursor, type, packet);
}

void decode_ipoib(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, 40); /* the global routing header */
	uint16_t type = cursor_u16(cursor);
	cursor_skip(cursor, 2);
	decode_ethertype(cursor, type, packet);
}
