/*
 * The relay of the link: moves packets between two TUN devices, each direction
 * by a relay_path, on the monotonic clock.
 *
 * It sleeps until shortly before a packet is due, then polls the clock. The
 * polled time is as long as timers of this machine have recently been late;
 * this keeps 40 ms at 40.0. It never sleeps while packets can be moved.
 */
#ifndef BENCHTOP_RELAY_H
#define BENCHTOP_RELAY_H

#include <stdatomic.h>

#include "link.h"

/* Shared by the link's owner, who writes the settings, and the relay, which
 * writes the counters. */
struct relay_shared {
	struct link_settings settings;
	struct link_counters counters[LINK_SIDES];
};

struct relay_ends {
	int device[LINK_SIDES];
	/* A packet socket. On any message the relay restarts with the shared
	 * settings and answers with an int, 0 or -errno. At end of file the
	 * relay ends. */
	int control;
	struct relay_shared *shared;
};

/* Waits for the first settings; never returns. */
_Noreturn void relay_run(const struct relay_ends *);

#endif
