/*
 * Sets of byte ranges of a stream, and the store that limits their memory.
 *
 * A set is sorted and its ranges do not overlap. Each range stores the packet
 * that created it, so that a hole in a stream has the segment that opened it.
 * Everything that an annotator keeps beyond its fixed tables is allocated from
 * one store of a fixed size, so no capture can use more. If the store or a set
 * is full, the call returns false without a change, and the caller counts it.
 */
#ifndef BENCHTOP_RANGES_H
#define BENCHTOP_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
	size_t left_bytes;
};

/* Makes room for one more element in a heap array, which grows by doubling, up
 * to `most` elements. */
bool store_grow(struct store *, void **array, uint32_t *room, uint32_t count,
	size_t element_bytes, uint32_t most);
/* Frees the array and returns its bytes to the store. */
void store_free(struct store *, void **array, uint32_t *room,
	size_t element_bytes);

/* The greater of two positions or numbers of bytes. */
static inline uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct byte_range {
	uint64_t from, to; /* positions; `to` is exclusive */
	int64_t t_ns;      /* of the packet that created it */
	uint64_t number;
	/* Of a range that was skipped: the time and timestamp of the packet
	 * that skipped it. */
	bool skipped;
	uint8_t why; /* in `unseen` of struct side: the kind of retransmission
		      * that could fill it when it was acknowledged */
	uint32_t tsval;
	bool echoed; /* in `unseen` of struct side: not skipped, and tsval is
		      * the echo of the acknowledgement */
	bool has_id;
	uint16_t id; /* its IPv4 identification, like its timestamp */
	int64_t skipped_ns;
	uint16_t times; /* 1: sent again; 2: several times. In `unseen` of
			 * struct side, 1: not counted as a gap of its own */
};

enum { RANGES_MAX = 4096 };

struct ranges {
	struct byte_range *at;
	uint32_t head, count, room; /* at[head] .. at[head + count - 1] */
};

void ranges_release(struct ranges *, struct store *);
/* The i-th range, from 0. */
static inline struct byte_range *ranges_at(const struct ranges *ranges,
	uint32_t i)
{
	return &ranges->at[ranges->head + i];
}
/* The index of the first range that ends after `position`, or the count. */
uint32_t ranges_find(const struct ranges *, uint64_t position);
/* The number of bytes of [from, to) in the set. */
uint64_t ranges_overlap(const struct ranges *, uint64_t from, uint64_t to);
/* Adds a range that must not overlap another. */
bool ranges_insert(struct ranges *, struct store *, const struct byte_range *);
/* Adds [from, to), merged with all ranges it touches. Returns the number of new
 * bytes; 0 also without room. */
uint64_t ranges_unite(struct ranges *, struct store *,
	const struct byte_range *);
/* Removes [from, to). Returns the number of bytes removed. */
uint64_t ranges_remove(struct ranges *, struct store *, uint64_t from,
	uint64_t to);
/* Removes the i-th range. */
void ranges_drop(struct ranges *, uint32_t i);
/* Removes everything below. Returns the number of bytes removed. `ended` (may
 * be NULL) is increased by the number of ranges that disappear. */
uint64_t ranges_prune(struct ranges *, uint64_t below, uint64_t *ended);

#endif
