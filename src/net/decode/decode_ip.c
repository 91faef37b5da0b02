/* IP of both versions, and ICMP messages about packets that were too big. */
#include <string.h>

#include "decode_internal.h"

enum {
	IP_HOP_BY_HOP = 0,
	IP_ICMP = 1,
	IP_IPV4 = 4,
	IP_TCP = 6,
	IP_UDP = 17,
	IP_IPV6 = 41,
	IP_ROUTING = 43,
	IP_FRAGMENT = 44,
	IP_GRE = 47,
	IP_AUTHENTICATION = 51,
	IP_ICMPV6 = 58,
	IP_DESTINATION = 60,
	HEADERS_MAX = 8, /* extension headers of one packet */
	JUMBO_OPTION = 0xc2,
};

/* A tunnel. The first fragment of one is not decoded, because the lengths
 * within are those of the whole packet. */
static void decode_tunnel(struct cursor *cursor, unsigned protocol,
	struct packet *packet)
{
	if (packet->ip_fragment)
		return;
	if (protocol == IP_IPV4)
		decode_ipv4(cursor, packet);
	else if (protocol == IP_IPV6)
		decode_ipv6(cursor, packet);
	else if (protocol == IP_GRE)
		decode_gre(cursor, packet);
	else if (protocol == IP_UDP)
		decode_udp(cursor, packet);
	packet->tunnelled = packet->class == PACKET_TCP;
}

static void decode_protocol(struct cursor *cursor, unsigned protocol,
	struct packet *packet)
{
	if (protocol == IP_TCP)
		decode_tcp(cursor, packet);
	else if (protocol == IP_ICMP && packet->from.version == 4)
		decode_icmp(cursor, 4, packet);
	else if (protocol == IP_ICMPV6 && packet->from.version == 6)
		decode_icmp(cursor, 6, packet);
	else
		decode_tunnel(cursor, protocol, packet);
}

/* A fragment that does not begin with the header of its protocol. */
static void decode_later(const struct cursor *cursor, unsigned protocol,
	bool last, struct packet *packet)
{
	packet->class = PACKET_FRAGMENT;
	packet->fragment_last = last;
	if (protocol == IP_TCP)
		packet->payload_bytes = cursor->wire;
}

void decode_ipv4(struct cursor *cursor, struct packet *packet)
{
	uint64_t whole = cursor->wire;
	uint8_t first = cursor_u8(cursor);
	unsigned header_bytes = (first & 15u) * 4;

	cursor_skip(cursor, 1);
	uint16_t total = cursor_u16(cursor);
	packet->ip_id = cursor_u16(cursor);
	uint16_t fragment = cursor_u16(cursor);
	packet->ttl = cursor_u8(cursor);
	uint8_t protocol = cursor_u8(cursor);
	cursor_skip(cursor, 2);
	const uint8_t *addresses = cursor_bytes(cursor, 8);
	/* Length 0: the network card was to segment the packet. */
	uint64_t length = total ? total : whole;
	if (length > whole) {
		packet->overlong = true;
		length = whole;
	}
	if (addresses &&
		(first >> 4 != 4 || header_bytes < 20 || length < header_bytes))
		cursor->cut = CUT_INVALID;
	if (!addresses || cursor->cut) {
		decode_failed(cursor, packet);
		return;
	}
	packet->from.version = packet->to.version = 4;
	memcpy(packet->from.address, addresses, 4);
	memcpy(packet->to.address, addresses + 4, 4);
	cursor_limit(cursor, length - 20);
	cursor_skip(cursor, header_bytes - 20);
	packet->fragment_id = packet->ip_id;
	packet->fragment_at = (uint16_t)((fragment & 0x1fffu) * 8);
	if (packet->fragment_at) {
		decode_later(cursor, protocol, !(fragment & 0x2000), packet);
		return;
	}
	packet->ip_fragment = fragment & 0x2000;
	if (cursor->cut)
		decode_failed(cursor, packet);
	else
		decode_protocol(cursor, protocol, packet);
}

/* Skips one extension header; returns false if the packet ends with it. An
 * unfragmented packet with a fragment header (RFC 6946) continues. */
static bool pass_extension(struct cursor *cursor, unsigned *protocol,
	struct packet *packet)
{
	unsigned header = *protocol;

	*protocol = cursor_u8(cursor);
	uint8_t length = cursor_u8(cursor);
	if (header == IP_FRAGMENT) {
		uint16_t fragment = cursor_u16(cursor);

		packet->fragment_at = fragment & 0xfff8;
		packet->fragment_id = cursor_u32(cursor);
		if (!cursor->cut && packet->fragment_at) {
			decode_later(cursor, *protocol, !(fragment & 1),
				packet);
			return false;
		}
		packet->ip_fragment = fragment & 1;
	} else if (header == IP_AUTHENTICATION) {
		cursor_skip(cursor, length * 4 + 6);
	} else {
		cursor_skip(cursor, length * 8 + 6);
	}
	return !cursor->cut;
}

static bool is_extension(unsigned protocol)
{
	return protocol == IP_HOP_BY_HOP || protocol == IP_ROUTING ||
		protocol == IP_FRAGMENT || protocol == IP_DESTINATION ||
		protocol == IP_AUTHENTICATION;
}

void decode_ipv6(struct cursor *cursor, struct packet *packet)
{
	uint32_t first = cursor_u32(cursor);
	uint16_t length = cursor_u16(cursor);
	unsigned protocol = cursor_u8(cursor);

	packet->ip_id = first & 0xfffff;
	packet->ttl = cursor_u8(cursor);
	const uint8_t *addresses = cursor_bytes(cursor, 32);
	if (addresses && first >> 28 != 6)
		cursor->cut = CUT_INVALID;
	/* Length 0 is a jumbogram or BIG TCP: the wire length is used. */
	packet->overlong = length > cursor->wire;
	if (length && !packet->overlong)
		cursor_limit(cursor, length);
	if (!addresses || cursor->cut) {
		decode_failed(cursor, packet);
		return;
	}
	packet->from.version = packet->to.version = 6;
	memcpy(packet->from.address, addresses, 16);
	memcpy(packet->to.address, addresses + 16, 16);
	for (int i = 0; is_extension(protocol); i++) {
		if (i == HEADERS_MAX)
			cursor->cut = CUT_INVALID;
		if (cursor->cut || !pass_extension(cursor, &protocol, packet)) {
			if (packet->class != PACKET_FRAGMENT)
				decode_failed(cursor, packet);
			return;
		}
	}
	decode_protocol(cursor, protocol, packet);
}

void decode_ip(struct cursor *cursor, struct packet *packet)
{
	if (!cursor_has(cursor, 1))
		decode_failed(cursor, packet);
	else if (cursor->at[0] >> 4 == 4)
		decode_ipv4(cursor, packet);
	else if (cursor->at[0] >> 4 == 6)
		decode_ipv6(cursor, packet);
	else
		packet->class = PACKET_INVALID;
}

/* Decodes the quoted part of the packet that was too big: addresses, ports and
 * sequence number identify it. Its lengths are not used. */
static bool decode_quoted(struct cursor *cursor, struct packet *packet)
{
	uint8_t first = cursor_u8(cursor);
	bool six = first >> 4 == 6;
	unsigned address_bytes = six ? 16 : 4;
	unsigned options_bytes = six ? 0 : (first & 15u) * 4 - 20u;

	cursor_skip(cursor, six ? 5 : 8);
	uint8_t protocol = cursor_u8(cursor);
	cursor_skip(cursor, six ? 1 : 2);
	const uint8_t *addresses = cursor_bytes(cursor, 2 * address_bytes);
	cursor_skip(cursor, options_bytes);
	struct endpoint from = { .version = six ? 6 : 4 }, to = from;
	from.port = cursor_u16(cursor);
	to.port = cursor_u16(cursor);
	packet->seq = cursor_u32(cursor);
	if (cursor->cut || protocol != IP_TCP)
		return false;
	memcpy(from.address, addresses, address_bytes);
	memcpy(to.address, addresses + address_bytes, address_bytes);
	packet->from = from;
	packet->to = to;
	return true;
}

void decode_icmp(struct cursor *cursor, unsigned version, struct packet *packet)
{
	uint8_t type = cursor_u8(cursor), code = cursor_u8(cursor);

	cursor_skip(cursor, 2);
	uint32_t rest = cursor_u32(cursor);
	if (cursor->cut) {
		decode_failed(cursor, packet);
		return;
	}
	if (version == 4 ? type != 3 || code != 4 : type != 2)
		return;
	packet->mtu_bytes = version == 4 ? rest & 0xffff : rest;
	if (decode_quoted(cursor, packet))
		packet->class = PACKET_TOO_BIG;
}
