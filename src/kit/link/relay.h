/*
 * The relay of the link: moves packets between two TUN devices, each
 * direction by a relay_path, on the monotonic clock.
 *
 * It sleeps until a packet comes or is due, and looks at the clock for the
 * last stretch, as long as the machine's timers have lately been late: that
 * keeps 40 ms at 40.0. It never sleeps while there is something to move.
 */
#ifndef BENCHTOP_RELAY_H
#define BENCHTOP_RELAY_H

#include <stdatomic.h>

#include "link.h"

/* Shared by the link's owner, who writes settings, and the relay, who writes
 * counters. */
struct relay_shared {
	struct link_settings settings;
	struct link_counters counters[LINK_SIDES];
};

struct relay_ends {
	int device[LINK_SIDES];
	/* A socket of packets: whatever comes makes the relay begin anew with
	 * the shared settings and answer with an int, 0 or -errno; its end is
	 * the relay's. */
	int control;
	struct relay_shared *shared;
};

/* Waits for the first settings, and never returns. */
_Noreturn void relay_run(const struct relay_ends *);

#endif
