/*
 * Annotated connections as JSON, for sessions and `annotate --json`.
 *
 *     {"schema":"benchtop.tcp/1","capture":{..},"connections":[..],"kernel":[]}
 *
 * Whole numbers of nanoseconds, bytes and packets. An unknown value is null,
 * never absent. Times (t_ns) count from the connection's first packet, whose
 * own time stamp is start_ns. Offsets count from the first byte of a side's
 * data. A packet is identified by its number in the capture, from 1.
 * `connections` does not depend on the file format: the same packets in another
 * format give the same text. `kernel` is filled for a measured run, see
 * connections_kernel.h. Layout: assets/connections.schema.json.
 */
#ifndef BENCHTOP_CONNECTIONS_H
#define BENCHTOP_CONNECTIONS_H

#include <cjson/cJSON.h>

#include "annotate.h"
#include "connection_filter.h"
#include "tcpinfo_log.h"
#include "text.h"

/* The origin of the packets. */
struct capture_origin {
	const char *file;      /* either this */
	const char *interface; /* or this; the other is NULL */
	uint32_t snap_bytes;   /* stated by the file or the capture */
	bool counted;          /* the kernel counted: */
	uint64_t received, dropped, interface_dropped;
	const struct tcpinfo_log *tcpinfo; /* NULL: only packets */
	struct connection_filter only;     /* of the connections written */
};

/* Adds the whole document. */
void connections_write(const struct annotator *, const struct capture_origin *,
	struct text *);
/* The same, but stops before the connection that would begin after `bytes`
 * bytes. Returns the number of omitted connections, as in
 * capture.connections_left_out. Those of capture.connections_forgotten are not
 * included. */
size_t connections_write_within(const struct annotator *,
	const struct capture_origin *, size_t bytes, struct text *);
/* The member `capture`, without connections_left_out; the caller deletes it. */
cJSON *connections_capture_json(const struct annotator *,
	const struct capture_origin *);
/* Adds a span; UNKNOWN_NS is null. */
void connections_add_ns(cJSON *to, const char *name, int64_t span_ns);
/* Adds "retransmissions"; RESENT_UNKNOWN is null. */
void connections_add_resent(cJSON *to, uint64_t resent);
/* One connection; the caller deletes it or adds it to a tree. Its member
 * tcp_info_check is always null, because packets do not contain it: the checks
 * of a run are in `kernel`. */
cJSON *connection_json(const struct connection *);

#endif
