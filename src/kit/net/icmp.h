/*
 * ICMP echo: the kind of socket that is permitted, and messages of a fixed
 * length.
 *
 * Three kinds are tried in this order. First a datagram socket of ICMP,
 * permitted by the sysctl net.ipv4.ping_group_range. Second a raw socket,
 * permitted by CAP_NET_RAW. Third a raw socket in the private namespace of a
 * link, for users who may create one; it reaches the loopback in that namespace
 * and the far end of the link.
 */
#ifndef BENCHTOP_ICMP_H
#define BENCHTOP_ICMP_H

#include "far.h"

enum { ICMP_HEAD = 8, ICMP_ROOM = 128 /* before what is received */ };

struct icmp {
	int fd;
	const char *way; /* the kind of socket, for notes */
	bool raw, six;
	uint16_t id;
	uint32_t rest;    /* partial checksum of the constant bytes */
	size_t length;    /* of the payload */
	uint8_t *message; /* ICMP_HEAD, payload; owned */
	uint8_t *room;    /* for received messages; owned */
};

/* Opens a socket to the far end's address (far_path()) for payloads of `length`
 * bytes, filled with `fill`. Returns 0, or -1 after a report to the probe. */
int icmp_open(struct icmp *, struct far *, struct probe *, size_t length,
	uint8_t fill);
void icmp_close(struct icmp *);

/* Sends an echo request whose payload begins with `mark`, cut to the payload's
 * length. Returns 0 or -errno. */
int icmp_send(struct icmp *, uint64_t mark, uint16_t sequence);
/* Receives one message. Returns 1 and the mark for a reply to this socket, 0
 * for any other message, or -errno (EAGAIN: the socket's timeout). */
int icmp_receive(struct icmp *, uint64_t *mark);

/* Encoding of a mark at the beginning of a payload, for all datagrams:
 * little-endian. */
void mark_put(uint8_t *payload, size_t length, uint64_t mark);
uint64_t mark_get(const uint8_t *payload, size_t length);
/* The part of a mark that fits into `length` bytes. */
uint64_t mark_cut(uint64_t mark, size_t length);

#endif
