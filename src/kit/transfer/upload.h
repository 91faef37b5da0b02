/*
 * One new connection that carries bytes to the far end, observed at the socket:
 * the sender's TCP_INFO is sampled during the transfer.
 *
 * The far end accepts connections one after the other (upload_serve(), for an
 * experiment's peer()), reads each to its end and then sends DONE. The near end
 * always has data to send, so the connection is limited by TCP, not by the
 * application. The connection carries nothing else, not even a cookie: the
 * first bytes are its first segments.
 *
 * Frame: DONE (far) u64 bytes read.
 */
#ifndef BENCHTOP_UPLOAD_H
#define BENCHTOP_UPLOAD_H

#include "far.h"
#include "tcp.h"

struct upload {
	uint64_t bytes;
	const char *congestion; /* "default": the system's default */
	/* Called with each sample, at most one per millisecond. */
	void (*sample)(void *context, int64_t t_ns, const struct tcp_report *);
	void *context;

	/* Results. Times are CLOCK_REALTIME. */
	uint16_t port;          /* of the near end */
	char used[16];          /* congestion control in use */
	int64_t begin_ns;       /* before connect() */
	struct tcp_report last; /* before close() */
	uint64_t took_ns;       /* of the whole transfer, until DONE */
};

/* Connects, sends, waits until all is acknowledged and the far end has read it,
 * then closes. Returns 0, or -1 after a report to the probe. */
int upload_run(struct upload *, struct far *, struct probe *);
/* The far end, from before peer_ready() to the end of the session. PARAM_AUTO:
 * the kernel adapts the receive buffer. */
int upload_serve(struct peer *, int64_t receive_buffer_bytes);

#endif
