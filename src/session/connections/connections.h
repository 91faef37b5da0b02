/*
 * Annotated connections as JSON, for sessions and `annotate --json`.
 *
 *     {"schema":"benchtop.tcp/1","capture":{..},"connections":[..],"kernel":[]}
 *
 * Whole numbers of nanoseconds, bytes and packets; what is not known is null,
 * never absent. Times (t_ns) count from the connection's first packet, whose
 * own stamp is start_ns; offsets count from the first byte of a side's data.
 * A packet is named by its number in the capture, from 1. `connections` says
 * nothing of how the packets were stored: the same packets in another format
 * give the same text. `kernel` is of a run that was measured, see
 * connections_kernel.h. Layout: assets/connections.schema.json.
 */
#ifndef BENCHTOP_CONNECTIONS_H
#define BENCHTOP_CONNECTIONS_H

#include <cjson/cJSON.h>

#include "annotate.h"
#include "tcpinfo_log.h"
#include "text.h"

/* Where the packets came from. */
struct capture_origin {
	const char *file;      /* or */
	const char *interface; /* NULL where it is the other */
	uint32_t snap_bytes;   /* as the file or the capture says */
	bool counted;          /* by the kernel: */
	uint64_t received, dropped, interface_dropped;
	const struct tcpinfo_log *tcpinfo; /* NULL: nothing beside packets */
};

/* The whole document. */
void connections_write(const struct annotator *, const struct capture_origin *,
	struct text *);
/* The same with the first connections only, as many as begin within so many
 * bytes. Returns how many are left out, as capture.connections_left_out says,
 * beside those of capture.connections_forgotten. */
size_t connections_write_within(const struct annotator *,
	const struct capture_origin *, size_t bytes, struct text *);
/* One connection, for the caller to delete or to add somewhere. Its member
 * tcp_info_check is null, live as offline, since packets do not say it: a run's
 * checks are in `kernel`. */
cJSON *connection_json(const struct connection *);

#endif
