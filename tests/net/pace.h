/*
 * How exactly a link keeps its time: for its test, which allows for a busy
 * machine, and for its benchmark, which prints.
 */
#ifndef BENCHTOP_PACE_H
#define BENCHTOP_PACE_H

#include <stdint.h>

#include "link.h"

int64_t pace_now_ns(void); /* CLOCK_MONOTONIC */

/* Round trips of empty echo requests of ICMP, one after the other, in ns; -1:
 * none came back within a second beyond what the path takes. */
void pace_pings(struct link *, int64_t *took_ns, unsigned count);
/* What two headers of 28 bytes add to the settings' round trip. */
int64_t pace_ping_expected_ns(const struct link_settings *);

struct pace {
	double bit_s;         /* delivered */
	double busy;          /* sending time of what was accepted, over the
			       * time: 1 or more means the path was full */
	int64_t took_ns;      /* between the two looks at the counters */
	int64_t late_peak_ns; /* of any delivery */
};
/* Sends datagrams of 1500 bytes from near to far, some more than the path
 * takes, and looks at the relay's counters. */
struct pace pace_rate(struct link *, const struct link_settings *,
	int64_t span_ns);
/* One TCP connection from near to far with this congestion control: what is
 * read in the second half of the span. */
struct pace pace_goodput(struct link *, const char *congestion,
	int64_t span_ns);

#endif
