/* Headers that a system adds to what it captures: the address family (NULL,
 * LOOP, ENC), logs of packet filters (PFLOG, NFLOG), and PKTAP of macOS. */
#include "decode_internal.h"

static void decode_family(struct cursor *cursor, uint32_t family,
	struct packet *packet)
{
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

/* Big-endian for LOOP, in the byte order of the capturing machine for NULL and
 * ENC, which the file does not contain. No family is valid in both byte
 * orders. */
static uint32_t read_family(struct cursor *cursor)
{
	uint32_t family = cursor_u32(cursor);

	return family > 0xffff ? __builtin_bswap32(family) : family;
}

void decode_null(struct cursor *cursor, struct packet *packet)
{
	uint32_t family = read_family(cursor);

	if (cursor->cut)
		decode_failed(cursor, packet);
	else
		decode_family(cursor, family, packet);
}

void decode_enc(struct cursor *cursor, struct packet *packet)
{
	uint32_t family = read_family(cursor);

	cursor_skip(cursor, 8); /* index of the association, flags */
	if (cursor->cut)
		decode_failed(cursor, packet);
	else
		decode_family(cursor, family, packet);
}

/* The length counts from the first byte, without padding to four bytes. */
void decode_pflog(struct cursor *cursor, struct packet *packet)
{
	uint8_t length = cursor_u8(cursor), family = cursor_u8(cursor);
	uint32_t padded = (length + 3u) & ~3u;

	cursor_skip(cursor, padded < 2 ? 0 : padded - 2);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else
		decode_family(cursor, family, packet);
}

/* Attributes in the byte order of the capturing machine. A number is valid in
 * only one order, since there are few. Linux may have cut the packet without
 * recording its length, so the length is that in the IP header. */
void decode_nflog(struct cursor *cursor, struct packet *packet)
{
	enum { PAYLOAD = 9, KINDS = 0xff };

	cursor_skip(cursor, 4); /* family, version, group */
	while (!cursor->cut) {
		uint16_t length = cursor_le16(cursor);
		uint16_t kind = cursor_le16(cursor);

		if (kind > KINDS) {
			length = __builtin_bswap16(length);
			kind = __builtin_bswap16(kind);
		}
		if (!cursor->cut && length < 4)
			cursor->cut = CUT_INVALID;
		if (cursor->cut)
			break;
		if (kind == PAYLOAD) {
			cursor_limit(cursor, length - 4u);
			if (cursor->wire < UINT16_MAX)
				cursor->wire = UINT16_MAX;
			decode_ip(cursor, packet);
			return;
		}
		cursor_skip(cursor, ((length + 3u) & ~3u) - 4);
	}
	decode_failed(cursor, packet);
}

void decode_pktap(struct cursor *cursor, struct packet *packet)
{
	enum { BEFORE_FLAGS = 24, READ = 40, ARRIVING = 1, LEAVING = 2 };
	uint32_t length = cursor_le32(cursor);

	cursor_skip(cursor, 4);
	uint32_t link_type = cursor_le32(cursor);
	cursor_skip(cursor, BEFORE_FLAGS);
	uint32_t flags = cursor_le32(cursor);
	if (!cursor->cut && length < READ)
		cursor->cut = CUT_INVALID;
	cursor_skip(cursor, length - READ);
	if (cursor->cut) {
		decode_failed(cursor, packet);
		return;
	}
	packet->arriving = flags & ARRIVING;
	packet->leaving = flags & LEAVING;
	decode_link(link_type, cursor, packet);
}
