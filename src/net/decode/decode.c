/* Link headers: from a record's first byte to IP. */
#include "decode.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "decode_internal.h"

enum {
	ETHER_IPV4 = 0x0800,
	ETHER_IPV6 = 0x86dd,
	ETHER_VLAN = 0x8100,
	ETHER_QINQ = 0x88a8,
	ETHER_QINQ_OLD = 0x9100,
	ETHER_PPPOE = 0x8864,
	PPP_IPV4 = 0x0021,
	PPP_IPV6 = 0x0057,
	TAGS_MAX = 4,
	/* Direction relative to the capturing machine (SLL, SLL2). */
	SLL_HOST = 0,
	SLL_OUTGOING = 4,
};

void decode_failed(const struct cursor *cursor, struct packet *packet)
{
	packet->class = cursor->cut == CUT_TRUNCATED ? PACKET_TRUNCATED :
						       PACKET_INVALID;
}

static void decode_pppoe(struct cursor *cursor, struct packet *packet)
{
	packet->pppoe = true;
	cursor_skip(cursor, 4); /* version, type, code, session */
	uint16_t length = cursor_u16(cursor);
	packet->overlong = length > cursor->wire;
	if (!packet->overlong)
		cursor_limit(cursor, length);
	uint16_t protocol = cursor_u16(cursor);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (protocol == PPP_IPV4)
		decode_ipv4(cursor, packet);
	else if (protocol == PPP_IPV6)
		decode_ipv6(cursor, packet);
}

/* Decodes the protocol of an EtherType, after any tags. */
static void decode_ethertype(struct cursor *cursor, uint16_t type,
	struct packet *packet)
{
	while (type == ETHER_VLAN || type == ETHER_QINQ ||
		type == ETHER_QINQ_OLD) {
		if (packet->vlan_tags++ == TAGS_MAX) {
			packet->class = PACKET_INVALID;
			return;
		}
		cursor_skip(cursor, 2);
		type = cursor_u16(cursor);
	}
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (type == ETHER_IPV4)
		decode_ipv4(cursor, packet);
	else if (type == ETHER_IPV6)
		decode_ipv6(cursor, packet);
	else if (type == ETHER_PPPOE)
		decode_pppoe(cursor, packet);
}

static void decode_ethernet(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, 12);
	uint16_t type = cursor_u16(cursor);
	decode_ethertype(cursor, type, packet);
}

static void note_way(unsigned way, struct packet *packet)
{
	packet->arriving = way == SLL_HOST;
	packet->leaving = way == SLL_OUTGOING;
}

static void decode_sll(struct cursor *cursor, struct packet *packet)
{
	uint16_t way = cursor_u16(cursor);

	cursor_skip(cursor, 12);
	uint16_t type = cursor_u16(cursor);
	note_way(way, packet);
	decode_ethertype(cursor, type, packet);
}

static void decode_sll2(struct cursor *cursor, struct packet *packet)
{
	uint16_t type = cursor_u16(cursor);

	cursor_skip(cursor, 8);
	uint8_t way = cursor_u8(cursor);
	cursor_skip(cursor, 9);
	note_way(way, packet);
	decode_ethertype(cursor, type, packet);
}

/* An address family: big-endian for LOOP, in the byte order of the capturing
 * machine for NULL, which the file does not contain. No family is valid in both
 * byte orders. */
static void decode_null(struct cursor *cursor, struct packet *packet)
{
	uint32_t family = cursor_u32(cursor);

	if (cursor->cut) {
		decode_failed(cursor, packet);
		return;
	}
	if (family > 0xffff)
		family = __builtin_bswap32(family);
	switch (family) {
	case 2:
		decode_ipv4(cursor, packet);
		break;
	case 10: /* Linux */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* macOS */
		decode_ipv6(cursor, packet);
		break;
	default:
		break;
	}
}

static const struct link {
	unsigned type;
	const char *name;
	void (*decode)(struct cursor *, struct packet *);
} links[] = {
	{ LINK_ETHERNET, "EN10MB", decode_ethernet },
	{ LINK_NULL, "NULL", decode_null },
	{ LINK_LOOP, "LOOP", decode_null },
	{ LINK_RAW, "RAW", decode_ip },
	{ LINK_RAW_BSD, "RAW", decode_ip },
	{ LINK_RAW_OPENBSD, "RAW", decode_ip },
	{ LINK_LINUX_SLL, "LINUX_SLL", decode_sll },
	{ LINK_LINUX_SLL2, "LINUX_SLL2", decode_sll2 },
	{ LINK_IPV4, "IPV4", decode_ipv4 },
	{ LINK_IPV6, "IPV6", decode_ipv6 },
};

static const struct link *link_find(unsigned type)
{
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (links[i].type == type)
			return &links[i];
	return NULL;
}

const char *link_type_name(unsigned link_type)
{
	const struct link *link = link_find(link_type);

	return link ? link->name : NULL;
}

void packet_decode(const struct packet_record *record, uint64_t number,
	struct packet *packet)
{
	const struct link *link = link_find(record->link_type);
	struct cursor cursor = cursor_of(record->bytes, record->captured_bytes,
		record->wire_bytes);

	*packet = (struct packet){
		.class = link ? PACKET_OTHER : PACKET_UNKNOWN_LINK,
		.t_ns = record->t_ns,
		.number = number,
		.wire_bytes = record->wire_bytes,
	};
	if (link)
		link->decode(&cursor, packet);
}

struct endpoint_text endpoint_text(const struct endpoint *endpoint)
{
	struct endpoint_text text;
	char address[INET6_ADDRSTRLEN] = "?";
	bool six = endpoint->version == 6;

	inet_ntop(six ? AF_INET6 : AF_INET, endpoint->address, address,
		sizeof address);
	snprintf(text.chars, sizeof text.chars, six ? "[%s]:%u" : "%s:%u",
		address, endpoint->port);
	return text;
}
