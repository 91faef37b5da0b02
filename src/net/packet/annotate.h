/*
 * The annotator: from packets to explained connections.
 *
 * The caller passes one packet at a time, live or from a file. The result can
 * be read after any packet: there is no explicit end of input. The same packets
 * give the same result from any source. The annotator does no I/O and reads no
 * clock. Its memory is bounded: a maximum number of connections, and one memory
 * store for everything that grows. struct capture_facts counts what did not
 * fit.
 *
 *     struct annotator *annotator = annotator_new(NULL);
 *     while (next(&record))
 *             annotator_add(annotator, &record);
 *     for (size_t i = 0; i < annotator_count(annotator); i++)
 *             explain(annotator_connection(annotator, i));
 *     annotator_free(annotator);
 *
 * Methods: sequence numbers are unwrapped to 64 bits. A range of bytes that was
 * captured before is a retransmission, unless its timestamp is older than that
 * of the repeat that came first. A range below the highest position that was
 * not captured before is late. Its timestamp is compared with that of the
 * segment that opened the hole. A greater one means sent again: the network or
 * the capture lost the first copy. A smaller one means recorded late at the
 * sender's tap, where no network reorders, and reordered elsewhere. For equal
 * timestamps time decides: a repair takes a round trip, and the network may
 * delay a packet for a part of one. If the round trip is unknown, only a
 * time-out proves a retransmission, and after three duplicate acknowledgements
 * it is unclear.
 *
 * Data acknowledged before it was captured was recorded late if that is at most
 * a millisecond, and sent again if it is as long as a timer; between them, its
 * timestamp decides, or it is unclear. Data with a time before that of the
 * packet that opened its hole was recorded late. Bytes are counted at their
 * first copy. A round begins with the first new data whose timestamp echo shows
 * that the round before was being acknowledged. This is the same at either end
 * of the path.
 */
#ifndef BENCHTOP_ANNOTATE_H
#define BENCHTOP_ANNOTATE_H

#include "connection.h"

struct sighting;
struct tcpinfo_log;

/* What a live capture knows in addition to the packets. */
struct annotator_options {
	enum tap tap; /* TAP_UNKNOWN: inferred for each connection */
	bool paced;   /* the congestion control uses pacing (bbr) */
	/* Or: the kernel's reports of it, read when growth stops. May be
	 * NULL. */
	const struct tcpinfo_log *tcpinfo;
	/* Called for every TCP packet, in order, after its analysis; again if
	 * it moved. The sighting is valid during the call. May be NULL. */
	void (*watch)(void *context, const struct sighting *);
	void *context;
	/* Of too many connections, those with this end, see
	 * connection_has_end(), are replaced last; before them those with
	 * retransmitted data, up to half of all; and first the others. */
	struct endpoint only;
	/* Called for a connection that is replaced by a new one. May be
	 * NULL. */
	void (*forget)(void *forget_context, const struct connection *);
	void *forget_context;
};

/* The result of a packet's analysis. */
enum mark {
	MARK_COPY = 1 << 0, /* captured twice; otherwise ignored */
	MARK_RETRANSMISSION = 1 << 1,
	MARK_REORDERED = 1 << 2, /* both: one of them, or recorded late */
	MARK_GAP = 1 << 3, /* data before this packet is missing */
	MARK_DUPLICATE_ACK = 1 << 4,
	MARK_SACK = 1 << 5,
	MARK_DSACK = 1 << 6,
	MARK_ZERO_WINDOW = 1 << 7,
	MARK_PROBE = 1 << 8,
	MARK_KEEPALIVE = 1 << 9,
	MARK_WINDOW_UPDATE = 1 << 10,
	MARK_WINDOW_FULL = 1 << 11,
	MARK_ROUND = 1 << 12, /* opens a round */
	MARK_NEW_DATA = 1 << 13,
	MARK_CAPTURE_GAP = 1 << 14, /* acknowledges data not captured yet */
	MARK_RECORDED_LATE = 1 << 15, /* see struct side */
};

struct sighting {
	const struct packet *packet;
	const struct connection *connection;
	int side;                /* the sender */
	unsigned marks;          /* enum mark */
	enum retransmission why; /* with MARK_RETRANSMISSION */
	uint64_t position;       /* of the first byte, in the sender's stream */
	uint64_t end;            /* after the last byte */
	uint64_t ack;            /* position in the other side's stream */
	int64_t rtt_ns; /* a round trip that this packet ended; UNKNOWN_NS */
	int rtt_side;   /* the side whose data it timed */
	bool moved; /* the packet was seen before, in an earlier connection: it
		     * began this one, as its answer shows */
};

/* Totals of the capture. */
struct capture_facts {
	uint64_t packets;
	uint64_t of_class[PACKET_CLASSES];
	uint64_t copies, repeats, bare; /* duplicates.h */
	uint64_t stamps_sorted; /* behind later packets in the file */
	uint64_t stamps_backwards; /* earlier than the packet before */
	uint64_t stamps_invalid;
	uint64_t options_truncated; /* options were cut by the capture */
	uint64_t options_invalid;
	uint64_t cut;      /* packets not captured whole */
	uint64_t overlong; /* packets whose headers state more bytes than the
			    * frame has */
	uint64_t vlan_packets, pppoe_packets, tunnel_packets;
	uint32_t vlan_tags_most;
	uint64_t gaps;        /* of all sides */
	uint64_t connections; /* found */
	uint64_t forgotten;   /* replaced by later ones */
	uint64_t left_out;    /* events, rounds and ranges that did not fit */
	uint32_t longest_captured_bytes;
	int64_t first_ns, last_ns; /* UNKNOWN_NS */
	int64_t resolution_ns;     /* of the stamps: 1, 1000 or 1000000 */
	uint32_t link_type;        /* of the first packet */
	uint64_t link_others;      /* packets of another type than the first */
	uint32_t link_unknown;     /* a link type that is not read */
	bool damaged; /* the source has more, which cannot be read */
};

enum {
	CONNECTIONS_MAX = 4096,
	/* As many with retransmitted data outlast later ones without. */
	CONNECTIONS_RESENT_MAX = CONNECTIONS_MAX / 2,
};

/* An annotator. The options are copied; NULL: none. */
struct annotator *annotator_new(const struct annotator_options *);
void annotator_free(struct annotator *);
void annotator_add(struct annotator *, const struct packet_record *);
/* The rest of the source cannot be read. */
void annotator_damaged(struct annotator *);

const struct capture_facts *annotator_facts(const struct annotator *);
/* Connections in the order of their first packets. */
size_t annotator_count(const struct annotator *);
const struct connection *annotator_connection(const struct annotator *,
	size_t i);

#endif
