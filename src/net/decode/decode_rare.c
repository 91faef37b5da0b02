/* Links that are rare today. Sources: the pages of the link types on
 * tcpdump.org; RFC 1051, 1201 and 2497 (ARCNET), 1144 (SLIP), 2225 (ATM); IEEE
 * 802.5; CableLabs MULPI (DOCSIS). What Juniper routers write is known from
 * tcpdump, which prints it. */
#include "decode_internal.h"

enum { ADDRESSES = 12 };

/* The first bit of the source is set if a route follows, whose length includes
 * that of its two bytes of control. Frames of the ring itself have no LLC. */
void decode_token_ring(struct cursor *cursor, struct packet *packet)
{
	enum { KIND = 0xc0, LLC = 0x40, ROUTED = 0x80, LENGTH = 0x1f };

	cursor_skip(cursor, 1); /* access */
	uint8_t control = cursor_u8(cursor);
	cursor_skip(cursor, 6);
	uint8_t source = cursor_u8(cursor);
	cursor_skip(cursor, 5);
	if (source & ROUTED) {
		unsigned length = cursor_u8(cursor) & LENGTH;

		cursor_skip(cursor, length ? length - 1 : 0);
	}
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if ((control & KIND) == LLC)
		decode_llc(cursor, packet);
}

/* From the type on. Only the first part of a split packet has an IP header; it
 * is not decoded, because its length is that of the whole. */
void decode_arcnet(struct cursor *cursor, struct packet *packet)
{
	enum { IPV4 = 212, IPV4_OLD = 240, IPV6 = 196, EXCEPTION = 0xff };
	uint8_t type = cursor_u8(cursor), split = 0;

	if (type != IPV4_OLD) {
		split = cursor_u8(cursor);
		cursor_skip(cursor, 2); /* number */
	}
	if (split == EXCEPTION) {
		cursor_skip(cursor, 1);
		split = cursor_u8(cursor);
		cursor_skip(cursor, 2);
	}
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (!split && (type == IPV4 || type == IPV4_OLD))
		decode_ipv4(cursor, packet);
	else if (!split && type == IPV6)
		decode_ipv6(cursor, packet);
}

/* LLC with SNAP, or IP alone. */
void decode_clip(struct cursor *cursor, struct packet *packet)
{
	enum { SNAP = 0xaa };

	if (cursor_has(cursor, 1) && cursor->at[0] == SNAP)
		decode_llc(cursor, packet);
	else
		decode_ip(cursor, packet);
}

/* Data frames contain Ethernet, those of the cable itself do not. */
void decode_docsis(struct cursor *cursor, struct packet *packet)
{
	enum { KIND = 0xc0, EXTENDED = 1 };
	uint8_t control = cursor_u8(cursor), extended = cursor_u8(cursor);

	cursor_skip(cursor, 2); /* length */
	cursor_skip(cursor, control & EXTENDED ? extended : 0);
	cursor_skip(cursor, 2 + ADDRESSES); /* checksum */
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (!(control & KIND))
		decode_next(cursor, packet);
}

void decode_symantec(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, 6);
	uint16_t type = cursor_u16(cursor);
	cursor_skip(cursor, 36);
	decode_ethertype(cursor, type, packet);
}

/* ---- Juniper ------------------------------------------------------------ */

/* After the magic number: flags and, if they show it, extensions with their
 * length. Then comes the link's header or, if the flags show that there is
 * none, four bytes and IP. */
static void decode_juniper(struct cursor *cursor, uint32_t link_type,
	struct packet *packet)
{
	enum { BARE = 2, EXTENDED = 0x80, MAGIC = 0x4d4743 };
	uint32_t first = cursor_u32(cursor);

	if (!cursor->cut && first >> 8 != MAGIC)
		cursor->cut = CUT_INVALID;
	if (first & EXTENDED)
		cursor_skip(cursor, cursor_u16(cursor));
	if (first & BARE)
		cursor_skip(cursor, 4);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (first & BARE)
		decode_ip(cursor, packet);
	else
		decode_link(link_type, cursor, packet);
}

void decode_juniper_ether(struct cursor *cursor, struct packet *packet)
{
	decode_juniper(cursor, LINK_ETHERNET, packet);
}

void decode_juniper_ppp(struct cursor *cursor, struct packet *packet)
{
	decode_juniper(cursor, LINK_PPP, packet);
}

void decode_juniper_frelay(struct cursor *cursor, struct packet *packet)
{
	decode_juniper(cursor, LINK_FRELAY, packet);
}

void decode_juniper_hdlc(struct cursor *cursor, struct packet *packet)
{
	decode_juniper(cursor, LINK_C_HDLC, packet);
}
