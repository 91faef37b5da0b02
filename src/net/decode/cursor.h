/*
 * Reading untrusted bytes: every byte of a packet is read through a cursor with
 * two limits, the captured length and the length on the wire.
 *
 * The two limits give two different errors. Reading beyond the captured length
 * is CUT_TRUNCATED: the capture cut the packet, and the rest is unknown.
 * Reading beyond the length stated by the sender is CUT_INVALID: the packet is
 * malformed. The first error is kept, and every later read returns 0, so that a
 * decoder can check once at the end of a header. Integers are in network byte
 * order, or little-endian (cursor_le16(), cursor_le32()).
 */
#ifndef BENCHTOP_CURSOR_H
#define BENCHTOP_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cut { CUT_NONE, CUT_TRUNCATED, CUT_INVALID };

struct cursor {
	const uint8_t *at; /* the next byte; borrowed */
	uint64_t captured; /* bytes from here that can be read */
	uint64_t wire;     /* bytes from here that exist according to the
			    * sender */
	enum cut cut;
};

static inline struct cursor cursor_of(const uint8_t *bytes, uint64_t captured,
	uint64_t wire)
{
	return (struct cursor){
		.at = bytes,
		.captured = captured < wire ? captured : wire,
		.wire = wire,
	};
}

/* True if `count` bytes can be read; otherwise sets the error. */
static inline bool cursor_has(struct cursor *cursor, uint64_t count)
{
	if (cursor->cut)
		return false;
	if (count <= cursor->captured)
		return true;
	cursor->cut = count <= cursor->wire ? CUT_TRUNCATED : CUT_INVALID;
	return false;
}

static inline void cursor_move(struct cursor *cursor, uint64_t count)
{
	cursor->at += count;
	cursor->captured -= count;
	cursor->wire -= count;
}

/* Skips bytes that are not needed. If they are beyond the captured length,
 * nothing after them can be read. */
static inline void cursor_skip(struct cursor *cursor, uint64_t count)
{
	if (cursor_has(cursor, count))
		cursor_move(cursor, count);
}

static inline uint8_t cursor_u8(struct cursor *cursor)
{
	if (!cursor_has(cursor, 1))
		return 0;
	uint8_t value = cursor->at[0];
	cursor_move(cursor, 1);
	return value;
}

static inline uint16_t cursor_u16(struct cursor *cursor)
{
	if (!cursor_has(cursor, 2))
		return 0;
	uint16_t value = (uint16_t)(cursor->at[0] << 8 | cursor->at[1]);
	cursor_move(cursor, 2);
	return value;
}

static inline uint32_t cursor_u32(struct cursor *cursor)
{
	if (!cursor_has(cursor, 4))
		return 0;
	const uint8_t *at = cursor->at;
	cursor_move(cursor, 4);
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
		(uint32_t)at[2] << 8 | at[3];
}

static inline uint16_t cursor_le16(struct cursor *cursor)
{
	return __builtin_bswap16(cursor_u16(cursor));
}

static inline uint32_t cursor_le32(struct cursor *cursor)
{
	return __builtin_bswap32(cursor_u32(cursor));
}

/* A pointer to `count` bytes in place, or NULL. */
static inline const uint8_t *cursor_bytes(struct cursor *cursor, uint64_t count)
{
	if (!cursor_has(cursor, count))
		return NULL;
	const uint8_t *bytes = cursor->at;
	cursor_move(cursor, count);
	return bytes;
}

/* Limits the length on the wire, as stated in a header. This removes bytes that
 * the link added (Ethernet pads to 60 bytes). A length beyond the present limit
 * is invalid. */
static inline void cursor_limit(struct cursor *cursor, uint64_t wire)
{
	if (cursor->cut)
		return;
	if (wire > cursor->wire) {
		cursor->cut = CUT_INVALID;
		return;
	}
	cursor->wire = wire;
	if (cursor->captured > wire)
		cursor->captured = wire;
}

#endif
