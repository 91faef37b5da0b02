/*
 * Resolving host names. If name servers do not answer, this takes longer than
 * the time after which a silent worker is ended.
 */
#ifndef BENCHTOP_NAME_H
#define BENCHTOP_NAME_H

#include <netdb.h>

#include "probe.h"

/* resolve() that calls probe_alive() meanwhile. */
int name_find(struct probe *, const char *name, const char *port,
	const struct addrinfo *hints, struct addrinfo **found);

#endif
