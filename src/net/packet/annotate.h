/*
 * Packets in, connections explained: the annotator.
 *
 * It is fed one packet at a time, live or from a file, and may be read between
 * any two: there is no end of input, and the same packets give the same
 * answer however they came. It is pure (no I/O, no clock) and bounded: so many
 * connections, and one store of memory for all that grows; what did not fit is
 * counted in struct capture_facts, never silently gone.
 *
 *     struct annotator *annotator = annotator_new(NULL);
 *     while (next(&record))
 *             annotator_add(annotator, &record);
 *     for (size_t i = 0; i < annotator_count(annotator); i++)
 *             explain(annotator_connection(annotator, i));
 *     annotator_free(annotator);
 *
 * Methods: sequence numbers are unwrapped to 64 bits. A range of bytes that
 * was captured before is a retransmission. One below the highest that was not
 * is late: at the sender's tap, where every packet passes, it was reordered;
 * elsewhere its timestamp is compared with that of the segment that opened
 * the hole (greater: sent again after an upstream loss; smaller: reordered;
 * equal or none: by the order of IPv4 identifications, where these follow one
 * another, else by time, else by duplicate acknowledgements). Rounds begin with
 * the first new data whose timestamp echo shows that the round before was being
 * acknowledged, which is the same at either end of the path.
 */
#ifndef BENCHTOP_ANNOTATE_H
#define BENCHTOP_ANNOTATE_H

#include "connection.h"

struct sighting;

/* What a live capture knows better than the packets do. */
struct annotator_options {
	enum tap tap; /* TAP_UNKNOWN: inferred for each connection */
	bool paced;   /* the congestion control paces (bbr) */
	/* Called for every TCP packet, in order, after it was understood; the
	 * sighting lives as long as the call. NULL: nobody watches. */
	void (*watch)(void *context, const struct sighting *);
	/* Called for a connection that gives way to a new one. */
	void (*forget)(void *context, const struct connection *);
	void *context;
};

/* What a packet turned out to be. */
enum mark {
	MARK_COPY = 1 << 0, /* captured twice; otherwise ignored */
	MARK_RETRANSMISSION = 1 << 1,
	MARK_REORDERED = 1 << 2,
	MARK_GAP = 1 << 3, /* something before it is missing */
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
	MARK_CAPTURE_GAP = 1 << 14, /* acknowledges what was not captured */
};

struct sighting {
	const struct packet *packet;
	const struct connection *connection;
	int side;                /* that sent it */
	unsigned marks;          /* enum mark */
	enum retransmission why; /* with MARK_RETRANSMISSION */
	uint64_t position;       /* of its first byte, of side */
	uint64_t end;            /* behind its last */
	uint64_t ack;            /* position in the other side's stream */
};

/* Of the whole capture. */
struct capture_facts {
	uint64_t packets;
	uint64_t of_class[PACKET_CLASSES];
	uint64_t copies, repeats;  /* duplicates.h */
	uint64_t stamps_backwards; /* earlier than the packet before */
	uint64_t stamps_invalid;
	uint64_t options_truncated; /* packets whose options were cut */
	uint64_t options_invalid;
	uint64_t cut;      /* packets not captured whole */
	uint64_t overlong; /* longer by their headers than frames */
	uint64_t vlan_packets, pppoe_packets;
	uint32_t vlan_tags_most;
	uint64_t gaps;        /* of all sides */
	uint64_t connections; /* that were seen .. */
	uint64_t forgotten;   /* .. and gave way to later ones */
	uint64_t left_out;    /* events, rounds and ranges, for want of room */
	uint32_t longest_captured_bytes;
	int64_t first_ns, last_ns; /* UNKNOWN_NS */
	int64_t resolution_ns;     /* of the stamps: 1, 1000 or 1000000 */
	uint32_t link_type;        /* of the first packet */
	uint32_t link_unknown;     /* a type that is not understood */
};

enum { CONNECTIONS_MAX = 4096 };

/* NULL: nothing is known. The options are copied. */
struct annotator *annotator_new(const struct annotator_options *);
void annotator_free(struct annotator *);
void annotator_add(struct annotator *, const struct packet_record *);

const struct capture_facts *annotator_facts(const struct annotator *);
/* Connections in the order of their first packets. */
size_t annotator_count(const struct annotator *);
const struct connection *annotator_connection(const struct annotator *,
	size_t i);

#endif
