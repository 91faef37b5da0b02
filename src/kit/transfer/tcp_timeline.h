/*
 * The timeline of one transfer: what was sent, acknowledged and in flight over
 * time, from its packets or from samples of the kernel's account, and what can
 * be read off it.
 *
 * Offsets count bytes of data from the first; times are nanoseconds of one
 * clock, whichever, in ascending order: one that steps back is taken for the
 * one before.
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
	struct timeline_point *at; /* owned; beyond the most, the rest is left
				  * out */
	size_t count, room;
	int64_t begin_ns;     /* when the connection was asked for */
	int64_t lost_ns;      /* first retransmission; UNKNOWN_NS: none */
	int64_t recovered_ns; /* what had been sent by then was acknowledged */
	uint64_t recover;
};

void timeline_begin(struct tcp_timeline *, int64_t begin_ns);
void timeline_add(struct tcp_timeline *, struct timeline_point);
/* Something was sent again: recovery is over when all that had been sent until
 * the first such time is acknowledged. */
void timeline_lose(struct tcp_timeline *, int64_t t_ns);
void timeline_free(struct tcp_timeline *);

/* From the beginning until bytes were acknowledged at this rate for `span_ns`,
 * a round trip: UNKNOWN_NS where that never was. */
int64_t timeline_reached(const struct tcp_timeline *, double bytes_per_s,
	int64_t span_ns);
/* From the first retransmission to recovery, or UNKNOWN_NS. */
int64_t timeline_recovery(const struct tcp_timeline *);

/* In which round, from 1, was the byte of this number sent? 0: in none that is
 * known. */
unsigned rounds_until(const struct rounds *, uint64_t bytes);
/* The mean factor by which rounds grew until slow start ended; NaN: fewer than
 * two whole rounds. */
double rounds_growth(const struct rounds *);

#endif
