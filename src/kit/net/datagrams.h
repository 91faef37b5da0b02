/*
 * Datagrams there and back, one at a time, by UDP or ICMP: each carries a mark,
 * so that an answer is known from a late or a second one; one that is lost
 * costs its timeout and nothing else.
 */
#ifndef BENCHTOP_DATAGRAMS_H
#define BENCHTOP_DATAGRAMS_H

#include "icmp.h"

struct datagrams {
	struct far *far;
	int fd;            /* UDP, connected; not owned */
	struct icmp *icmp; /* instead of it; NULL: UDP */
	bool busy;         /* asks again and again instead of sleeping */
	size_t payload_bytes, reply_bytes;
	uint8_t *out, *in; /* owned */

	uint64_t mark;     /* of the last one sent */
	uint64_t oldest;   /* of the first one */
	uint64_t given_up; /* bit i: the one with mark - i, unless its answer
			    * came after all */
	double slowest_ns; /* round trip so far, for the timeout */
	uint64_t lost_ns;  /* since when nothing has come back; 0: it has */
	uint64_t sent, lost, duplicated;
};

void datagrams_init(struct datagrams *, struct far *, struct probe *,
	size_t payload_bytes, size_t reply_bytes);
void datagrams_free(struct datagrams *);
/* One there and one back: 1, 0: lost, -1: the run is over, in words. The
 * timeout is 200 ms and four times the slowest round trip so far. */
int datagrams_exchange(struct datagrams *, struct probe *);

/* recv() that asks again and again, for a second at most (EAGAIN). */
ssize_t datagrams_spin(int fd, void *into, size_t length);

#endif
