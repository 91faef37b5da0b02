/* IEEE 802.11 data frames, and the headers that drivers put before them:
 * radiotap, Prism, AVS, PPI. Encrypted frames are not decoded. */
#include "decode_internal.h"

void decode_wireless(struct cursor *cursor, struct packet *packet)
{
	enum {
		KIND = 0x000f, /* version and type */
		DATA = 0x0008,
		EMPTY = 0x0040,
		QOS = 0x0080,
		BOTH_WAYS = 0x0300,
		PROTECTED = 0x4000,
		ORDER = 0x8000,
		AGGREGATE = 0x0080, /* in the QoS control */
	};
	uint16_t control = cursor_le16(cursor);

	if (!cursor->cut &&
		((control & KIND) != DATA || control & (EMPTY | PROTECTED)))
		return;
	cursor_skip(cursor, 22);
	if ((control & BOTH_WAYS) == BOTH_WAYS)
		cursor_skip(cursor, 6);
	uint16_t qos = control & QOS ? cursor_le16(cursor) : 0;
	if (control & QOS && control & ORDER)
		cursor_skip(cursor, 4);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else if (!(qos & AGGREGATE))
		decode_llc(cursor, packet);
}

/* Skips the rest of a header of which `read` bytes were read. */
static void skip_rest(struct cursor *cursor, uint32_t length, uint32_t read)
{
	if (!cursor->cut && length < read)
		cursor->cut = CUT_INVALID;
	else
		cursor_skip(cursor, length - read);
}

void decode_radiotap(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, 2);
	skip_rest(cursor, cursor_le16(cursor), 4);
	decode_wireless(cursor, packet);
}

/* A driver may put either header before a frame, whatever the link type. AVS
 * headers are big-endian, Prism headers have the order of the machine. */
void decode_prism(struct cursor *cursor, struct packet *packet)
{
	enum { AVS = 0x80211000, VERSION = 0xfff, LENGTH_MOST = 0xffff };
	uint32_t kind = cursor_u32(cursor), length = cursor_u32(cursor);

	if ((kind & ~(uint32_t)VERSION) != AVS && length > LENGTH_MOST)
		length = __builtin_bswap32(length);
	skip_rest(cursor, length, 8);
	decode_wireless(cursor, packet);
}

void decode_ppi(struct cursor *cursor, struct packet *packet)
{
	cursor_skip(cursor, 2);
	uint16_t length = cursor_le16(cursor);
	uint32_t link_type = cursor_le32(cursor);

	skip_rest(cursor, length, 8);
	if (cursor->cut)
		decode_failed(cursor, packet);
	else
		decode_link(link_type, cursor, packet);
}
