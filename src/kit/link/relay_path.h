/*
 * One direction of the link in virtual time: loss, queue, rate, delay and
 * reordering of packets, without a clock, a device or a system call. link.h
 * says what a packet meets.
 *
 * The caller says what time it is; times are nanoseconds of one clock and
 * never go back. When a packet arrives everything about its way is known: it
 * starts when it is there and the one before it has been sent, ends after its
 * bits over the rate, and is due half a round trip later. So the whole state
 * is one line of packets in order of arrival, of which the first are on their
 * way and the last are waiting.
 *
 *     void *room = relay_path_room(&path);
 *     length = read(device, room, LINK_MTU);
 *     relay_path_arrive(&path, length, now_ns);
 *     ..
 *     while ((packet = relay_path_take(&path, now_ns, &length)))
 *             write(other, packet, length);
 *     sleep until relay_path_due(&path)
 *
 * Memory is reserved for all that rate, delay and queue let be under way, and
 * touched only as far as it is used.
 */
#ifndef BENCHTOP_RELAY_PATH_H
#define BENCHTOP_RELAY_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link.h"
#include "relay_draw.h"

enum {
	RELAY_OVERTAKEN_BY = 3, /* packets, of one that is reordered */
	RELAY_HELD_MAX = 64,
};

/* A packet in the line; its bytes follow. */
struct relay_packet {
	int64_t start_ns, due_ns;
	uint32_t size; /* in the line, with this */
	uint16_t length;
	bool reorder;
};

/* A packet that was taken out of the line, to be overtaken. */
struct relay_held {
	int64_t latest_ns;
	unsigned left; /* that have yet to overtake it */
	uint16_t length;
	unsigned char bytes[LINK_MTU];
};

struct relay_path {
	struct link_settings settings;
	enum link_side from;
	struct link_counters *counters;
	uint64_t loss_key, reorder_key;
	uint64_t index; /* of the next packet */
	unsigned next_drop;

	int64_t free_ns; /* when the last packet will have been sent */
	uint64_t carry;  /* of its sending time, in 1e-9 bits */

	/* The line: a ring of packets that are never split. */
	unsigned char *line;
	size_t capacity;
	size_t head, tail, end; /* `end`: where the last one before the
				 * beginning ends, once tail has wrapped */
	bool wrapped;
	uint64_t count;
	/* Those of the line that wait: the last of it. */
	size_t waiting;
	uint64_t waiting_count, waiting_bytes;

	struct relay_held *held; /* in the order they were taken out */
	unsigned held_count;
	unsigned char taken[LINK_MTU];
};

/* Begins anew with these settings, which link_check() accepts, and sets the
 * counters to 0. 0 or -errno: no memory. A path of zeros owns nothing. */
int relay_path_init(struct relay_path *, const struct link_settings *,
	enum link_side from, struct link_counters *);
void relay_path_free(struct relay_path *);

/* Where the next packet may be put: LINK_MTU bytes. NULL never. */
void *relay_path_room(struct relay_path *);
/* It has been put there, and is `length` bytes long. */
void relay_path_arrive(struct relay_path *, size_t length, int64_t now_ns);
/* The next packet that is due, NULL: none is. Valid until the next call. */
const void *relay_path_take(struct relay_path *, int64_t now_ns,
	size_t *length);
/* When the next one will be; INT64_MAX: nothing is under way. */
int64_t relay_path_due(const struct relay_path *);

#endif
