/*
 * The origin of a connection, by which `serve` counts and limits: an IPv4
 * address, or the /64 network of an IPv6 address, because one host can usually
 * use all addresses of such a network (RFC 4291, section 2.5.4).
 */
#ifndef BENCHTOP_ORIGIN_H
#define BENCHTOP_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct origin {
	bool six;
	uint8_t bytes[8]; /* an IPv4 address takes the first four */
};

/* Any address that is not of IPv6 counts as one of IPv4. */
struct origin origin_of(const struct sockaddr_storage *);
bool origin_same(const struct origin *, const struct origin *);
/* "192.0.2.1", "2001:db8::/64" */
void origin_text(const struct origin *, char *into, size_t size);

#endif
