/*
 * Reading foreign bytes: every byte of a packet is read through a cursor that
 * knows two ends, what was captured and what was on the wire.
 *
 * The two ends make two answers that must not be confused. Reading past what
 * was captured is CUT_TRUNCATED: the capture cut the packet, the sender is
 * blameless and nothing is known of the rest. Reading past what the sender
 * says is there is CUT_INVALID: the packet lies. The first failure stays;
 * every read after it returns 0, so that a decoder asks once at the end of a
 * header. Integers are in network byte order.
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
	uint64_t wire;     /* bytes from here that are said to exist */
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

/* Are there `count` bytes to read? Else says which end was met. */
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

/* Goes over bytes nobody reads; they may be beyond the capture's end, and then
 * nothing after them can be read either. */
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
	uint32_t high = cursor_u16(cursor);
	return high << 16 | cursor_u16(cursor);
}

/* `count` bytes where they lie, or NULL. */
static inline const uint8_t *cursor_bytes(struct cursor *cursor, uint64_t count)
{
	if (!cursor_has(cursor, count))
		return NULL;
	const uint8_t *bytes = cursor->at;
	cursor_move(cursor, count);
	return bytes;
}

/* The sender says that only `wire` bytes follow: what the link added behind
 * them (Ethernet pads to 60 bytes) is gone. More than there are is invalid. */
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
