/*
 * Bulk transfers between the two ends of a session: when a transfer begins,
 * which end accepts and which connects, and what each end reports afterwards.
 *
 * A number of bytes, or all bytes within a duration, move in one direction. The
 * connections are permanent (`fresh` false), then without Nagle's algorithm,
 * since the end of a message must not wait; or new for each transfer. The
 * receiver is always waiting when the first byte arrives: a near end that sends
 * begins after the far end's ACCEPTED or last RESULT; a far end that sends
 * begins after GO.
 *
 * Frames: GO (near) u64 duration in ns, at most a minute; ACCEPTED (far), all
 * connections are established; RESULT (far) its account (account.h), u64 ns of
 * its own delay, and its receipt or dispatch (transfer.h). The delay is that of
 * a receiver from its last read to RESULT, or of a sender from GO to its first
 * write.
 *
 * A transfer is timed from the first write to the last read. Two ends on one
 * host read the same clock. Between hosts the time runs from the first write to
 * RESULT, or from GO to the last read, less that delay and half a round trip:
 * the least of the control connection (TCP_INFO), as if both directions took
 * equally long. It is not below the receiver's own time.
 */
#ifndef BENCHTOP_BULK_H
#define BENCHTOP_BULK_H

#include "account.h"
#include "far.h"
#include "transfer.h"

#define BULK_MAX_NS 60e9

/* The same at both ends, from the experiment's arguments. */
struct bulk_plan {
	bool up;           /* the near end sends */
	bool fresh;        /* new connections for each transfer */
	uint64_t bytes;    /* per transfer; 0: by duration */
	size_t call_bytes; /* size of the sender's calls */
	size_t streams;    /* connections, up to TRANSFER_STREAMS */
	const char *congestion;
	int64_t buffer_bytes; /* PARAM_AUTO: adapted by the kernel */
};

/* The connections of one end and the result of its last transfer. */
struct bulk_end {
	struct transfer transfer;
	struct receipt receipt; /* of the last transfer */
	struct dispatch dispatch;
	struct account account; /* of this end */
};
void bulk_end_init(struct bulk_end *, const struct bulk_plan *, bool sends);
/* Adds each connection to the account, then closes it. */
void bulk_end_close(struct bulk_end *);

/* The far end, from peer_ready() to the end of the session: for an experiment's
 * peer(). */
int bulk_serve(struct peer *, const struct bulk_plan *);

struct bulk {
	struct far far;
	struct bulk_plan plan;
	struct probe *probe;
	struct bulk_end end; /* receipt and dispatch of both ends */
	struct account far_account;
	uint64_t duration_ns; /* of a transfer without a fixed number of
			       * bytes */
	uint64_t took_ns;     /* of the last transfer, first write to last
			       * read */
	uint64_t go_ns, held_ns, half_trip_ns;
	uint64_t idle_since_ns;
};

/* Opens the session, and the connections unless `fresh` is set. A note states
 * how transfers between hosts are timed. Returns 0, or -1 after a report to the
 * probe. */
int bulk_open(struct bulk *, struct probe *, const struct experiment *,
	const struct network *, int cpu, const struct bulk_plan *);
/* Sets the duration of transfers without a fixed number of bytes. */
void bulk_last(struct bulk *, uint64_t duration_ns);
/* Performs one transfer. Returns 0, or -1 after a report to the probe. */
int bulk_transfer(struct bulk *);
/* Adds notes from the accounts and ends the session. Safe after a failed
 * bulk_open(). */
void bulk_close(struct bulk *);

#endif
