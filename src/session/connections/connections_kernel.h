/*
 * The member `kernel` of annotated connections: reports of the sender's kernel
 * during a run. It is separate from `connections`, which is derived from
 * packets only. For a capture file it is an empty list.
 *
 *     [{"connection":1,"congestion":"reno","rate_bit_s":..,"rtt_ns":..,
 *       "queue_bytes":..,"tcp_info_check":{"retrans_kernel":8,
 *       "retrans_capture":8,"agree":true},
 *       "samples":{"t_ns":[..],"window_bytes":[..],..}}]
 *
 * For a long connection one of every N samples is kept, the one with the
 * largest window. Times count from the connection's first packet.
 */
#ifndef BENCHTOP_CONNECTIONS_KERNEL_H
#define BENCHTOP_CONNECTIONS_KERNEL_H

#include <cjson/cJSON.h>

#include "tcpinfo_log.h"

/* The caller deletes the result; NULL: no reports. */
cJSON *connection_kernel_json(const struct tcpinfo_log *,
	const struct connection *);

/* Adds the reports of such a list about these connections to a log. Invalid
 * entries are ignored. */
void connections_read_kernel(const cJSON *list, const struct connection *,
	size_t count, struct tcpinfo_log *);

#endif
