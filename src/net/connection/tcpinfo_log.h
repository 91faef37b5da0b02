/*
 * Reports of the sender's kernel about its connections (TCP_INFO), and the
 * properties of their paths. They give the congestion window in addition to the
 * packets, on the same clock.
 *
 * Packets do not contain the congestion window, so the experiment that creates
 * a connection samples its socket. The log contains samples of several
 * connections, in the order of sampling. The connection in a capture is found
 * by time and by the port of the sampled end. The arrays are outside the heap
 * and are not copied into forked workers.
 */
#ifndef BENCHTOP_TCPINFO_LOG_H
#define BENCHTOP_TCPINFO_LOG_H

#include "connection.h"
#include "memory.h"

/* One per connection. */
struct tcpinfo_path {
	int64_t t_ns;        /* when it was requested, CLOCK_REALTIME */
	int64_t rate_bit_s;  /* of the path; 0: unknown */
	int64_t rtt_ns;      /* of the path without queues; 0: unknown */
	int64_t queue_bytes; /* capacity of its queue; 0: unknown */
	char congestion[16]; /* congestion control in use; "": unknown */
	uint16_t port;       /* of the sampled end */
};

struct tcpinfo_sample {
	int64_t t_ns;            /* CLOCK_REALTIME */
	int64_t window_bytes;    /* the congestion window */
	int64_t threshold_bytes; /* of slow start; 0: not set so far */
	int64_t in_flight_bytes; /* as the kernel counts it */
	int64_t rtt_ns;          /* smoothed */
	uint32_t resent;         /* retransmitted segments so far */
	uint16_t port;           /* of the sampled end */
};

/* About 6 MB. */
enum { TCPINFO_PATHS_MAX = 1 << 14, TCPINFO_SAMPLES_MAX = 1 << 17 };

struct tcpinfo_log {
	struct column paths;   /* struct tcpinfo_path */
	struct column samples; /* struct tcpinfo_sample */
	uint64_t left_out;     /* records that did not fit */
};

void tcpinfo_init(struct tcpinfo_log *);
void tcpinfo_release(struct tcpinfo_log *);
void tcpinfo_add_path(struct tcpinfo_log *, const struct tcpinfo_path *);
void tcpinfo_add_sample(struct tcpinfo_log *, const struct tcpinfo_sample *);

/* The path of a connection, or NULL. */
const struct tcpinfo_path *tcpinfo_path_of(const struct tcpinfo_log *,
	const struct connection *);
/* True if its congestion control uses pacing (bbr). */
bool tcpinfo_is_paced(const struct tcpinfo_log *, const struct connection *);
/* Returns the first sample of a connection at index *i or later, and sets *i to
 * the index after it. NULL: no more samples. */
const struct tcpinfo_sample *tcpinfo_next(const struct tcpinfo_log *,
	const struct connection *, size_t *i);

#endif
