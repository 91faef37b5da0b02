/* Arenas: buffers that live as long as their worker. */
#include "arena.h"

#include "available.h"
#include "probe.h"

enum { LEAST_BYTES = 4 << 20, TWICE_BYTES = 64 << 20 };

static struct arena arenas[PAGES_KINDS][2]; /* [pages][low] */

/* Reserves address space for all available memory, as far as it is not limited,
 * so that the buffer can grow. A low buffer cannot grow far and is opened again
 * instead. */
static int open_arena(struct arena *arena, const struct buffer_wish *wish,
	struct probe *probe, struct error *error)
{
	struct buffer_wish growing = *wish;
	uint64_t room = memory_available("");

	if (arena->buffer.start && !wish->low &&
		wish->size_bytes <= arena->buffer.reserved_bytes)
		return buffer_extend(&arena->buffer, wish->size_bytes,
			wish->seed, probe, error);
	buffer_close(&arena->buffer);
	if (!wish->low && room != UINT64_MAX)
		growing.reserve_bytes = room;
	return buffer_open(&arena->buffer, &growing, probe, error);
}

int arena_check(struct probe *probe, uint64_t size_bytes, enum pages pages)
{
	struct error error;

	if (pages == PAGES_HUGE ||
		!buffer_check(&arenas[pages][false].buffer, size_bytes, &error))
		return 0;
	return probe_unavailable(probe, "%s", error.message);
}

const struct arena *arena_take(struct probe *probe, uint64_t size_bytes,
	enum pages pages, bool low, char **base)
{
	struct arena *arena = &arenas[pages][low];
	struct error error;
	struct buffer_wish wish = {
		.size_bytes = size_bytes,
		.pages = pages,
		.seed = probe_random(probe) | 1,
		.low = low,
	};

	/* Reserved pages are few, and their cache colours are fixed. */
	if (pages != PAGES_HUGE && size_bytes <= TWICE_BYTES &&
		!buffer_check(&arena->buffer, 2 * size_bytes, &error))
		wish.size_bytes = 2 * size_bytes;
	if (pages != PAGES_HUGE && wish.size_bytes < LEAST_BYTES)
		wish.size_bytes = LEAST_BYTES;
	if (arena->buffer.size_bytes < wish.size_bytes &&
		open_arena(arena, &wish, probe, &error)) {
		/* The extra size is optional. */
		wish.size_bytes = size_bytes;
		if (arena->buffer.size_bytes < size_bytes &&
			open_arena(arena, &wish, probe, &error)) {
			probe_unavailable(probe, "%s", error.message);
			return NULL;
		}
	}
	uint64_t page =
		pages == PAGES_4K ? arena->buffer.page_bytes : HUGE_BYTES;
	uint64_t places = (arena->buffer.size_bytes - size_bytes) / page + 1;
	*base = arena->buffer.start + page * probe_random_below(probe, places);
	return arena;
}
