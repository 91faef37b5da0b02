/*
 * The member `kernel` of annotated connections: what the sender's kernel said
 * of them while a run made them. It stands beside `connections`, which packets
 * alone explain; offline it is an empty list.
 *
 *     [{"connection":1,"congestion":"reno","rate_bit_s":..,"rtt_ns":..,
 *       "queue_bytes":..,"tcp_info_check":{"retrans_kernel":8,
 *       "retrans_capture":8,"agree":true},
 *       "samples":{"t_ns":[..],"window_bytes":[..],..}}]
 *
 * Of a long connection one sample in so many is kept, the one with the largest
 * window. Times count from the connection's first packet.
 */
#ifndef BENCHTOP_CONNECTIONS_KERNEL_H
#define BENCHTOP_CONNECTIONS_KERNEL_H

#include <cjson/cJSON.h>

#include "tcpinfo_log.h"

/* For the caller to delete; NULL: nothing is known. */
cJSON *connection_kernel_json(const struct tcpinfo_log *,
	const struct connection *);

/* Adds to a tcpinfo what such a list says of these connections. Whatever is not
 * as it should be is left out. */
void connections_read_kernel(const cJSON *list, const struct connection *,
	size_t count, struct tcpinfo_log *);

#endif
