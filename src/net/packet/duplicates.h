/*
 * Packets that were captured twice.
 *
 * A mirror port, the interface `any` or a bridge shows one packet two times,
 * microseconds apart. A packet is such a copy when one of the last 64 of the
 * capture is the same in every field that a retransmission would change: both
 * ends, IP identification, sequence and acknowledgement, flags, window,
 * length, timestamps and the beginning of the payload; within 5 ms; with the
 * same direction, where the capture has one. A retransmission by any common
 * system has a new IP identification. Where there is none (0, or IPv6) equal
 * timestamps must speak for it, and only within 50 us: their clock ticks once
 * a millisecond, and on loopback a retransmission may share its original's
 * tick. Without either nothing is a copy.
 */
#ifndef BENCHTOP_DUPLICATES_H
#define BENCHTOP_DUPLICATES_H

#include "decode.h"

enum {
	DUPLICATES_BACK = 64,
	DUPLICATES_WITHIN_NS = 5000000,
	DUPLICATES_WITHIN_TICK_NS = 50000,
};

struct duplicates {
	struct print {
		uint64_t copy;   /* a hash of all that must be equal */
		uint64_t repeat; /* of sender, IP identification, sequence and
				  * length */
		int64_t t_ns;
	} prints[DUPLICATES_BACK];
	uint32_t next, count;
	uint64_t copies; /* packets that are copies */
	/* Packets that repeat sender, IP identification, sequence number and
	 * length of one of the last 64 whatever the time between: copies, and
	 * the retransmissions of stacks that reuse the identification. */
	uint64_t repeats;
};

/* Looks a TCP packet up and remembers it. True: it is a copy. */
bool duplicates_add(struct duplicates *, const struct packet *);

#endif
