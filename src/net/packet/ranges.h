/*
 * Sets of byte ranges of a stream, and the store their memory comes from.
 *
 * A set is sorted, its ranges do not overlap, and each remembers the packet
 * that made it: the hole in a stream knows which segment opened it. What an
 * annotator keeps beyond its fixed tables comes from one store of a fixed
 * size: no capture, however made, takes more. Where the store is empty or a
 * set is full, the call returns false and changes nothing; the caller counts
 * it.
 */
#ifndef BENCHTOP_RANGES_H
#define BENCHTOP_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
	size_t left_bytes;
};

/* Room for one more element in an array on the heap; it grows by doubling,
 * to `most` elements. */
bool store_grow(struct store *, void **array, uint32_t *room, uint32_t count,
	size_t element_bytes, uint32_t most);
/* Frees the array and gives its bytes back. */
void store_free(struct store *, void **array, uint32_t *room,
	size_t element_bytes);

struct byte_range {
	uint64_t from, to; /* positions; `to` is the first that is not in it */
	int64_t t_ns;      /* of the packet that made it */
	uint64_t number;
	uint32_t tsval;
	uint16_t ip_id; /* of IPv4; 0: none */
	uint16_t times; /* that it was sent again; 2: more than once */
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
/* The first range that ends after `position`: its index, or the count. */
uint32_t ranges_find(const struct ranges *, uint64_t position);
/* How many bytes of [from, to) are in the set. */
uint64_t ranges_overlap(const struct ranges *, uint64_t from, uint64_t to);
/* Adds a range that overlaps none. */
bool ranges_insert(struct ranges *, struct store *, const struct byte_range *);
/* Adds [from, to), one range with all it touches; returns the bytes that are
 * new, 0 also where there is no room. */
uint64_t ranges_unite(struct ranges *, struct store *,
	const struct byte_range *);
/* Takes [from, to) out; returns the bytes that were in the set. */
uint64_t ranges_remove(struct ranges *, struct store *, uint64_t from,
	uint64_t to);
/* Takes out what lies below; returns the bytes. `ended` (may be NULL) counts
 * ranges that are gone altogether. */
uint64_t ranges_prune(struct ranges *, uint64_t below, uint64_t *ended);
uint64_t ranges_bytes(const struct ranges *);

#endif
