/*
 * One fresh connection that carries bytes to the far end, watched from the
 * socket: the sender's TCP_INFO is sampled while it lasts.
 *
 * The far end takes connections one after the other (upload_serve(), the body
 * of an experiment's peer()), reads each to its end and then says so. The near
 * end is ready to send at once and never waits for itself: what limits the
 * connection is TCP, not the application. Nothing else is on the connection,
 * no cookie either: its first bytes are its first segments.
 *
 * Frame: DONE (far) u64 bytes read.
 */
#ifndef BENCHTOP_UPLOAD_H
#define BENCHTOP_UPLOAD_H

#include "far.h"
#include "tcp.h"

struct upload {
	uint64_t bytes;
	const char *congestion; /* "default": the usual one */
	/* Called with each sample: one each millisecond at most. */
	void (*sample)(void *context, int64_t t_ns, const struct tcp_report *);
	void *context;

	/* Out. Times are of CLOCK_REALTIME. */
	uint16_t port;          /* of the near end */
	char used[16];          /* congestion control */
	int64_t begin_ns;       /* before connect() */
	struct tcp_report last; /* before close() */
	uint64_t took_ns;       /* of it all, until DONE */
};

/* Connects, sends, waits until all is acknowledged and the far end has read it,
 * closes. 0, or -1 after a word of the probe. */
int upload_run(struct upload *, struct far *, struct probe *);
/* The far end, from before peer_ready() to the end of the session. PARAM_AUTO:
 * a receive buffer as the kernel has it. */
int upload_serve(struct peer *, int64_t receive_buffer_bytes);

#endif
