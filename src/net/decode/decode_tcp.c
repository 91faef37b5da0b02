/* TCP: the header, and its captured options. */
#include "decode_internal.h"

enum {
	KIND_END = 0,
	KIND_NOTHING = 1,
	KIND_MSS = 2,
	KIND_WSCALE = 3,
	KIND_SACK_PERMITTED = 4,
	KIND_SACK = 5,
	KIND_TIMESTAMPS = 8,
	KIND_MPTCP = 30,
	KIND_FAST_OPEN = 34,
	KIND_EXPERIMENT = 254,
	FAST_OPEN_MAGIC = 0xf989,
};

static void read_sack(struct cursor *value, struct tcp_options *options)
{
	while (value->wire >= 8 && options->sack_count < SACK_BLOCKS_MAX) {
		unsigned i = options->sack_count++;

		options->sack[i].from = cursor_u32(value);
		options->sack[i].to = cursor_u32(value);
	}
	options->present |= OPTION_SACK;
}

/* Reads the value of an option with the correct length; ignores others. */
static void read_option(unsigned kind, struct cursor value,
	struct tcp_options *options)
{
	uint64_t length = value.wire;

	if (kind == KIND_MSS && length == 2) {
		options->mss_bytes = cursor_u16(&value);
		options->present |= OPTION_MSS;
	} else if (kind == KIND_WSCALE && length == 1) {
		options->wscale = cursor_u8(&value);
		options->present |= OPTION_WSCALE;
	} else if (kind == KIND_SACK_PERMITTED && length == 0) {
		options->present |= OPTION_SACK_PERMITTED;
	} else if (kind == KIND_SACK && length && length % 8 == 0) {
		read_sack(&value, options);
	} else if (kind == KIND_TIMESTAMPS && length == 8) {
		options->tsval = cursor_u32(&value);
		options->tsecr = cursor_u32(&value);
		options->present |= OPTION_TIMESTAMPS;
	} else if (kind == KIND_MPTCP) {
		options->present |= OPTION_MPTCP;
	} else if (kind == KIND_FAST_OPEN ||
		(kind == KIND_EXPERIMENT && length >= 2 &&
			cursor_u16(&value) == FAST_OPEN_MAGIC)) {
		options->present |= OPTION_FAST_OPEN;
	} else {
		options->present |= OPTION_OTHER;
	}
}

static void read_options(struct cursor cursor, struct tcp_options *options)
{
	while (cursor.wire) {
		uint8_t kind = cursor_u8(&cursor);

		if (kind == KIND_END && !cursor.cut)
			break;
		if (kind == KIND_NOTHING)
			continue;
		uint8_t length = cursor_u8(&cursor);
		if (!cursor.cut && length < 2)
			cursor.cut = CUT_INVALID;
		uint64_t value_bytes = length - 2u;
		const uint8_t *value =
			cursor.cut ? NULL : cursor_bytes(&cursor, value_bytes);
		if (!value)
			break;
		read_option(kind, cursor_of(value, value_bytes, value_bytes),
			options);
	}
	if (cursor.cut)
		options->state = cursor.cut == CUT_TRUNCATED ?
			OPTIONS_TRUNCATED :
			OPTIONS_INVALID;
}

/* The common case of only timestamps, with the layout that RFC 7323
 * recommends. */
static bool only_timestamps(const struct cursor *cursor,
	struct tcp_options *options)
{
	const uint8_t *at = cursor->at;

	if (cursor->wire != 12 || cursor->captured != 12 || at[0] != 1 ||
		at[1] != 1 || at[2] != KIND_TIMESTAMPS || at[3] != 10)
		return false;
	struct cursor value = cursor_of(at + 4, 8, 8);
	options->tsval = cursor_u32(&value);
	options->tsecr = cursor_u32(&value);
	options->present = OPTION_TIMESTAMPS;
	return true;
}

void decode_tcp(struct cursor *cursor, struct packet *packet)
{
	uint64_t whole = cursor->wire;

	packet->from.port = cursor_u16(cursor);
	packet->to.port = cursor_u16(cursor);
	packet->seq = cursor_u32(cursor);
	packet->ack = cursor_u32(cursor);
	uint16_t offset_flags = cursor_u16(cursor);
	unsigned header_bytes = (offset_flags >> 12) * 4;
	/* A first fragment may end in the options. */
	bool ends = header_bytes > whole && packet->ip_fragment;
	if (!cursor->cut &&
		(header_bytes < 20 || (header_bytes > whole && !ends)))
		cursor->cut = CUT_INVALID;
	if (cursor->cut) {
		decode_failed(cursor, packet);
		/* A first fragment may also end before. */
		if (cursor->cut == CUT_INVALID && packet->ip_fragment)
			packet->class = PACKET_FRAGMENT;
		return;
	}
	/* 14 bytes suffice to identify the segment; window and options may be
	 * beyond the captured length. */
	packet->class = PACKET_TCP;
	packet->flags = offset_flags & 0x1ff;
	packet->header_bytes = (uint8_t)header_bytes;
	packet->payload_bytes = ends ? 0 : whole - header_bytes;
	packet->window = cursor_u16(cursor);
	packet->window_known = !cursor->cut;
	cursor_skip(cursor, 4); /* checksum, urgent */
	if (cursor->cut) {
		packet->options.state = OPTIONS_TRUNCATED;
		return;
	}
	unsigned options_bytes = header_bytes - 20;
	struct cursor options = *cursor;
	if (!ends)
		cursor_limit(&options, options_bytes);
	if (!only_timestamps(&options, &packet->options))
		read_options(options, &packet->options);
	if (ends)
		packet->options.state = OPTIONS_TRUNCATED;
	if (cursor->captured > options_bytes) {
		cursor_move(cursor, options_bytes);
		packet->payload = cursor->at;
		packet->payload_captured = cursor->captured;
	}
}
