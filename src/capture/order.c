/* Holds packets back, sorted by time. */
#include "order.h"

#include <stdbool.h>
#include <string.h>

enum { HELD_MOST = 4096, WINDOW_NS = 2000000 };

struct held {
	struct capture_header header;
	int64_t key_ns; /* decides the order */
	uint8_t bytes[CAPTURE_BYTES_MOST];
};

static struct {
	struct held held[HELD_MOST];
	/* Places in `held`: a ring of all of them. The first `count` from
	 * `first` on are in use, the earliest packet first. */
	uint16_t ring[HELD_MOST];
	uint32_t first, count;
	bool begun;
	int64_t last_ns;    /* key of the predecessor in the file */
	int64_t newest_ns;  /* latest key since a clock was set back */
	int64_t written_ns; /* latest key written since then */
} order;

_Static_assert((HELD_MOST & (HELD_MOST - 1)) == 0, "a power of two");

static uint16_t *place(uint32_t i)
{
	return &order.ring[(order.first + i) % HELD_MOST];
}

static struct held *at(uint32_t i)
{
	return &order.held[*place(i)];
}

static void write_first(void)
{
	const struct held *held = at(0);

	order.written_ns = held->key_ns;
	output_put(&held->header, held->bytes);
	order.first = (order.first + 1) % HELD_MOST;
	order.count--;
}

void order_release(void)
{
	while (order.count)
		write_first();
}

static void begin(int64_t t_ns)
{
	for (uint32_t i = 0; i < HELD_MOST; i++)
		order.ring[i] = (uint16_t)i;
	order.last_ns = order.newest_ns = t_ns;
	order.begun = true;
}

/* Writes what precedes a packet at this time for certain, and makes room. */
static void advance(int64_t t_ns)
{
	if (order.newest_ns - t_ns > WINDOW_NS) {
		order_release();
		order.newest_ns = t_ns;
		order.written_ns = 0;
	} else if (t_ns > order.newest_ns) {
		order.newest_ns = t_ns;
	}
	while (order.count &&
		(order.count == HELD_MOST ||
			order.newest_ns - at(0)->key_ns > WINDOW_NS))
		write_first();
}

void order_packet(const struct captured *packet)
{
	struct capture_header header = output_header(packet);

	if (!order.begun)
		begin(header.t_ns);
	bool timed = !(header.stamp & CAPTURE_STAMP_INVALID);
	int64_t key_ns = timed ? header.t_ns : order.last_ns;
	advance(key_ns);
	if (key_ns < order.written_ns) /* it comes too late */
		key_ns = order.newest_ns;
	order.last_ns = key_ns;
	uint32_t i = order.count++;
	uint16_t free = *place(i);
	for (; i && at(i - 1)->key_ns > key_ns; i--)
		*place(i) = *place(i - 1);
	*place(i) = free;
	if (i + 1 < order.count)
		header.stamp |= CAPTURE_STAMP_SORTED;
	struct held *held = at(i);
	held->header = header;
	held->key_ns = key_ns;
	memcpy(held->bytes, packet->bytes, header.byte_count);
}
