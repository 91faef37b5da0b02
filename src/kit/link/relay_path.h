/*
 * One direction of the link in virtual time: loss, queue, rate, delay and
 * reordering of packets, without a clock, a device or a system call. link.h
 * describes the stages.
 *
 * The caller passes the time, in nanoseconds of one clock that never goes back.
 * When a packet arrives, its whole schedule is known. Its sending starts when
 * it has arrived and the previous packet has been sent, ends after its bits
 * divided by the rate, and it is due half a round trip later. So the state is
 * one line of packets in order of arrival: the first ones are in transit, the
 * last ones are waiting.
 *
 *     void *room = relay_path_room(&path);
 *     length = read(device, room, LINK_MTU);
 *     relay_path_arrive(&path, length, now_ns);
 *     ..
 *     while ((packet = relay_path_take(&path, now_ns, &length)))
 *             write(other, packet, length);
 *     sleep until relay_path_due(&path)
 *
 * Memory is reserved for the maximum that rate, delay and queue allow in
 * transit, but only touched as needed.
 */
#ifndef BENCHTOP_RELAY_PATH_H
#define BENCHTOP_RELAY_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link.h"
#include "relay_draw.h"

enum {
	RELAY_OVERTAKEN_BY = 3, /* packets that overtake a reordered one */
	RELAY_HELD_MAX = 64,
};

/* A packet in the line; its bytes follow. */
struct relay_packet {
	int64_t start_ns, due_ns;
	uint32_t size; /* in the line, including this header */
	uint16_t length;
	bool reorder;
};

/* A packet that was removed from the line, to be overtaken. */
struct relay_held {
	int64_t latest_ns;
	unsigned left; /* packets that must still overtake it */
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
	uint64_t carry;  /* rest of the sending time, in 1e-9 bits */

	/* The line: a ring of packets that are never split. */
	unsigned char *line;
	size_t capacity;
	size_t head, tail, end; /* `end`: the end of the last packet before the
				 * line's beginning, once tail has wrapped */
	bool wrapped;
	uint64_t count;
	/* The waiting packets: the last ones of the line. */
	size_t waiting;
	uint64_t waiting_count, waiting_bytes;

	struct relay_held *held; /* in order of removal from the line */
	unsigned held_count;
	unsigned char taken[LINK_MTU];
};

/* Restarts with these settings, which link_check() must accept, and sets the
 * counters to 0. Returns 0 or -errno (out of memory). A path of zeros owns
 * nothing. */
int relay_path_init(struct relay_path *, const struct link_settings *,
	enum link_side from, struct link_counters *);
void relay_path_free(struct relay_path *);

/* The place for the next packet: LINK_MTU bytes, never NULL. */
void *relay_path_room(struct relay_path *);
/* Reports that a packet of `length` bytes was put there. */
void relay_path_arrive(struct relay_path *, size_t length, int64_t now_ns);
/* The next packet that is due; NULL if none is. Valid until the next call. */
const void *relay_path_take(struct relay_path *, int64_t now_ns,
	size_t *length);
/* When the next packet is due; INT64_MAX if none is in transit. */
int64_t relay_path_due(const struct relay_path *);

#endif
