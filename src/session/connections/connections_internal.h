/* Shared by the two files of connections.h. */
#ifndef BENCHTOP_CONNECTIONS_INTERNAL_H
#define BENCHTOP_CONNECTIONS_INTERNAL_H

#include "connection_figures.h"
#include "connections.h"
#include "json_internal.h"

/* A time, relative to the connection's first packet. */
void connections_add_time(cJSON *to, const char *name,
	const struct connection *, int64_t t_ns);
/* 0 is null. */
void connections_add_known(cJSON *to, const char *name, uint64_t value);
/* "client", "server". */
const char *connections_side(const struct connection *, int side);

/* connections_data.c: the data of each side. */
void connections_add_sides(cJSON *to, const struct connection *);
void connections_add_start(cJSON *to, const struct connection *,
	const struct transfer_time *);
void connections_add_events(cJSON *to, const struct connection *);

#endif
