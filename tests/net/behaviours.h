/*
 * Behaviours of the kernel's TCP that no public capture shows, produced on the
 * link. Each opens a link of its own, runs the connection, and returns what the
 * kernel knows about it, for comparison with an analysis of the packets.
 */
#ifndef BENCHTOP_BEHAVIOURS_H
#define BENCHTOP_BEHAVIOURS_H

#include <stdint.h>

#include "link.h"

enum behaviour {
	BEHAVIOUR_LOSS,         /* one segment in the middle of 300 */
	BEHAVIOUR_TAIL_LOSS,    /* the last five of twenty */
	BEHAVIOUR_RTO_CHAIN,    /* the only segment, four times */
	BEHAVIOUR_ZERO_WINDOW,  /* a receiver that sleeps for a second */
	BEHAVIOUR_HYSTART,      /* cubic leaves slow start without a loss */
	BEHAVIOUR_DELAYED,      /* .. on a path too slow for trains of ACKs */
	BEHAVIOUR_OVERSHOOT,    /* reno leaves it by many */
	BEHAVIOUR_WINDOW,       /* the receive window stops the doubling */
	BEHAVIOUR_APPLICATION,  /* the sender has nothing to send */
	BEHAVIOUR_SIMULTANEOUS, /* both sides connect to each other */
	BEHAVIOUR_SELF,         /* a socket connects to itself, on lo */
	BEHAVIOURS,
};

enum { BEHAVIOUR_NETSTAT_BYTES = 1 << 15, BEHAVIOUR_PORT = 5010 };

struct behaved {
	/* From the sender's TCP_INFO, at the end. */
	uint32_t retransmits, cwnd, ssthresh, rtt_us;
	uint8_t state;
	/* CLOCK_REALTIME of the last sample without a threshold of slow start,
	 * and of the first with one; 0: there is none. */
	int64_t unlimited_ns, threshold_ns;
	uint64_t sent_bytes; /* by the application */
	struct link_counters counters[LINK_SIDES];
	/* /proc/net/netstat inside each side, at the end. */
	char netstat[LINK_SIDES][BEHAVIOUR_NETSTAT_BYTES];
};

/* The parameters of a transfer and its path. */
struct behaviour_script {
	int64_t rtt_ns, rate_bit_s, queue_packets;
	const char *congestion;
	uint64_t segments;
	int receive_bytes; /* of the receiver's buffer; 0: set by the kernel */
	unsigned sleep_ms; /* before the receiver reads */
	/* The sender first writes this many segments, and the rest after the
	 * pause; 0: all at once. */
	uint64_t first_segments;
	unsigned pause_ms;
	unsigned drops;
	uint64_t drop[8]; /* of near's packets: 0 the SYN, 1 the ACK, 2 .. */
};

/* Called when the link exists and nothing has been sent, to start a capture. */
struct behaviour_watch {
	void (*begin)(struct link *, void *context);
	void (*end)(void *context); /* the connection has ended, the link has
				     * not */
	void *context;
};

/* Returns 0, or -1 with the error of the link or of a failed call. `watch` may
 * be NULL. Takes at most a few seconds. */
int behave(enum behaviour, const struct behaviour_watch *, struct behaved *,
	struct error *);
/* The same for a transfer with other parameters. */
int behave_so(const struct behaviour_script *, const struct behaviour_watch *,
	struct behaved *, struct error *);
/* A counter in a side's netstat by its name, such as TCPTimeouts; -1 if this
 * kernel lacks it. */
int64_t behaved_counter(const struct behaved *, enum link_side,
	const char *name);

#endif
