/*
 * The state of one TCP connection: the structure from which text, JSON and
 * screen are generated.
 *
 * Positions in a stream have 64 bits and never wrap: a side's sequence numbers
 * are unwrapped relative to the highest seen. side_offset() converts a position
 * to an offset in that side's stream. Offset 0 is the first byte of data after
 * the SYN, or the first captured byte if the SYN was not captured. Times are
 * nanoseconds of CLOCK_REALTIME as captured. An unknown time span is
 * UNKNOWN_NS, never 0. The structure can be read after any packet.
 *
 * side[0] is the sender of the first packet; side[client] is the side that
 * opened the connection. If a socket is connected to itself (self_connect),
 * both directions have one address and everything is in side[0].
 */
#ifndef BENCHTOP_CONNECTION_H
#define BENCHTOP_CONNECTION_H

#include "duplicates.h"
#include "handshake.h"
#include "ranges.h"
#include "round.h"
#include "stamps.h"
#include "teardown.h"

/* Where the capture was taken: known by the caller, or inferred from the
 * handshake. The leg between the tap and the nearer end is short. If the legs
 * are too short for a decision, the tap is unknown, unless other connections
 * place it at one of this connection's hosts. */
enum tap { TAP_UNKNOWN, TAP_CLIENT, TAP_SERVER, TAP_MIDDLE, TAP_LOOPBACK };
enum tap_basis { TAP_NOT_KNOWN, TAP_TOLD, TAP_LEGS, TAP_ADDRESSES, TAP_HOST };
enum role_basis { ROLE_SYN, ROLE_SYNACK, ROLE_GUESSED };

/* A side's SYN or SYN/ACK and the options in it. */
struct offer {
	bool seen;
	struct tcp_options options;
	bool ecn;               /* ECE and CWR on a SYN, ECE on a SYN/ACK */
	bool accurate_ecn;      /* AE set too, or a reply to that */
	uint64_t payload_bytes; /* in the SYN itself */
};

/* ---- one direction ----------------------------------------------------- */

/* The cause of a retransmission, according to the evidence at the tap. */
enum retransmission {
	RETRANSMIT_TIMEOUT,
	RETRANSMIT_TAIL_PROBE,
	RETRANSMIT_TIMER, /* a time-out or a tail loss probe */
	RETRANSMIT_FAST, /* three duplicate ACKs, or as much data SACKed */
	RETRANSMIT_RACK, /* some data SACKed; decided by time */
	RETRANSMIT_RECOVERY,
	RETRANSMIT_AGAIN,    /* the same bytes for at least the third time */
	RETRANSMIT_SPURIOUS, /* the receiver had already acknowledged it */
	RETRANSMIT_UNKNOWN,
	RETRANSMIT_FIN, /* without data: it belongs to the close */
	RETRANSMIT_SYN, /* SYN or SYN/ACK, without data */
	RETRANSMISSIONS,
};

struct rtt {
	int64_t least_ns, last_ns; /* UNKNOWN_NS before the first sample */
	int64_t smoothed_ns, variation_ns; /* RFC 6298 */
	uint64_t samples;
};

/* Segments awaiting an acknowledgement, for round-trip times. */
enum { PENDING_MAX = 32, ECHOES_MAX = 1024 };

struct tcp_echo {
	uint32_t tsval;
	int64_t t_ns;   /* of the first packet with this value */
	uint64_t acked; /* acknowledgement of the last packet with it */
	uint64_t edge;  /* end of the window in that packet */
};

/* Packets that certainly exceeded the window: more than a later one allowed. */
struct proof {
	uint64_t packets;
	uint64_t bytes; /* largest excess over the later window */
	struct byte_range first; /* its packet; the range of the farthest */
};

#define VLAN_UNSEEN UINT32_MAX

/* Merged captures have a connection at several points of its path. Its records
 * are told apart by their interface in the file, else by the hops that they
 * have left, else by their order: all packets of one direction pass the points
 * in the same order. */
enum tap_points {
	POINTS_ONE,
	POINTS_INTERFACES, /* of several: the connection is listed for each */
	POINTS_HOPS,       /* the same */
	POINTS_ORDER,      /* the same, of two */
	POINTS_KINDS,
};

struct side {
	uint32_t vlan; /* of its packets, as in struct packet; VLAN_UNSEEN */
	uint16_t interface; /* of its first packet */
	uint8_t ttl;        /* the same */
	bool second;        /* the same: it was captured before; */
	bool leaving;       /* the capturing machine sent it */
	/* The machine received the packets and sent them on. Those that leave
	 * are copies, however they are cut and delayed then. */
	bool forwarded;
	struct doubles doubles; /* whether its packets were captured twice */
	struct offer offer;
	bool started; /* positions are valid */
	bool placed;  /* .. from its own packets, or from a SYN/ACK to it */
	bool isn_known;
	uint64_t first; /* position of offset 0 */
	uint64_t next;  /* highest end seen */
	uint64_t acked; /* highest acknowledgement by the other side */
	bool acked_known;
	uint64_t before; /* acknowledged before its first packet */
	uint64_t edge; /* end of the other side's window, the highest */
	/* An acknowledgement of more than was captured, beyond `edge`: it
	 * waits for the next one of the other side. */
	struct {
		uint64_t ack;     /* 0: none */
		uint64_t highest; /* known before it */
		uint64_t number;  /* packet */
		int64_t t_ns;
		bool has_timestamps;
		uint32_t tsval;
	} doubted;
	uint32_t unanswered; /* consecutive retransmissions without any reply */
	uint32_t expired;    /* those of them that a timer sent */

	/* Packets and bytes of data sent by this side. */
	uint64_t packets, frames, segments;
	uint64_t payload_bytes; /* first transmissions, as captured */
	uint64_t super_frames;  /* larger than one segment */
	uint64_t largest_bytes; /* payload of one packet */
	uint64_t retransmitted_frames, retransmitted_segments,
		retransmitted_bytes;
	uint64_t retransmissions[RETRANSMISSIONS]; /* segments, by kind */
	uint64_t fin_retransmissions;              /* part of those above */
	uint64_t retransmitted_partly; /* frames that carried new data too */
	uint64_t reordered;      /* overtaken before the tap */
	uint64_t recorded_late;  /* packets that the recorder delayed */
	uint64_t unclear; /* one of these, recorded twice, or sent again */
	uint64_t gaps;           /* places where the sequence skips ahead */
	uint64_t gaps_open;      /* acknowledged, but never captured */
	uint64_t gap_bytes;      /* bytes in open gaps */
	uint64_t duplicate_acks; /* sent by this side */
	uint64_t sack_acks;      /* ACKs with new selective acknowledgements */
	uint64_t dsacks;         /* ACKs for data received twice */
	bool copied; /* .. which was sent once: the network made a copy */
	uint64_t ece_acks, cwr_packets;
	uint8_t marks; /* the counter of accurate ECN, as last received */
	uint64_t probed; /* end of a zero-window probe with a new byte */
	uint64_t zero_windows, zero_window_probes, keepalives, window_updates;
	uint64_t zero_window_acks; /* ACKs in all zero windows */
	uint64_t window_fulls;  /* this side filled the other's window; */
	bool window_filled;     /* .. and it has not opened since */
	uint64_t beyond_window; /* packets that exceed the other's window */
	uint64_t beyond_window_bytes; /* largest excess of a packet, or more */
	uint64_t discarded_bytes;     /* see window_again() */
	struct {
		uint64_t packets;
		uint64_t number, edge; /* of the first: packet; the window's */
		uint64_t bytes;        /* largest excess before it */
		struct proof proven;
	} beyond; /* those of them that are neither acknowledged nor discarded:
		   * the receiver may have accepted them */
	int64_t zero_window_ns; /* time at zero; read side_zero_window_ns() */
	int64_t first_data_ns, last_data_ns; /* UNKNOWN_NS */
	uint32_t mss_bytes;                  /* effective; 0: unknown */
	bool mss_left; /* .. without timestamps that the SYN does not show */
	uint32_t mtu_bytes; /* requested by a router; 0: none */

	/* The window that this side offers. */
	bool window_known;
	uint64_t window_bytes; /* scaled if the shift is known */
	int64_t zero_since_ns; /* UNKNOWN_NS: the window is open */
	uint64_t window_least_bytes, window_most_bytes;

	/* The data that this side sent. */
	struct ranges holes;  /* above acked, below next, never captured */
	struct ranges unseen; /* below acked, never captured */
	uint64_t unseen_told; /* reported as events up to here */
	struct ranges sacked; /* above acked, as reported by the other side */
	struct ranges again;  /* sent more than once, above acked */
	struct ranges repaired; /* holes filled by a repeat, with its tsval:
				 * the original may still come; `skipped`:
				 * its timestamp would be older; `times`: 0 if
				 * it is unclear whether it was a repeat */
	struct ranges excess; /* beyond the window, above acked; a range for
			       * each packet; `times`: 1 if judged */
	uint64_t sacked_bytes;
	uint64_t ranges_lost; /* not stored because of full tables */
	struct stamps stamps;
	struct byte_range told; /* skipped by a packet without data: sent */
	uint32_t dupacks;       /* consecutive duplicates that ask for acked */
	uint64_t recover;       /* end of the recovery; 0: none */
	/* Time in recovery: from the silence before the first repeat until
	 * what was sent before it is acknowledged. */
	int64_t recovery_since_ns, recovery_ns;
	int64_t recovered_ns;   /* end of the last recovery; UNKNOWN_NS */
	int64_t progress_ns;    /* time when acked last advanced */
	int64_t repair_ns;      /* from a hole to its repair; UNKNOWN_NS */
	int64_t sent_ns;        /* the last packet with data */
	uint64_t sent_from;     /* where the last new data began */
	/* New data since the other side's last packet: its position, and the
	 * time of the first; UNKNOWN_NS: none. */
	uint64_t unprompted;
	int64_t unprompted_ns;
	uint64_t in_flight_most_bytes;
	/* Time limited by the peer's window, full or closed, outside
	 * recoveries: data behind a hole fills a window too. */
	int64_t full_since_ns; /* UNKNOWN_NS: not now */
	int64_t full_until_ns; /* the latest end at the far tap; UNKNOWN_NS:
				* the window has not opened yet */
	int64_t full_ns;       /* total */
	int64_t idle_since_ns; /* time when everything was acknowledged;
				* UNKNOWN_NS */
	int64_t idle_ns;       /* total time limited by the application */
	int64_t ack_train_ns, ack_seen_ns; /* of the other side's ACKs */

	/* Pure acknowledgements, for the detection of duplicates. */
	uint64_t last_ack, last_ack_window;
	bool last_ack_known;

	/* Round trips of this side's data, at a tap at either end. */
	struct rtt rtt;
	uint64_t karn; /* end of the retransmitted data: no samples until it is
			* acknowledged */
	struct {
		uint64_t end;
		int64_t t_ns;
	} pending[PENDING_MAX];
	uint32_t pending_head, pending_count;
	/* This side's acknowledgements by their timestamps, oldest first: the
	 * knowledge of the other side when it echoed a timestamp. */
	struct tcp_echo *echoes;
	uint32_t echo_first, echo_count, echo_room;
	/* Steps between the IPv4 identifications of consecutive packets. */
	struct {
		uint32_t up, down, large;
		uint16_t last;
	} ids;
	bool has_timestamps, last_has_timestamps;
	uint32_t first_tsval, last_tsval;
	int64_t first_tsval_ns, last_tsval_ns;

	struct rounds rounds;

	/* End of the stream. */
	bool fin_seen;
	uint64_t fin; /* position of the FIN; its end is fin + 1 */
};

/* ---- events ------------------------------------------------------------ */

enum event_kind {
	EVENT_SYN_AGAIN,
	EVENT_SYNACK_AGAIN,
	EVENT_SYN_MISMATCH,   /* a different SYN in an active connection */
	EVENT_RETRANSMISSION, /* `why` is an enum retransmission */
	EVENT_REORDERED,
	EVENT_GAP,         /* the sequence numbers skip ahead */
	EVENT_CAPTURE_GAP, /* acknowledged, never captured */
	EVENT_THIRD_DUPLICATE_ACK,
	EVENT_DSACK,
	EVENT_ZERO_WINDOW,
	EVENT_ZERO_WINDOW_PROBE,
	EVENT_WINDOW_OPEN,
	EVENT_WINDOW_FULL, /* only the first ones: see window_fulls */
	EVENT_KEEPALIVE,
	EVENT_IDLE_RESTART, /* data after more than a timeout of silence */
	EVENT_ECN_ECHO,
	EVENT_CWR,
	EVENT_MTU,       /* `from`: the router's MTU */
	EVENT_FIN_EARLY, /* before the connection was established */
	EVENT_FIN_AGAIN,
	EVENT_RESET,          /* `why` is an enum reset_kind */
	EVENT_WSCALE_CLAMPED, /* `from`: as sent */
	EVENT_EXIT,           /* slow start ended; `why`: exit_reason */
	EVENT_RECORDED_LATE,  /* see struct side */
	EVENT_BEYOND_WINDOW,  /* `from`: the receive window's edge; `to`: the
			       * end of the data beyond it */
	EVENT_UNCLEAR,         /* see struct side */
	EVENT_UNSENT_ACKED,    /* an acknowledgement of data never sent */
	EVENT_KINDS,
};

struct tcp_event {
	int64_t t_ns;
	uint64_t number;   /* packet */
	uint64_t from, to; /* positions of the range concerned */
	uint8_t kind, side, why;
};

enum { EVENTS_MAX = 1 << 14 };

/* The latest SYNs, or SYN/ACKs, with another initial sequence number than the
 * connection's: if they are answered, they begin another connection between the
 * same ends, and else they are strays. A SYN with the same number after the
 * handshake begins one too, if another SYN/ACK answers it, and else it is a
 * repeat. */
struct stray_syns {
	struct packet *at; /* copies of one SYN: the first ones, and the last */
	uint32_t count, room;
	int side;
	bool same; /* the connection's number: they also count as repeats */
	int64_t before_ns; /* last_ns of the connection without them */
};

struct connection {
	uint64_t number; /* from 1, in the order of first packets */
	struct endpoint end[2];
	int client;
	enum role_basis role;
	bool self_connect;
	bool port_reused; /* an earlier connection had the same ends */
	bool continued; /* it was forgotten: its packets before are not here */
	enum tap tap;
	enum tap_basis tap_basis;
	enum tap_points points;
	bool mixed; /* it has records of points that are not told apart */
	bool several; /* its SYN was recorded again, too late for a mirror */
	int64_t first_ns, last_ns;
	uint64_t packets, duplicates;
	/* The longest time between a packet and its copy, if it is too long for
	 * one point: then they may be of two points; else 0. */
	int64_t copies_apart_ns;
	/* The longest silence while data was not acknowledged, or after the
	 * client's data until the server's, and the packet that ended it; 0:
	 * none. */
	int64_t stall_ns;
	uint64_t stall_number;
	bool stall_answered; /* only the server's data was missing: it may have
			      * had none to send */
	uint64_t options_truncated; /* packets */
	uint64_t stamps_invalid;    /* if any: no legs, no round trips */
	bool scaling_known; /* both SYNs were captured with their options */
	bool scaling;       /* both sides offered window scaling */
	struct side side[2];
	struct handshake handshake;
	struct teardown teardown;
	struct stray_syns strays;
	struct tcp_event *events;
	uint32_t event_count, event_room;
	uint64_t events_left_out;
	unsigned seen; /* SYN 1, SYN/ACK 2, ACK 4, data 8, FIN 16, RST 32 */
};

static inline int side_peer(const struct connection *connection, int side)
{
	return connection->self_connect ? side : !side;
}

/* A position as an offset in the stream; negative before its beginning. */
static inline int64_t side_offset(const struct side *side, uint64_t position)
{
	return (int64_t)(position - side->first);
}

/* The highest known position of a side's stream: the end of its data, or the
 * highest acknowledgement by the other side if that is higher. */
static inline uint64_t side_highest(const struct side *side)
{
	return side->acked_known && side->acked > side->next ? side->acked :
							       side->next;
}

/* True if one end has both the address and the port of `end`. Its version 0
 * means any address, its port 0 any port. */
bool connection_has_end(const struct connection *, const struct endpoint *end);
/* True if the other direction was captured. If not, missing acknowledgements
 * prove nothing. */
bool side_is_answered(const struct connection *, int side);
/* The number of bytes in a side's stream, captured or not. */
uint64_t side_stream_bytes(const struct side *);
/* True if its end, which may be a FIN, was acknowledged but not captured. */
bool side_lacks_end(const struct side *);
/* The time for which a side's window was closed. A window that is still closed
 * counts until the last packet of the connection. */
int64_t side_zero_window_ns(const struct connection *, int side);
/* The time for which the other side's window has limited a side until end_ns,
 * if it still does. */
int64_t side_full_open_ns(const struct side *, int64_t end_ns);
/* The time for which it limited the side, until end_ns. */
int64_t side_full_all_ns(const struct side *, int64_t end_ns);
/* The time for which it limited round i, from 0, which ended at end_ns. */
int64_t side_full_ns(const struct side *, uint32_t i, int64_t end_ns);
/* Bytes sent and not acknowledged, without selectively acknowledged ones. */
uint64_t side_in_flight(const struct side *);
/* The size of a segment: the largest that was sent, or that is allowed. 0: not
 * known. */
uint64_t side_segment_bytes(const struct side *);
/* The data of a segment on Ethernet, without options. */
enum { ETHERNET_SEGMENT_BYTES = 1460 };
/* The segment size is unknown, and packets are larger than those of Ethernet:
 * hosts and cards merge segments, and segments are counted as packets. */
bool side_counts_packets(const struct side *);
/* The number of segments in `bytes`, rounded up. Merging by host or network
 * card has no effect. If the segment size is unknown, returns `frames`. */
uint64_t side_segments(const struct side *, uint64_t bytes, uint64_t frames);
/* Rounded to the nearest, for a window: a write may end within a segment. */
uint64_t side_segments_about(const struct side *, uint64_t bytes,
	uint64_t frames);
/* True if the tap is at this side's end, where all its packets pass. */
bool side_is_near(const struct connection *, int side);
/* ROUNDS_ESTIMATED too if packets recorded late or slow clocks blur them. */
enum rounds_basis side_rounds_basis(const struct connection *, int side);
/* How slow start ended. EXIT_UNKNOWN, inferred, if the last complete round did
 * not grow, nor does the open one: too few rounds follow to show the cause; or
 * if the data ended, and packets were lost by the capture or are unclear that
 * would show an earlier end. */
struct slow_start_exit side_exit(const struct side *);
/* The same as a short clause, which states the doubt of what is inferred. For
 * every output, so that none is surer than another. */
const char *side_exit_words(const struct side *);
/* True if slow start ended with a round that silence follows. */
bool side_exit_silent(const struct side *);
/* The growth of round i, from 0: its bytes over those of the round before, each
 * of at least a segment. 0: there is no round before. */
double side_growth(const struct side *, uint32_t i);
/* True if the round trips of several rounds grew as much as HyStart takes for a
 * queue. Away from the sender's tap they include waits of the application, and
 * show nothing. */
bool side_is_delayed(const struct connection *, int side);
/* The same of one round. *base_ns: the least round trip of the path and of the
 * rounds before, which the call updates. */
bool round_is_delayed(const struct round *, int64_t *base_ns);
/* The initial window, from the first round. */
struct initial_window side_initial_window(const struct connection *, int side);
/* The side that sent more data. */
int connection_sender(const struct connection *);
enum close_kind connection_close(const struct connection *);

/* Names, for text and JSON: "fast", "zero_window", .. */
const char *event_name(enum event_kind);
const char *retransmission_name(enum retransmission);
const char *exit_name(enum exit_reason);
const char *close_name(enum close_kind);
const char *reset_name(enum reset_kind);
const char *tap_name(enum tap);
const char *tap_basis_name(enum tap_basis);
const char *points_name(enum tap_points);
const char *role_basis_name(enum role_basis);
const char *rounds_basis_name(enum rounds_basis);
const char *initial_window_name(enum initial_window_state);

#endif
