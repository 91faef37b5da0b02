/*
 * Bulk transfers with their packets: captured for bandwidth, and at the end
 * what the packets show as sent again is held against the kernel's count.
 */
#ifndef BENCHTOP_BULK_PACKETS_H
#define BENCHTOP_BULK_PACKETS_H

#include "bulk.h"
#include "recorder.h"

struct bulk_packets {
	struct recorder *recorder; /* NULL: nothing is captured */
	uint64_t before;  /* segments the kernel had sent again at the start */
	uint64_t fresh;   /* of connections that have been closed since */
	uint64_t told_ns; /* when the kernel's windows were told last */
};

/* Between two transfers: captures those that follow; `link` is the path's, NULL
 * where nobody knows it. */
void bulk_packets_open(struct bulk_packets *, struct bulk *, struct probe *,
	const struct link_args *link);
/* After each transfer. */
void bulk_packets_after(struct bulk_packets *, const struct bulk *);
/* Before bulk_close(); notes what was found. */
void bulk_packets_close(struct bulk_packets *, const struct bulk *,
	struct probe *);

#endif
