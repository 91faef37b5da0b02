/*
 * ICMP echo: the socket that is permitted here, and messages of a fixed length.
 *
 * Three ways, tried in this order: a datagram socket of ICMP, permitted by the
 * sysctl net.ipv4.ping_group_range; a raw socket, permitted by CAP_NET_RAW; and
 * a raw socket in the private namespace of a link, permitted to whoever may
 * make one, which reaches the loopback there and the far end of the link.
 */
#ifndef BENCHTOP_ICMP_H
#define BENCHTOP_ICMP_H

#include "far.h"

enum { ICMP_HEAD = 8, ICMP_ROOM = 128 /* before what is received */ };

struct icmp {
	int fd;
	const char *way; /* in words */
	bool raw, six;
	uint16_t id;
	uint32_t rest;    /* checksum of all that does not change */
	size_t length;    /* of the payload */
	uint8_t *message; /* ICMP_HEAD, payload; owned */
	uint8_t *room;    /* for what comes; owned */
};

/* Opens a socket to the far end's address (far_path()) for payloads of so many
 * bytes, filled with `fill`. 0, or -1 after a word of the probe. */
int icmp_open(struct icmp *, struct far *, struct probe *, size_t length,
	uint8_t fill);
void icmp_close(struct icmp *);

/* Sends an echo request whose payload begins with `mark` (as much of it as the
 * payload holds). 0 or -errno. */
int icmp_send(struct icmp *, uint64_t mark, uint16_t sequence);
/* Receives one reply of ours: 1 and its mark, 0 where what came is none, or
 * -errno (EAGAIN: the socket's timeout). */
int icmp_receive(struct icmp *, uint64_t *mark);

/* How a mark stands at the beginning of a payload, for datagrams of any kind:
 * the low bytes first. */
void mark_put(uint8_t *payload, size_t length, uint64_t mark);
uint64_t mark_get(const uint8_t *payload, size_t length);
/* What of a mark fits into so many bytes. */
uint64_t mark_cut(uint64_t mark, size_t length);

#endif
