/*
 * Packets at one side of a link: the capture helper in the link's namespace.
 *
 * No privilege is needed beyond that of the link: the creator of a namespace
 * may capture in it. Only the side's device is visible there, so neither a port
 * nor `inbound` is necessary.
 */
#ifndef BENCHTOP_CAPTURE_LINK_H
#define BENCHTOP_CAPTURE_LINK_H

#include "capture.h"
#include "link.h"

/* Like capture_open(), but sets file, interface and spawn of the ask itself.
 * Close the capture before the link. */
struct capture *capture_open_link(struct link *, enum link_side,
	const struct capture_ask *, struct error *);

#endif
