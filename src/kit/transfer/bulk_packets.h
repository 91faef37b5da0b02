/*
 * Capturing the packets of bulk transfers. At the end, the retransmissions that
 * the packets show are compared with the kernel's count, and the rate with that
 * of transfers without capture.
 */
#ifndef BENCHTOP_BULK_PACKETS_H
#define BENCHTOP_BULK_PACKETS_H

#include "bulk.h"
#include "facts.h"
#include "recorder.h"

struct bulk_packets {
	struct recorder *recorder; /* NULL: no capture */
	uint64_t before;  /* segments retransmitted by the kernel at the
			   * start */
	uint64_t fresh;   /* of connections that were closed since */
	uint64_t told_ns; /* time of the last report of the kernel's windows */
};

/* Call between two transfers: captures the following ones. `link` is the link
 * of the path, NULL if unknown. */
void bulk_packets_open(struct bulk_packets *, struct bulk *, struct probe *,
	const struct link_args *link);
/* Call after each transfer. */
void bulk_packets_after(struct bulk_packets *, const struct bulk *);
/* Call before bulk_close(). Adds notes with the result. */
void bulk_packets_close(struct bulk_packets *, const struct bulk *,
	struct probe *);

/* Adds the finding "capture-cost": by how much capture reduces the rate at the
 * point where that is most precise. The two metrics hold the rates of the same
 * transfers with and without capture, some of each in every launch. */
void bulk_packets_cost(const struct results *, unsigned with, unsigned without,
	struct findings *);

#endif
