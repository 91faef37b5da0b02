/* Sets of byte ranges. */
#include "ranges.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

bool store_grow(struct store *store, void **array, uint32_t *room,
	uint32_t count, size_t element_bytes, uint32_t most)
{
	if (count < *room)
		return true;
	uint32_t wanted = *room ? *room * 2 : 8;
	if (wanted > most)
		wanted = most;
	size_t more_bytes = (wanted - *room) * element_bytes;
	if (wanted <= count || more_bytes > store->left_bytes)
		return false;
	store->left_bytes -= more_bytes;
	*array = xrealloc(*array, wanted, element_bytes);
	*room = wanted;
	return true;
}

void store_free(struct store *store, void **array, uint32_t *room,
	size_t element_bytes)
{
	if (!*array)
		return;
	store->left_bytes += *room * element_bytes;
	free(*array);
	*array = NULL;
	*room = 0;
}

void ranges_release(struct ranges *ranges, struct store *store)
{
	void *array = ranges->at;

	store_free(store, &array, &ranges->room, sizeof *ranges->at);
	*ranges = (struct ranges){ 0 };
}

uint32_t ranges_find(const struct ranges *ranges, uint64_t position)
{
	uint32_t low = 0, high = ranges->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ranges_at(ranges, middle)->to > position)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static uint64_t common(const struct byte_range *range, uint64_t from,
	uint64_t to)
{
	uint64_t low = range->from > from ? range->from : from;
	uint64_t high = range->to < to ? range->to : to;

	return high > low ? high - low : 0;
}

uint64_t ranges_overlap(const struct ranges *ranges, uint64_t from, uint64_t to)
{
	uint64_t bytes = 0;

	for (uint32_t i = ranges_find(ranges, from);
		i < ranges->count && ranges_at(ranges, i)->from < to; i++)
		bytes += common(ranges_at(ranges, i), from, to);
	return bytes;
}

/* Makes room at index i. The space of removed ranges at the front is used
 * first. */
static bool open_at(struct ranges *ranges, struct store *store, uint32_t i)
{
	void *array = ranges->at;

	if (ranges->head + ranges->count == ranges->room && ranges->head) {
		memmove(ranges->at, ranges->at + ranges->head,
			ranges->count * sizeof *ranges->at);
		ranges->head = 0;
	}
	if (!store_grow(store, &array, &ranges->room,
		    ranges->head + ranges->count, sizeof *ranges->at,
		    RANGES_MAX))
		return false;
	ranges->at = array;
	struct byte_range *place = ranges_at(ranges, i);
	memmove(place + 1, place, (ranges->count - i) * sizeof *place);
	ranges->count++;
	return true;
}

static void close_at(struct ranges *ranges, uint32_t i, uint32_t n)
{
	struct byte_range *place = ranges_at(ranges, i);

	if (i == 0)
		ranges->head += n;
	else
		memmove(place, place + n,
			(ranges->count - i - n) * sizeof *place);
	ranges->count -= n;
	if (!ranges->count)
		ranges->head = 0;
}

bool ranges_insert(struct ranges *ranges, struct store *store,
	const struct byte_range *range)
{
	uint32_t i = ranges_find(ranges, range->from);

	if (range->from >= range->to || !open_at(ranges, store, i))
		return false;
	*ranges_at(ranges, i) = *range;
	return true;
}

uint64_t ranges_unite(struct ranges *ranges, struct store *store,
	const struct byte_range *range)
{
	uint64_t from = range->from, to = range->to;

	if (from >= to)
		return 0;
	/* The first range that touches it: its end is at `from` or later. */
	uint32_t i = ranges_find(ranges, from ? from - 1 : 0);
	uint32_t end = i;
	uint64_t old = 0;
	while (end < ranges->count && ranges_at(ranges, end)->from <= to)
		old += common(ranges_at(ranges, end++), from, to);
	if (i == end)
		return ranges_insert(ranges, store, range) ? to - from : 0;
	struct byte_range *whole = ranges_at(ranges, i);
	uint64_t last = ranges_at(ranges, end - 1)->to;
	if (whole->from > from)
		whole->from = from;
	whole->to = last > to ? last : to;
	if (end - i > 1)
		close_at(ranges, i + 1, end - i - 1);
	return to - from - old;
}

uint64_t ranges_remove(struct ranges *ranges, struct store *store,
	uint64_t from, uint64_t to)
{
	uint32_t i = ranges_find(ranges, from);
	uint64_t bytes = 0;

	while (i < ranges->count && ranges_at(ranges, i)->from < to) {
		struct byte_range *range = ranges_at(ranges, i);
		struct byte_range rest = *range;

		bytes += common(range, from, to);
		if (range->from < from && range->to > to) {
			rest.from = to;
			/* Without room, the rest is dropped. */
			range->to = from;
			ranges_insert(ranges, store, &rest);
			break;
		}
		if (range->from < from) {
			range->to = from;
			i++;
		} else if (range->to > to) {
			range->from = to;
			break;
		} else {
			close_at(ranges, i, 1);
		}
	}
	return bytes;
}

void ranges_drop(struct ranges *ranges, uint32_t i)
{
	close_at(ranges, i, 1);
}

uint64_t ranges_prune(struct ranges *ranges, uint64_t below, uint64_t *ended)
{
	uint64_t bytes = 0;

	while (ranges->count) {
		struct byte_range *first = ranges_at(ranges, 0);

		if (first->from >= below)
			break;
		if (first->to > below) {
			bytes += below - first->from;
			first->from = below;
			break;
		}
		bytes += first->to - first->from;
		close_at(ranges, 0, 1);
		if (ended)
			(*ended)++;
	}
	return bytes;
}
