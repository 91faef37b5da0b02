/*
 * Bulk transfers between the two ends of a session: how they agree on when a
 * transfer begins, who accepts and who connects, and what each tells the other
 * of it afterwards.
 *
 * Over connections that stay (`fresh` false) or new ones for each transfer, a
 * number of bytes or a duration moves one way. The receiver is always waiting
 * when the first byte comes: a near end that sends begins after the far end has
 * said ACCEPTED or the last RESULT; a far end that sends begins after GO.
 *
 * Frames: GO (near) u64 duration in ns, at most a minute; ACCEPTED (far), all
 * connections are there; RESULT (far) its account (account.h) and its receipt
 * or dispatch (transfer.h).
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
	uint64_t bytes;    /* of a transfer; 0: by duration */
	size_t call_bytes; /* of the sender's calls */
	size_t streams;    /* connections, up to TRANSFER_STREAMS */
	const char *congestion;
	int64_t buffer_bytes; /* PARAM_AUTO: the kernel's own */
};

/* The connections of one end and what moved over them. */
struct bulk_end {
	struct transfer transfer;
	struct receipt receipt; /* of the last transfer */
	struct dispatch dispatch;
	struct account account; /* of this end */
};
void bulk_end_init(struct bulk_end *, const struct bulk_plan *, bool sends);
/* Takes the account of each connection, then closes it. */
void bulk_end_close(struct bulk_end *);

/* The far end, from peer_ready() to the end of the session: the body of an
 * experiment's peer(). */
int bulk_serve(struct peer *, const struct bulk_plan *);

struct bulk {
	struct far far;
	struct bulk_plan plan;
	struct probe *probe;
	struct bulk_end end; /* receipt and dispatch of both ends */
	struct account far_account;
	uint64_t duration_ns; /* of a transfer without a number of bytes */
	uint64_t idle_since_ns;
};

/* Opens the session and, unless they are fresh each time, the connections. 0,
 * or -1 after a word of the probe. */
int bulk_open(struct bulk *, struct probe *, const struct experiment *,
	const struct network *, int cpu, const struct bulk_plan *);
/* Says how long a transfer without a number of bytes lasts. */
void bulk_last(struct bulk *, uint64_t duration_ns);
/* One transfer: 0 or -1 after a word of the probe. */
int bulk_transfer(struct bulk *);
/* Notes the accounts, ends the session. Safe after a failed bulk_open(). */
void bulk_close(struct bulk *);

#endif
