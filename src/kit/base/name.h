/*
 * Hosts by name. Name servers that do not answer are asked for longer than a
 * worker may be silent.
 */
#ifndef BENCHTOP_NAME_H
#define BENCHTOP_NAME_H

#include <netdb.h>

#include "probe.h"

/* getaddrinfo() that shows signs of life. */
int name_find(struct probe *, const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found);

#endif
