/* One direction of the link in virtual time. */
#include "relay_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	SLACK_BYTES = 1 << 20,
	ALIGNMENT = 8,
	ROOM_BYTES = sizeof(struct relay_packet) + LINK_MTU + ALIGNMENT,
	HELD_LEAST_NS = 1000000,
	/* The smallest packet is a header of 20 bytes, and takes 48. */
	LARGEST_OVERHEAD = 3,
};

/* ---- the line --------------------------------------------------------- */

static struct relay_packet *packet_at(const struct relay_path *path,
	size_t offset)
{
	return (struct relay_packet *)(path->line + offset);
}

static size_t behind(const struct relay_path *path, size_t offset)
{
	size_t next = offset + packet_at(path, offset)->size;

	return path->wrapped && next == path->end ? 0 : next;
}

/* Makes room for the largest packet at tail; false if the line is full. */
static bool make_room(struct relay_path *path)
{
	if (path->wrapped)
		return path->head - path->tail > ROOM_BYTES;
	if (path->capacity - path->tail >= ROOM_BYTES)
		return true;
	if (path->head <= ROOM_BYTES)
		return false;
	path->end = path->tail;
	path->tail = 0;
	path->wrapped = true;
	if (!path->waiting_count)
		path->waiting = 0;
	return true;
}

static struct relay_packet *append(struct relay_path *path, size_t length)
{
	struct relay_packet *packet = packet_at(path, path->tail);
	size_t size = sizeof *packet + length + ALIGNMENT - 1;

	size -= size % ALIGNMENT;
	packet->size = (uint32_t)size;
	packet->length = (uint16_t)length;
	path->tail += size;
	path->count++;
	return packet;
}

static void drop_first(struct relay_path *path)
{
	size_t next = path->head + packet_at(path, path->head)->size;

	path->head = next;
	if (path->wrapped && next == path->end) {
		path->head = 0;
		path->wrapped = false;
	}
	/* An empty line restarts at its beginning, so that little memory is
	 * touched. */
	if (--path->count == 0) {
		path->head = path->tail = path->waiting = 0;
		path->wrapped = false;
	}
}

/* ---- life ------------------------------------------------------------- */

static size_t bytes_under_way(const struct link_settings *settings)
{
	double delay_s = (double)settings->rtt_ns / 2e9;
	double path = (double)settings->rate_bit_s / 8 * delay_s;
	int64_t packets = settings->queue / UNIT_QUEUE_PACKETS;
	double queue =
		packets ? (double)packets * LINK_MTU : (double)settings->queue;

	return (size_t)(path + queue);
}

int relay_path_init(struct relay_path *path,
	const struct link_settings *settings, enum link_side from,
	struct link_counters *counters)
{
	size_t capacity =
		bytes_under_way(settings) * LARGEST_OVERHEAD + SLACK_BYTES;

	relay_path_free(path);
	void *line = mmap(NULL, capacity, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (line == MAP_FAILED)
		return -errno;
	*path = (struct relay_path){
		.settings = *settings,
		.from = from,
		.counters = counters,
		.loss_key = relay_key(settings->seed, from, RELAY_LOSS),
		.reorder_key = relay_key(settings->seed, from, RELAY_REORDER),
		.line = line,
		.capacity = capacity,
		.held = calloc(RELAY_HELD_MAX, sizeof *path->held),
	};
	if (!path->held) {
		relay_path_free(path);
		return -ENOMEM;
	}
	*counters = (struct link_counters){ 0 };
	return 0;
}

void relay_path_free(struct relay_path *path)
{
	if (path->line)
		munmap(path->line, path->capacity);
	free(path->held);
	*path = (struct relay_path){ 0 };
}

/* ---- arriving --------------------------------------------------------- */

void *relay_path_room(struct relay_path *path)
{
	/* The capacity suffices for every packet. If it did not, the packet
	 * would still be read, and dropped by relay_path_arrive(). */
	if (!make_room(path))
		return path->taken;
	return packet_at(path, path->tail) + 1;
}

static bool is_carried(const unsigned char *bytes, size_t length)
{
	if (length >= 20 && bytes[0] >> 4 == 4)
		return bytes[16] < 224;
	return length >= 40 && bytes[0] >> 4 == 6 && bytes[24] != 0xff;
}

static bool is_lost(struct relay_path *path, uint64_t index)
{
	const struct link_settings *settings = &path->settings;
	const uint64_t *drop = settings->drop[path->from];

	if (path->next_drop < settings->drops[path->from] &&
		drop[path->next_drop] == index) {
		path->next_drop++;
		return true;
	}
	return relay_draw(path->loss_key, index, settings->loss);
}

static void count_lost(struct link_counters *counters, uint64_t index)
{
	if (counters->lost < LINK_DROPS_MAX)
		counters->lost_index[counters->lost] = index;
	counters->lost++;
}

/* Packets whose sending has begun no longer wait. */
static void advance(struct relay_path *path, int64_t now_ns)
{
	while (path->waiting_count) {
		struct relay_packet *packet = packet_at(path, path->waiting);

		if (packet->start_ns > now_ns)
			return;
		path->waiting_bytes -= packet->length;
		path->waiting_count--;
		path->waiting = behind(path, path->waiting);
	}
}

static bool is_full(const struct relay_path *path, size_t length)
{
	int64_t packets = path->settings.queue / UNIT_QUEUE_PACKETS;

	if (packets)
		return path->waiting_count >= (uint64_t)packets;
	return path->waiting_bytes + length > (uint64_t)path->settings.queue;
}

static void count_waiting(struct relay_path *path, size_t length)
{
	struct link_counters *counters = path->counters;

	path->waiting_count++;
	path->waiting_bytes += length;
	if (path->waiting_count > counters->queue_peak)
		counters->queue_peak = path->waiting_count;
	if (path->waiting_bytes > counters->queue_peak_bytes)
		counters->queue_peak_bytes = path->waiting_bytes;
}

/* Duration of sending. The fraction of a nanosecond is added to the next
 * packet. */
static int64_t sending_ns(struct relay_path *path, size_t length)
{
	uint64_t rate = (uint64_t)path->settings.rate_bit_s;
	uint64_t bits = length * 8 * UINT64_C(1000000000) + path->carry;

	path->carry = bits % rate;
	return (int64_t)(bits / rate);
}

static void send_packet(struct relay_path *path, size_t length, int64_t now_ns,
	uint64_t index)
{
	bool waits = path->free_ns > now_ns;
	size_t place = path->tail;
	struct relay_packet *packet = append(path, length);

	packet->reorder =
		relay_draw(path->reorder_key, index, path->settings.reorder);
	packet->start_ns = waits ? path->free_ns : now_ns;
	int64_t took_ns = sending_ns(path, length);
	path->free_ns = packet->start_ns + took_ns;
	path->counters->busy_ns += (uint64_t)took_ns;
	packet->due_ns = path->free_ns + path->settings.rtt_ns / 2;
	if (!waits)
		return;
	if (!path->waiting_count)
		path->waiting = place;
	count_waiting(path, length);
}

void relay_path_arrive(struct relay_path *path, size_t length, int64_t now_ns)
{
	struct link_counters *counters = path->counters;
	const unsigned char *bytes = relay_path_room(path);

	if (length > LINK_MTU || !is_carried(bytes, length)) {
		counters->ignored++;
		return;
	}
	uint64_t index = path->index++;
	counters->packets++;
	counters->bytes += length;
	if (is_lost(path, index)) {
		count_lost(counters, index);
		return;
	}
	advance(path, now_ns);
	bool full = path->free_ns > now_ns && is_full(path, length);
	if (full || bytes == path->taken)
		counters->refused++;
	else
		send_packet(path, length, now_ns, index);
}

/* ---- leaving ---------------------------------------------------------- */

static const void *deliver(struct relay_path *path, const void *bytes,
	size_t length, size_t *out)
{
	memcpy(path->taken, bytes, length);
	path->counters->delivered++;
	path->counters->delivered_bytes += length;
	*out = length;
	return path->taken;
}

static void hold(struct relay_path *path, const struct relay_packet *packet)
{
	struct relay_held *held = &path->held[path->held_count++];

	int64_t most_ns = path->settings.rtt_ns / 4;

	if (most_ns < HELD_LEAST_NS)
		most_ns = HELD_LEAST_NS;
	held->latest_ns = packet->due_ns + most_ns;
	held->left = RELAY_OVERTAKEN_BY;
	held->length = packet->length;
	memcpy(held->bytes, packet + 1, packet->length);
}

static const void *deliver_held(struct relay_path *path, unsigned i,
	size_t *length)
{
	struct relay_held *held = &path->held[i];
	const void *taken = deliver(path, held->bytes, held->length, length);

	path->counters->reordered += held->left < RELAY_OVERTAKEN_BY;
	path->held_count--;
	memmove(held, held + 1, (path->held_count - i) * sizeof *held);
	return taken;
}

static const void *deliver_first(struct relay_path *path, int64_t now_ns,
	size_t *length)
{
	const struct relay_packet *packet = packet_at(path, path->head);
	struct link_counters *counters = path->counters;
	uint64_t late_ns = (uint64_t)(now_ns - packet->due_ns);
	const void *taken = deliver(path, packet + 1, packet->length, length);

	counters->late_ns += late_ns;
	if (late_ns > counters->late_peak_ns)
		counters->late_peak_ns = late_ns;
	for (unsigned i = 0; i < path->held_count; i++)
		if (path->held[i].left)
			path->held[i].left--;
	drop_first(path);
	return taken;
}

/* The held packet to be delivered now; held_count if none. Decided by the times
 * at which packets were due, not by the time of this call. */
static unsigned ripe(const struct relay_path *path, int64_t now_ns)
{
	int64_t first_ns = INT64_MAX;
	unsigned i = 0;

	if (path->count)
		first_ns = packet_at(path, path->head)->due_ns;
	for (; i < path->held_count; i++) {
		int64_t latest_ns = path->held[i].latest_ns;

		if (!path->held[i].left ||
			(latest_ns <= now_ns && latest_ns < first_ns))
			break;
	}
	return i;
}

const void *relay_path_take(struct relay_path *path, int64_t now_ns,
	size_t *length)
{
	advance(path, now_ns);
	for (;;) {
		unsigned i = ripe(path, now_ns);

		if (i < path->held_count)
			return deliver_held(path, i, length);
		if (!path->count)
			return NULL;
		const struct relay_packet *first = packet_at(path, path->head);
		if (first->due_ns > now_ns)
			return NULL;
		if (!first->reorder || path->held_count == RELAY_HELD_MAX)
			return deliver_first(path, now_ns, length);
		hold(path, first);
		drop_first(path);
	}
}

int64_t relay_path_due(const struct relay_path *path)
{
	int64_t due_ns = INT64_MAX;

	if (path->count)
		due_ns = packet_at(path, path->head)->due_ns;
	for (unsigned i = 0; i < path->held_count; i++) {
		int64_t latest_ns = path->held[i].latest_ns;

		if (!path->held[i].left)
			return INT64_MIN;
		if (latest_ns < due_ns)
			due_ns = latest_ns;
	}
	return due_ns;
}
