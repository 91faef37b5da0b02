/* Chooses connections by address and port of one end, as
 * `host=10.0.0.1 port=443`. */
#ifndef BENCHTOP_CONNECTION_FILTER_H
#define BENCHTOP_CONNECTION_FILTER_H

#include "connection.h"
#include "error.h"
#include "text.h"

/* All zeros: every connection matches. */
struct connection_filter {
	struct endpoint host; /* version 0: any; its port: 0: any */
};

/* Reads "host=ADDRESS" (IPv4 or IPv6), "port=NUMBER", or only the address or
 * the port, as "10.0.0.1", "443" or ":443", into the filter. A second address
 * or port is refused. */
int connection_filter_read(struct connection_filter *, const char *word,
	struct error *);
/* One end must have both the address and the port. */
bool connection_matches(const struct connection *,
	const struct connection_filter *);
bool connection_filter_any(const struct connection_filter *);
/* Adds "host=10.0.0.1 port=443"; nothing if every connection matches. */
void connection_filter_write(const struct connection_filter *, struct text *);

/* Reads an end as it is stored: "10.0.0.1:80", "[2001:db8::1]:443". What it
 * cannot read is 0. */
void endpoint_read(const char *chars, struct endpoint *);

#endif
