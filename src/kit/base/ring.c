/* A ring of bytes in shared memory. */
#include "ring.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "party.h"

/* Processors fetch pairs of lines together. */
enum { APART_BYTES = 128 };

/* One end: how many bytes it has written or read, modulo 2^32. The other end
 * sleeps on the count. */
struct end {
	_Alignas(APART_BYTES) uint32_t count;
	uint32_t awaited; /* the other end sleeps, or is about to */
};

struct ring {
	struct end written, taken;
	uint32_t capacity_bytes; /* a power of two */
	_Alignas(APART_BYTES) unsigned char bytes[];
};

struct ring *ring_new(size_t capacity_bytes)
{
	uint32_t capacity = 64;

	while (capacity < capacity_bytes)
		capacity *= 2;
	struct ring *ring = party_memory(sizeof *ring + capacity);
	if (ring)
		ring->capacity_bytes = capacity;
	return ring;
}

void ring_free(struct ring *ring)
{
	if (ring)
		party_memory_free(ring, sizeof *ring + ring->capacity_bytes);
}

size_t ring_capacity(const struct ring *ring)
{
	return ring->capacity_bytes;
}

size_t ring_filled(const struct ring *ring)
{
	return __atomic_load_n(&ring->written.count, __ATOMIC_ACQUIRE) -
		__atomic_load_n(&ring->taken.count, __ATOMIC_ACQUIRE);
}

static void advance(struct end *end, uint32_t bytes)
{
	/* Sequentially consistent, as in await(): either this end finds that it
	 * is awaited, or the other end finds the new count. */
	__atomic_store_n(&end->count, end->count + bytes, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&end->awaited, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&end->awaited, 0, __ATOMIC_RELAXED);
		syscall(SYS_futex, &end->count, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

/* Sleeps until the count is no longer `seen`. The kernel compares it again
 * before the sleep. */
static uint32_t await(struct end *end, uint32_t seen)
{
	uint32_t count;

	while ((count = __atomic_load_n(&end->count, __ATOMIC_ACQUIRE)) ==
		seen) {
		__atomic_store_n(&end->awaited, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, &end->count, FUTEX_WAIT, seen, NULL, NULL,
			0);
	}
	return count;
}

/* The bytes from `at` on that may be copied at once. */
static uint32_t part_of(const struct ring *ring, uint32_t at, uint32_t ready,
	size_t wanted)
{
	uint32_t part = ring->capacity_bytes - at;

	part = ready < part ? ready : part;
	return wanted < part ? (uint32_t)wanted : part;
}

void ring_write(struct ring *ring, const void *from, size_t size_bytes)
{
	const unsigned char *bytes = from;

	for (size_t done = 0; done < size_bytes;) {
		uint32_t begin = ring->written.count;
		uint32_t full = begin - ring->capacity_bytes;
		uint32_t room = await(&ring->taken, full) - full;
		uint32_t at = begin & (ring->capacity_bytes - 1);
		uint32_t part = part_of(ring, at, room, size_bytes - done);

		memcpy(ring->bytes + at, bytes + done, part);
		advance(&ring->written, part);
		done += part;
	}
}

size_t ring_read(struct ring *ring, void *into, size_t most_bytes)
{
	uint32_t begin = ring->taken.count;
	uint32_t ready = await(&ring->written, begin) - begin;
	uint32_t at = begin & (ring->capacity_bytes - 1);
	uint32_t part = part_of(ring, at, ready, most_bytes);

	memcpy(into, ring->bytes + at, part);
	advance(&ring->taken, part);
	return part;
}
