/* Reads pcapng files, block by block. */
#include <string.h>

#include "order.h"
#include "read_file.h"

enum {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET_OLD = 2,
	BLOCK_PACKET_SIMPLE = 3,
	BLOCK_PACKET = 6,
	OPTION_END = 0,
	OPTION_RESOLUTION = 9,
	OPTION_OFFSET = 14,
	BLOCK_BYTES_MOST = 1 << 26,
	INTERFACES_MAX = 4096, /* of a section */
};

struct interface {
	uint16_t link_type;
	uint32_t snap_bytes;
	uint64_t units; /* of time stamps, per second */
	int64_t offset_s;
};

static struct {
	bool swapped;
	uint32_t kind, length; /* of the block */
	uint32_t left;         /* bytes of its body that were not read */
	bool over;             /* the input ended in it */
	struct interface interfaces[INTERFACES_MAX];
	uint32_t interface_count; /* of the section */
	uint32_t interfaces_before; /* of the sections before it */
	uint32_t snap_most_bytes; /* of all interfaces */
	uint64_t packets;
} ng;

static uint16_t ng_u16(const uint8_t *at)
{
	return file_u16(at, ng.swapped);
}

static uint32_t ng_u32(const uint8_t *at)
{
	return file_u32(at, ng.swapped);
}

/* ---- blocks ------------------------------------------------------------- */

/* Both read the block's body. NULL and false: the block has less, or the file
 * ends. */
static const uint8_t *body_take(uint32_t count)
{
	const uint8_t *at;

	if (count > ng.left)
		return NULL;
	ng.left -= count;
	at = input_take(count);
	ng.over = !at;
	return at;
}

static bool body_skip(uint32_t count)
{
	if (count > ng.left)
		return false;
	ng.left -= count;
	ng.over = !input_skip(count);
	return !ng.over;
}

/* The body was too short for its contents, or the file has ended in it. */
static bool body_short(const char *what)
{
	if (ng.over)
		return read_over(false, ng.packets + 1);
	return read_damaged("after packet %llu, a block of %u bytes is too "
			    "short for %s",
		(unsigned long long)ng.packets, ng.length, what);
}

static bool bad_length(void)
{
	return read_damaged("after packet %llu, a block states a length of %u "
			    "bytes, expected a multiple of 4 from 12 to %d",
		(unsigned long long)ng.packets, ng.length, BLOCK_BYTES_MOST);
}

/* Skips the rest of the body, and reads the length at its end. */
static bool end_block(void)
{
	if (!input_skip(ng.left))
		return read_over(false, ng.packets + 1);
	const uint8_t *at = input_take(4);
	if (!at)
		return read_over(false, ng.packets + 1);
	if (ng_u32(at) != ng.length)
		return read_damaged("after packet %llu, a block states the "
				    "lengths %u and %u, expected equal ones",
			(unsigned long long)ng.packets, ng.length, ng_u32(at));
	return true;
}

/* ---- sections and interfaces -------------------------------------------- */

/* Reads the byte order and the length, which depends on it, and forgets the
 * interfaces of the section before. `length`: as the file has it. */
static bool read_section(const uint8_t *length)
{
	static const uint8_t big[] = { 0x1a, 0x2b, 0x3c, 0x4d };
	static const uint8_t little[] = { 0x4d, 0x3c, 0x2b, 0x1a };
	uint8_t stated[4];

	memcpy(stated, length, sizeof stated);
	const uint8_t *at = input_take(8);
	if (!at)
		return read_over(false, ng.packets + 1);
	bool is_big = !memcmp(at, big, sizeof big);
	if (!is_big && memcmp(at, little, sizeof little))
		return read_damaged("a pcapng section has no byte order");
	ng.swapped = is_big == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	ng.length = ng_u32(stated);
	if (ng.length < 28 || ng.length % 4 || ng.length > BLOCK_BYTES_MOST)
		return bad_length();
	if (ng_u16(at + 4) != 1)
		return read_damaged("its pcapng version is %u.%u, expected 1.0",
			ng_u16(at + 4), ng_u16(at + 6));
	ng.left = ng.length - 20;
	ng.interfaces_before += ng.interface_count;
	ng.interface_count = 0;
	return end_block();
}

/* if_tsresol: a negative power of ten, or of two. False if it is finer than 64
 * bits can count. */
static bool set_resolution(struct interface *interface, uint8_t value)
{
	unsigned exponent = value & 0x7f;

	interface->units = 1;
	if (value & 0x80) {
		if (exponent > 63)
			return false;
		interface->units <<= exponent;
		return true;
	}
	while (exponent--)
		if (__builtin_mul_overflow(interface->units, 10,
			    &interface->units))
			return false;
	return true;
}

static bool read_option(struct interface *interface, uint16_t code,
	const uint8_t *value, uint16_t length)
{
	if (code == OPTION_RESOLUTION && length == 1)
		return set_resolution(interface, value[0]);
	if (code == OPTION_OFFSET && length == 8) {
		uint64_t offset_s;

		memcpy(&offset_s, value, sizeof offset_s);
		interface->offset_s = (int64_t)(ng.swapped ?
				__builtin_bswap64(offset_s) :
				offset_s);
	}
	return true;
}

static bool read_options(struct interface *interface)
{
	while (ng.left >= 4) {
		const uint8_t *at = body_take(4);
		if (!at)
			return body_short("its options");
		uint16_t code = ng_u16(at), length = ng_u16(at + 2);
		uint32_t padded = (length + 3u) & ~3u;
		if (code == OPTION_END)
			break;
		if (code != OPTION_RESOLUTION && code != OPTION_OFFSET) {
			if (!body_skip(padded))
				return body_short("its options");
			continue;
		}
		const uint8_t *value = padded > INPUT_TAKE_MOST ?
			NULL :
			body_take(padded);
		if (!value)
			return body_short("its options");
		if (!read_option(interface, code, value, length))
			return read_damaged("interface %u has a time resolution "
					    "of %s^-%u s, which is not read",
				ng.interface_count,
				value[0] & 0x80 ? "2" : "10", value[0] & 0x7f);
	}
	return true;
}

static bool read_interface(void)
{
	struct interface *interface = &ng.interfaces[ng.interface_count];
	const uint8_t *at;

	if (ng.interface_count == INTERFACES_MAX)
		return read_damaged("a section has more than %d interfaces",
			INTERFACES_MAX);
	at = body_take(8);
	if (!at)
		return body_short("an interface");
	*interface = (struct interface){
		.link_type = ng_u16(at),
		.snap_bytes = ng_u32(at + 4),
		.units = 1000000,
	};
	if (!read_options(interface))
		return false;
	ng.interface_count++;
	if (interface->snap_bytes > ng.snap_most_bytes)
		ng.snap_most_bytes = interface->snap_bytes;
	output_ready(interface->link_type, ng.snap_most_bytes);
	return end_block();
}

/* ---- packets ------------------------------------------------------------ */

static void set_stamp(struct captured *packet,
	const struct interface *interface, const uint8_t *at)
{
	uint64_t stamp = (uint64_t)ng_u32(at) << 32 | ng_u32(at + 4);
	uint64_t part = stamp % interface->units;

	/* Below a nanosecond the product may not fit 64 bits. */
	packet->ns = interface->units <= NS_PER_S ?
		(int64_t)(part * NS_PER_S / interface->units) :
		(int64_t)((unsigned __int128)part * NS_PER_S /
			interface->units);
	if (__builtin_add_overflow((int64_t)(stamp / interface->units),
		    interface->offset_s, &packet->second))
		packet->second = -1;
}

/* The part of a packet block before the packet's bytes. */
static bool read_head(struct captured *packet)
{
	bool simple = ng.kind == BLOCK_PACKET_SIMPLE;
	const uint8_t *at = body_take(simple ? 4 : 20);

	if (!at)
		return body_short("a packet");
	uint32_t index = simple ? 0 :
		ng.kind == BLOCK_PACKET ? ng_u32(at) :
					  ng_u16(at);
	if (index >= ng.interface_count)
		return read_damaged(
			"packet %llu is of interface %u, but the section has "
			"%u",
			(unsigned long long)ng.packets + 1, index,
			ng.interface_count);
	const struct interface *interface = &ng.interfaces[index];
	index += ng.interfaces_before;
	*packet = (struct captured){
		.link_type = interface->link_type,
		.interface = index < UINT16_MAX ? (uint16_t)index : UINT16_MAX,
	};
	if (!simple) {
		set_stamp(packet, interface, at + 4);
		packet->captured_bytes = ng_u32(at + 12);
		packet->wire_bytes = ng_u32(at + 16);
		return true;
	}
	packet->stamp_invalid = true; /* it has none */
	packet->wire_bytes = packet->captured_bytes = ng_u32(at);
	if (interface->snap_bytes &&
		packet->captured_bytes > interface->snap_bytes)
		packet->captured_bytes = interface->snap_bytes;
	if (packet->captured_bytes > ng.left)
		packet->captured_bytes = ng.left;
	return true;
}

static bool read_packet(void)
{
	struct captured packet = { 0 };

	if (!read_head(&packet))
		return false;
	uint32_t kept = output_kept(packet.captured_bytes);
	if (packet.captured_bytes <= ng.left)
		packet.bytes = read_keep(body_take(kept), kept);
	if (!packet.bytes)
		return body_short("its packet");
	if (!body_skip(ng.left))
		return read_over(false, ng.packets + 1);
	order_packet(&packet);
	ng.packets++;
	return end_block();
}

static bool read_block(void)
{
	const uint8_t *at = input_take(8);

	if (!at)
		return read_over(true, ng.packets + 1);
	/* The kind of a section reads the same in both byte orders. */
	ng.kind = ng_u32(at);
	if (ng.kind == BLOCK_SECTION)
		return read_section(at + 4);
	ng.length = ng_u32(at + 4);
	if (ng.length < 12 || ng.length % 4 || ng.length > BLOCK_BYTES_MOST)
		return bad_length();
	ng.left = ng.length - 12;
	switch (ng.kind) {
	case BLOCK_INTERFACE:
		return read_interface();
	case BLOCK_PACKET:
	case BLOCK_PACKET_OLD:
	case BLOCK_PACKET_SIMPLE:
		return read_packet();
	default:
		return end_block();
	}
}

void read_pcapng(void)
{
	ng.interface_count = ng.interfaces_before = ng.snap_most_bytes = 0;
	ng.packets = 0;
	/* After the kind of the first block. */
	const uint8_t *at = input_take(4);
	bool goes_on = at ? read_section(at) : read_over(false, 0);

	while (goes_on)
		goes_on = read_block();
}
