/*
 * Round trips of single datagrams by UDP or ICMP. Each datagram carries a mark,
 * which distinguishes its reply from late and duplicate replies. A lost
 * datagram only costs its timeout.
 */
#ifndef BENCHTOP_DATAGRAMS_H
#define BENCHTOP_DATAGRAMS_H

#include "icmp.h"

struct datagrams {
	struct far *far;
	int fd;            /* UDP, connected; not owned */
	struct icmp *icmp; /* used instead of UDP; NULL: UDP */
	bool busy;         /* polls instead of sleeping */
	size_t payload_bytes, reply_bytes;
	uint8_t *out, *in; /* owned */

	uint64_t mark;     /* of the last datagram sent */
	uint64_t oldest;   /* of the first datagram sent */
	uint64_t given_up; /* bit i: the datagram with mark - i timed out, and
			    * no late reply has arrived */
	double slowest_ns; /* slowest round trip so far, for the timeout */
	uint64_t lost_ns;  /* since when replies are missing; 0: none missing */
	uint64_t sent, lost, duplicated;
};

void datagrams_init(struct datagrams *, struct far *, struct probe *,
	size_t payload_bytes, size_t reply_bytes);
void datagrams_free(struct datagrams *);
/* Sends one datagram and waits for its reply. Returns 1, or 0 if it was lost,
 * or -1 after probe_lost(). The timeout is 200 ms plus four times the slowest
 * round trip so far. */
int datagrams_exchange(struct datagrams *, struct probe *);

/* recv() that polls, for at most a second (then EAGAIN). */
ssize_t datagrams_spin(int fd, void *into, size_t length);

#endif
