/*
 * Detection of packets that were captured twice.
 *
 * A mirror port, the interface `any` or a bridge shows one packet twice,
 * microseconds apart. A packet is such a copy if one of the last 64 packets has
 * the same value in every field that a retransmission would change: both ends,
 * VLAN, IP identification, sequence and acknowledgement numbers, flags, window,
 * length, timestamps and the beginning of the payload. It must be within 5 ms.
 *
 * A retransmission by any common system has a new IP identification. Without
 * identification (0, or IPv6), nothing in one packet tells a copy from a fast
 * retransmission or a duplicate ACK on a path of some microseconds, not even
 * its timestamps: their clock ticks once per millisecond. A packet that comes
 * again within 50 us is a copy only if the capture shows packets twice: seven
 * in eight of those that its end sent before it, and of the file while fewer
 * than 32 are known. If none is known, its data is one if the other end sent
 * nothing in between: no timer is that short. Packets behind the first record
 * do not count, since theirs may be to come. What was sent again often is one
 * packet of those that came again, so that a loss or a run of duplicate ACKs
 * does not look like such a capture.
 *
 * None of this is required if the link shows that the machine received the one
 * and sent the other: a router or bridge forwarded it. Nor for a SYN within 200
 * ms, which waits a second before it is sent again, nor for a SYN/ACK within
 * 200 ms if the SYN had a copy: else it may answer a SYN that was sent again.
 * These show a capture of packets twice until others contradict.
 *
 * A network that duplicates a packet delays the second one by any time. Without
 * timestamps, it may also be a retransmission by a system that keeps the
 * identification (RFC 1122, 3.2.1.5): such packets are only noted.
 *
 * Merged captures of two points of a path show each packet twice, milliseconds
 * apart, and by as much as their clocks differ. The annotator separates them
 * where it can: copies are of the same point then. Else a packet that has both
 * an identification and timestamps is a copy within 1 s, among the last
 * thousands: a retransmission has another identification, and after more than a
 * tick another timestamp. Timestamps suffice for a SYN, which is not sent again
 * earlier (RFC 6298), and for a packet of another interface, hop limit or
 * direction. Copies of a SYN may be an hour apart, since one sent again has
 * another timestamp, and once there is one, so may those of its connection.
 */
#ifndef BENCHTOP_DUPLICATES_H
#define BENCHTOP_DUPLICATES_H

#include "decode.h"

enum {
	DUPLICATES_BACK = 64,
	DUPLICATES_WITHIN_NS = 5000000,
	DUPLICATES_WITHIN_TICK_NS = 50000,
	DUPLICATES_SYN_NS = 200000000,
	DUPLICATES_FAR_NS = 1000000000,
	DUPLICATES_CLOCKS_S = 3600,
	/* Equal packets of one interface with equal hops left were captured
	 * at two points from this distance on. The queues of one capture were
	 * up to 0.7 ms apart in public files. */
	DUPLICATES_POINTS_NS = 1000000,
	DUPLICATES_SETS = 1 << 13, /* of DUPLICATES_WAYS packets */
	DUPLICATES_WAYS = 4,
	DUPLICATES_FAR = DUPLICATES_SETS * DUPLICATES_WAYS,
	DUPLICATES_ALIKE = 1 << 11,
	DOUBLES_SHARE = 8,   /* one in 8 packets may lack its copy */
	DOUBLES_ENOUGH = 32, /* packets, to judge the others by */
	DOUBLES_WINDOW = 1024,
};

/* How many of the last packets were recorded again within the time of a copy.
 * Starts with zeros. */
struct doubles {
	uint32_t total; /* packets, without what came again; wraps */
	uint32_t packets, pairs; /* of the last DOUBLES_WINDOW / 2 or more */
};

/* What earlier packets of its connection show about a packet. */
struct earlier {
	struct doubles *doubles; /* those of its side */
	bool copied;             /* some were copies */
};

/* The copies that a packet may have, by its connection. */
enum copies {
	COPIES_NEAR,
	COPIES_FAR, /* of several points, whose clocks may differ by
		     * DUPLICATES_CLOCKS_S */
	COPIES_BESIDE, /* points are told apart: of the same interface, with as
			* many hops left */
};

struct duplicates {
	struct prints {
		uint64_t way;    /* a hash of both ends */
		uint64_t copy;   /* a hash of all fields that must be equal */
		uint64_t repeat; /* a hash of ends, VLAN, IP identification,
				  * sequence number, length, SYN, FIN, RST */
	} now; /* of the packet in hand */
	struct print {
		struct prints is;
		int64_t t_ns;
		uint16_t interface;
		uint8_t ttl;
		bool leaving; /* as in struct packet */
		bool copied;  /* it is a copy, */
		bool again;   /* .. or equal to another, but none */
		bool paired;  /* another is equal */
		uint32_t way_total, all_total; /* of `doubles` then */
	} last[DUPLICATES_BACK];
	uint32_t next, count;
	struct doubles all; /* of all connections */
	/* How many of them have the same low bits in `repeat`: mostly none, so
	 * that none needs to be compared. */
	uint8_t alike[DUPLICATES_ALIKE];
	/* The last packets with timestamps, or with data and an IPv4
	 * identification, in the order of their records, and where they are,
	 * in sets by the low bits of their hash; the latest of a set first.
	 * The sets fit into a L2 cache, and few packets have the high bits in
	 * common and are compared. */
	struct far_print {
		uint64_t copy;
		int64_t t_ns;
		int64_t second_ns; /* its second record; 0: none */
		uint16_t interface;
		uint8_t ttl;
		bool leaving;
	} far[DUPLICATES_FAR];
	uint32_t far_next;
	bool identical; /* the packet added last is no certain copy, but agrees
			 * with one of the last second, also in its IPv4
			 * identification */
	bool soon; /* it is no certain copy, but agrees with one of the last 50
		    * us, without identification */
	struct far_place {
		uint16_t high, at;
	} sets[DUPLICATES_SETS][DUPLICATES_WAYS];
	uint64_t copies; /* packets that are copies */
	/* Copies, and packets with the ends, IP identification (of IPv6: flow
	 * label), sequence number, length, SYN, FIN and RST of one of the last
	 * 64, at any distance in time: retransmissions by stacks that reuse the
	 * identification or have none. */
	uint64_t repeats;
	/* Of these, packets without identification, payload, SYN and FIN, which
	 * are not copies: usually the next acknowledgement. */
	uint64_t bare;
};

/* Call for each TCP packet before the functions below. */
void duplicates_look(struct duplicates *, const struct packet *);
/* Looks up the packet and stores it. Returns the time since it was captured
 * first if it is a copy, else -1, and sets `identical` and `soon`. */
int64_t duplicates_add(struct duplicates *duplicates,
	const struct packet *packet, enum copies copies,
	const struct earlier *earlier);
/* Counts a packet that is known to be a copy. */
void duplicates_count(struct duplicates *);

/* Which record of a packet it is, if each packet was captured at two points of
 * its path. A copy is one of either, by the rule above. */
struct record {
	bool second, copy;
	bool third; /* of more than two points, or an equal packet */
};
/* By the packets of the last second that were stored, of one interface and with
 * as many hops left. */
struct record duplicates_record(struct duplicates *,
	const struct packet *);
/* Stores a packet of such a connection. */
void duplicates_pair(struct duplicates *, const struct packet *, struct record);

#endif
