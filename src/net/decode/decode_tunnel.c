/*
 * Packets within packets: IP in IP (RFC 2003, 4213), GRE (RFC 2784, 2890, and
 * 2637 for PPTP), ERSPAN, and over UDP VXLAN (RFC 7348), Geneve (RFC 8926) and
 * GTP-U (3GPP TS 29.281).
 */
#include "decode_internal.h"

enum {
	PORT_GTP = 2152,
	PORT_VXLAN = 4789,
	PORT_GENEVE = 6081,
	ETHER_ADDRESSES = 12,
};

static void decode_ethernet(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, ETHER_ADDRESSES);
	decode_next(cursor, packet);
}

/* PPTP: the lengths of the header depend on its flags. */
static void decode_pptp(struct cursor *cursor, unsigned flags,
	struct packet *packet)
{
	enum { SEQUENCE = 0x1000, ACKNOWLEDGMENT = 0x0080 };

	cursor_skip(cursor, 4); /* length, call */
	if (flags & SEQUENCE)
		cursor_skip(cursor, 4);
	if (flags & ACKNOWLEDGMENT)
		cursor_skip(cursor, 4);
	if (cursor->wire)
		decode_ppp(cursor, packet);
}

void decode_gre(struct cursor *cursor, struct packet *packet)
{
	enum {
		CHECKSUM = 0x8000,
		ROUTING = 0x4000,
		KEY = 0x2000,
		SEQUENCE = 0x1000,
		VERSION = 0x0007,
		BRIDGED = 0x6558,
		ERSPAN = 0x88be,
	};
	unsigned flags = cursor_u16(cursor);
	uint16_t type = cursor_u16(cursor);

	if ((flags & VERSION) == 1) {
		decode_pptp(cursor, flags, packet);
		return;
	}
	if (flags & (ROUTING | VERSION))
		return;
	if (flags & CHECKSUM)
		cursor_skip(cursor, 4);
	if (flags & KEY)
		cursor_skip(cursor, 4);
	if (flags & SEQUENCE)
		cursor_skip(cursor, 4);
	/* Without a sequence number it is version 1, which has no header. */
	if (type == ERSPAN && flags & SEQUENCE)
		cursor_skip(cursor, 8);
	if (type == BRIDGED || type == ERSPAN)
		decode_ethernet(cursor, packet);
	else
		decode_ethertype(cursor, type, packet);
}

static void decode_vxlan(struct cursor *cursor, struct packet *packet)
{
	enum { VALID = 0x08000000 };

	if (cursor_u32(cursor) != VALID)
		return;
	cursor_skip(cursor, 4);
	decode_ethernet(cursor, packet);
}

static void decode_geneve(struct cursor *cursor, struct packet *packet)
{
	enum { VERSION = 0xc0, OPTION_WORDS = 0x3f, BRIDGED = 0x6558 };
	uint8_t first = cursor_u8(cursor);

	cursor_skip(cursor, 1);
	uint16_t type = cursor_u16(cursor);
	cursor_skip(cursor, 4 + (first & OPTION_WORDS) * 4u);
	if (first & VERSION)
		return;
	if (type == BRIDGED)
		decode_ethernet(cursor, packet);
	else
		decode_ethertype(cursor, type, packet);
}

static void decode_gtp(struct cursor *cursor, struct packet *packet)
{
	enum { VERSION_1 = 0x30, VERSION = 0xf0, OPTIONS = 7, MORE = 4,
		USER_DATA = 255 };
	uint8_t flags = cursor_u8(cursor), kind = cursor_u8(cursor);

	cursor_skip(cursor, 6); /* length, tunnel */
	if ((flags & VERSION) != VERSION_1 || kind != USER_DATA)
		return;
	if (flags & OPTIONS)
		cursor_skip(cursor, 3);
	uint8_t next = flags & OPTIONS ? cursor_u8(cursor) : 0;
	/* The length of an extension header counts four bytes. */
	while (flags & MORE && next && !cursor->cut) {
		uint8_t words = cursor_u8(cursor);

		if (!words)
			cursor->cut = CUT_INVALID;
		else
			cursor_skip(cursor, words * 4u - 2);
		next = cursor_u8(cursor);
	}
	decode_ip(cursor, packet);
}

void decode_udp(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, 2);
	uint16_t port = cursor_u16(cursor);

	if (port != PORT_VXLAN && port != PORT_GENEVE && port != PORT_GTP)
		return;
	cursor_skip(cursor, 4);
	if (port == PORT_VXLAN)
		decode_vxlan(cursor, packet);
	else if (port == PORT_GENEVE)
		decode_geneve(cursor, packet);
	else
		decode_gtp(cursor, packet);
	/* The port alone does not prove that it is a tunnel. */
	if (packet->class == PACKET_INVALID)
		packet->class = PACKET_OTHER;
}
