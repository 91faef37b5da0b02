/*
 * Annotated connections read back from JSON, as sessions keep them: what
 * connections_write() wrote, as the structures it was written from.
 *
 * What the JSON does not have (state of the annotator, packets) is as in a
 * connection of which nothing is known. The text may come from anywhere: what
 * is missing or of another type is not known, what is too much is left out.
 */
#ifndef BENCHTOP_CONNECTIONS_READ_H
#define BENCHTOP_CONNECTIONS_READ_H

#include <stddef.h>

#include "connection.h"
#include "tcpinfo_log.h"

struct stored_connections {
	struct connection *list; /* side[0] is the client's; owned */
	size_t count;
	struct tcpinfo_log tcpinfo; /* what the kernel said of them */
};

/* A text that is no such JSON has no connections. */
void stored_connections_read(const char *json, struct stored_connections *);
void stored_connections_free(struct stored_connections *);

#endif
