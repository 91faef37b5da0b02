/*
 * What the kernel of the sender said of its connections while they lasted
 * (TCP_INFO), and what is known of their paths: the congestion window beside
 * the packets, on one clock.
 *
 * Packets never say what the window is; whoever makes a connection samples its
 * socket. The log has samples of several connections, in the order in which
 * they were taken; a connection of a capture is found by the port of the end
 * that was asked and by time. Its arrays lie outside the heap: workers that are
 * forked do not copy them.
 */
#ifndef BENCHTOP_TCPINFO_LOG_H
#define BENCHTOP_TCPINFO_LOG_H

#include "connection.h"
#include "memory.h"

/* Of a connection, once. */
struct tcpinfo_path {
	int64_t t_ns;        /* it was asked for, CLOCK_REALTIME */
	int64_t rate_bit_s;  /* of the path; 0: not known */
	int64_t rtt_ns;      /* of the path without queues; 0: not known */
	int64_t queue_bytes; /* that may wait on it; 0: not known */
	char congestion[16]; /* the control that is used; "": not known */
	uint16_t port;       /* of the end that was asked */
};

struct tcpinfo_sample {
	int64_t t_ns;            /* CLOCK_REALTIME */
	int64_t window_bytes;    /* the congestion window */
	int64_t threshold_bytes; /* of slow start; 0: none so far */
	int64_t in_flight_bytes; /* as the kernel counts */
	int64_t rtt_ns;          /* smoothed */
	uint32_t resent;         /* segments, so far */
	uint16_t port;           /* of the end that was asked */
};

/* Some 6 MB. */
enum { TCPINFO_PATHS_MAX = 1 << 14, TCPINFO_SAMPLES_MAX = 1 << 17 };

struct tcpinfo_log {
	struct column paths;   /* struct tcpinfo_path */
	struct column samples; /* struct tcpinfo_sample */
	uint64_t left_out;     /* for want of room */
};

void tcpinfo_init(struct tcpinfo_log *);
void tcpinfo_release(struct tcpinfo_log *);
void tcpinfo_add_path(struct tcpinfo_log *, const struct tcpinfo_path *);
void tcpinfo_add_sample(struct tcpinfo_log *, const struct tcpinfo_sample *);

/* The path of a connection, or NULL. */
const struct tcpinfo_path *tcpinfo_path_of(const struct tcpinfo_log *,
	const struct connection *);
/* The first sample of a connection at `*i` or behind it; *i is then behind that
 * one. NULL: no more. */
const struct tcpinfo_sample *tcpinfo_next(const struct tcpinfo_log *,
	const struct connection *, size_t *i);

#endif
