/*
 * Reads annotated connections from JSON, as stored in sessions: converts the
 * text of connections_write() back to its structures.
 *
 * Fields that the JSON does not contain (state of the annotator, packets) are
 * set as unknown. The text is not trusted: missing values and values of another
 * type are unknown, surplus entries are ignored.
 */
#ifndef BENCHTOP_CONNECTIONS_READ_H
#define BENCHTOP_CONNECTIONS_READ_H

#include <stddef.h>

#include "connection.h"
#include "tcpinfo_log.h"

struct stored_connections {
	struct connection *list; /* side[0] is the client's; owned */
	size_t count;
	struct tcpinfo_log tcpinfo; /* reports of the kernel */
	int64_t resolution_ns; /* of the timestamps; UNKNOWN_NS */
};

/* Text that is not such JSON gives no connections. */
void stored_connections_read(const char *json, struct stored_connections *);
void stored_connections_free(struct stored_connections *);

#endif
