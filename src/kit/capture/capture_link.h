/*
 * Packets at one side of a link: the capture helper in its namespace.
 *
 * No privilege is needed beyond the link's own: who made the namespace may
 * capture in it. The side's device is all there is to see, so neither a port
 * nor `inbound` need be asked for.
 */
#ifndef BENCHTOP_CAPTURE_LINK_H
#define BENCHTOP_CAPTURE_LINK_H

#include "capture.h"
#include "link.h"

/* Like capture_open(); what the ask says of file, interface and spawn is
 * overruled. The link must be closed after the capture. */
struct capture *capture_open_link(struct link *, enum link_side,
	const struct capture_ask *, struct error *);

#endif
