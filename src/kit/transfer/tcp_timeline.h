/*
 * The timeline of one transfer: bytes sent, acknowledged and in flight over
 * time, from its packets or from samples of TCP_INFO, and results derived from
 * it.
 *
 * Offsets count bytes of data from the first. Times are nanoseconds of any one
 * clock, in ascending order; a time that goes back is replaced by the previous
 * one.
 */
#ifndef BENCHTOP_TCP_TIMELINE_H
#define BENCHTOP_TCP_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"

enum { TIMELINE_POINTS_MAX = 1 << 18 };

struct timeline_point {
	int64_t t_ns;
	uint64_t sent, acked, in_flight;
};

struct tcp_timeline {
	struct timeline_point *at; /* owned; points beyond the maximum are
				    * dropped */
	size_t count, room;
	int64_t begin_ns;     /* when the connection was requested */
	int64_t lost_ns;      /* first retransmission; UNKNOWN_NS: none */
	int64_t recovered_ns; /* when all sent before the loss was
			       * acknowledged */
	uint64_t recover;
};

void timeline_begin(struct tcp_timeline *, int64_t begin_ns);
void timeline_add(struct tcp_timeline *, struct timeline_point);
/* Records a retransmission. Recovery ends when everything sent before the first
 * retransmission is acknowledged. */
void timeline_lose(struct tcp_timeline *, int64_t t_ns);
void timeline_free(struct tcp_timeline *);

/* Time from the beginning until bytes were acknowledged at this rate for
 * `span_ns`, a round trip. UNKNOWN_NS if that never happened. */
int64_t timeline_reached(const struct tcp_timeline *, double bytes_per_s,
	int64_t span_ns);
/* Time from the first retransmission to recovery, or UNKNOWN_NS. */
int64_t timeline_recovery(const struct tcp_timeline *);

/* The round, from 1, in which this byte was sent; 0: unknown. */
unsigned rounds_until(const struct rounds *, uint64_t bytes);
/* The mean growth factor of rounds until the end of slow start; NaN with fewer
 * than two complete rounds. */
double rounds_growth(const struct rounds *);

#endif
