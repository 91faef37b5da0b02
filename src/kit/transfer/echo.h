/*
 * The far end of round trips: what comes is answered, over one connection or
 * by datagrams; and what captured packets show of the exchanges.
 */
#ifndef BENCHTOP_ECHO_H
#define BENCHTOP_ECHO_H

#include "annotate.h"
#include "peer.h"

struct echo_plan {
	bool stream; /* TCP; else UDP */
	size_t payload_bytes, reply_bytes;
	bool nodelay;
	bool busy; /* asks again and again instead of sleeping */
};

/* From before peer_ready() to the end of the session: the body of an
 * experiment's peer(). */
int echo_serve(struct peer *, const struct echo_plan *);

enum { ECHO_KEPT = 4096 };

/* Exchanges as the near end's tap sees them, one at a time on the connection:
 * from the request's first packet to the reply's last. */
struct echo_watch {
	int64_t asked_ns, answered_ns; /* of the present one; 0: not yet */
	size_t first, count;           /* of those that are over: */
	double took_ns[ECHO_KEPT];     /* a ring; more are forgotten */
};
/* For annotator_options: the context is a struct echo_watch. */
void echo_see(void *context, const struct sighting *);
/* The next that is over; false: none. */
bool echo_take(struct echo_watch *, double *took_ns);

#endif
