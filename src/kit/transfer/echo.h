/*
 * The far end of round trips: answers every request, over one connection or by
 * datagrams. Also the round trips that captured packets show.
 */
#ifndef BENCHTOP_ECHO_H
#define BENCHTOP_ECHO_H

#include "annotate.h"
#include "peer.h"

struct echo_plan {
	bool stream; /* TCP; else UDP */
	size_t payload_bytes, reply_bytes;
	bool nodelay;
	bool busy; /* polls instead of sleeping */
};

/* From before peer_ready() to the end of the session: for an experiment's
 * peer(). */
int echo_serve(struct peer *, const struct echo_plan *);

enum { ECHO_KEPT = 4096 };

/* Exchanges as captured at the near end, one at a time on the connection: from
 * the request's first packet to the reply's last. */
struct echo_watch {
	int64_t asked_ns, answered_ns; /* of the current exchange; 0: not yet */
	size_t first, count;           /* of the finished exchanges: */
	double took_ns[ECHO_KEPT];     /* a ring; the oldest are overwritten */
};
/* A callback for annotator_options, with a struct echo_watch as context. */
void echo_see(void *context, const struct sighting *);
/* Returns the next finished exchange; false if there is none. */
bool echo_take(struct echo_watch *, double *took_ns);

#endif
