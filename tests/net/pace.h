/*
 * The precision of a link's timing: for its test, which tolerates a busy
 * machine, and for its benchmark, which prints it.
 */
#ifndef BENCHTOP_PACE_H
#define BENCHTOP_PACE_H

#include <stdint.h>

#include "link.h"

int64_t pace_now_ns(void); /* CLOCK_MONOTONIC */

/* Consecutive round trips of empty ICMP echo requests, in ns; -1: no reply
 * within a second beyond the path's time. */
void pace_pings(struct link *, int64_t *took_ns, unsigned count);
/* The settings' round trip plus the sending time of two headers of 28 bytes. */
int64_t pace_ping_expected_ns(const struct link_settings *);

struct pace {
	double bit_s;         /* delivered */
	double busy;          /* sending time of accepted packets over the
			       * elapsed time; 1 or more means the path was
			       * full */
	int64_t took_ns;      /* between two samples of the counters */
	int64_t late_peak_ns; /* of any delivery */
};
/* Sends datagrams of 1500 bytes from near to far, slightly more than the path
 * can carry, and reads the relay's counters. */
struct pace pace_rate(struct link *, const struct link_settings *,
	int64_t span_ns);
/* One TCP connection from near to far with this congestion control. Measures
 * the bytes read in the second half of the span. */
struct pace pace_goodput(struct link *, const char *congestion,
	int64_t span_ns);

#endif
