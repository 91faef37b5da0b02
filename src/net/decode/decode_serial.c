/* PPP in its framings (RFC 1661, 1662, 2516), and frame relay (RFC 2427). */
#include "decode_internal.h"

enum {
	PPP_IPV4 = 0x0021,
	PPP_IPV6 = 0x0057,
	PPP_MPLS = 0x0281,
	PPP_ADDRESS = 0xff,
	PPP_CONTROL = 0x03,
};

/* Both bytes of HDLC-like framing may have been negotiated away. */
static void skip_framing(struct cursor *cursor)
{
	if (cursor_has(cursor, 1) && cursor->at[0] == PPP_ADDRESS)
		cursor_skip(cursor, 1);
	if (cursor_has(cursor, 1) && cursor->at[0] == PPP_CONTROL)
		cursor_skip(cursor, 1);
}

void decode_ppp(struct cursor *cursor, struct packet *packet)
{
	skip_framing(cursor);
	/* An odd first byte is the whole number. */
	unsigned protocol = cursor_u8(cursor);
	if (!(protocol & 1))
		protocol = protocol << 8 | cursor_u8(cursor);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (protocol == PPP_IPV4)
		decode_ipv4(cursor, packet);
	else if (protocol == PPP_IPV6)
		decode_ipv6(cursor, packet);
	else if (protocol == PPP_MPLS)
		decode_mpls(cursor, packet);
}

/* PPP, or the framing of Cisco routers with an EtherType. */
void decode_ppp_hdlc(struct cursor *cursor, struct packet *packet)
{
	enum { CISCO_UNICAST = 0x0f, CISCO_MULTICAST = 0x8f };

	if (!cursor_has(cursor, 1) ||
		(cursor->at[0] != CISCO_UNICAST &&
			cursor->at[0] != CISCO_MULTICAST)) {
		decode_ppp(cursor, packet);
		return;
	}
	cursor_skip(cursor, 2);
	decode_next(cursor, packet);
}

/* The first byte is the direction: 0 for received. */
void decode_ppp_way(struct cursor *cursor, struct packet *packet)
{
	bool sent = cursor_u8(cursor);

	packet->leaving = sent;
	packet->arriving = !sent;
	decode_ppp(cursor, packet);
}

void decode_pppoe(struct cursor *cursor, struct packet *packet)
{
	packet->pppoe = true;
	cursor_skip(cursor, 4); /* version, type, code, session */
	uint16_t length = cursor_u16(cursor);
	packet->overlong = length > cursor->wire;
	if (!packet->overlong)
		cursor_limit(cursor, length);
	decode_ppp(cursor, packet);
}

/* An address of up to four bytes, then a protocol of ISO 9577 or, from Cisco
 * routers, an EtherType. */
void decode_frame_relay(struct cursor *cursor, struct packet *packet)
{
	enum { LAST = 1, UNNUMBERED = 3, ID_IPV4 = 0xcc, ID_IPV6 = 0x8e,
		ID_SNAP = 0x80 };

	for (int i = 0; i < 4 && !(cursor_u8(cursor) & LAST); i++)
		;
	if (!cursor_has(cursor, 2)) {
		decode_failed(cursor, packet);
		return;
	}
	if (cursor->at[0] != UNNUMBERED) {
		decode_next(cursor, packet);
		return;
	}
	cursor_skip(cursor, 1);
	uint8_t id = cursor_u8(cursor);
	if (!id) /* padding */
		id = cursor_u8(cursor);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (id == ID_IPV4)
		decode_ipv4(cursor, packet);
	else if (id == ID_IPV6)
		decode_ipv6(cursor, packet);
	if (id != ID_SNAP)
		return;
	cursor_skip(cursor, 3);
	decode_next(cursor, packet);
}
