/*
 * What the kernel of the sender said of its connections while they lasted
 * (TCP_INFO), and what is known of their paths: the congestion window beside
 * the packets, on one clock.
 *
 * Packets never say what the window is; whoever makes a connection samples its
 * socket. The trail has samples of several connections, in the order in which
 * they were taken; a connection of a capture is found by the port of the end
 * that was asked and by time. Its arrays lie outside the heap: workers that are
 * forked do not copy them.
 */
#ifndef BENCHTOP_TRAIL_H
#define BENCHTOP_TRAIL_H

#include "connection.h"
#include "memory.h"

/* Of a connection, once. */
struct trail_path {
	int64_t t_ns;        /* it was asked for, CLOCK_REALTIME */
	int64_t rate_bit_s;  /* of the path; 0: not known */
	int64_t rtt_ns;      /* of the path without queues; 0: not known */
	int64_t queue_bytes; /* that may wait on it; 0: not known */
	char congestion[16]; /* the control that is used; "": not known */
	uint16_t port;       /* of the end that was asked */
};

struct trail_sample {
	int64_t t_ns;            /* CLOCK_REALTIME */
	int64_t window_bytes;    /* the congestion window */
	int64_t threshold_bytes; /* of slow start; 0: none so far */
	int64_t in_flight_bytes; /* as the kernel counts */
	int64_t rtt_ns;          /* smoothed */
	uint32_t resent;         /* segments, so far */
	uint16_t port;           /* of the end that was asked */
};

/* Some 6 MB. */
enum { TRAIL_PATHS_MAX = 1 << 14, TRAIL_SAMPLES_MAX = 1 << 17 };

struct trail {
	struct column paths;   /* struct trail_path */
	struct column samples; /* struct trail_sample */
	uint64_t left_out;     /* for want of room */
};

void trail_init(struct trail *);
void trail_release(struct trail *);
void trail_add_path(struct trail *, const struct trail_path *);
void trail_add_sample(struct trail *, const struct trail_sample *);

/* The path of a connection, or NULL. */
const struct trail_path *trail_path_of(const struct trail *,
	const struct connection *);
/* The first sample of a connection at `*i` or behind it; *i is then behind that
 * one. NULL: no more. */
const struct trail_sample *trail_next(const struct trail *,
	const struct connection *, size_t *i);

#endif
