/*
 * What is known of one TCP connection: the one structure that the text, the
 * JSON and the screen are drawn from.
 *
 * Positions in a stream are 64 bits wide and never wrap: a side's sequence
 * numbers are unwrapped against the highest seen. side_offset() gives a
 * position as an offset in that side's stream: 0 is the first byte of data
 * after the SYN, or the first byte captured where the SYN was not. Times are
 * nanoseconds of CLOCK_REALTIME as captured; a span that is unknown is
 * UNKNOWN_NS, never 0. Everything may be read between any two packets.
 *
 * side[0] is the sender of the first packet that was seen; side[client] the
 * one that opened. In a connection of a socket to itself (self_connect) both
 * directions have one address: everything is in side[0].
 */
#ifndef BENCHTOP_CONNECTION_H
#define BENCHTOP_CONNECTION_H

#include "decode.h"
#include "ranges.h"

#define UNKNOWN_NS INT64_MIN

/* Where the capture was taken; KNOWN by the caller or inferred from the
 * handshake: the leg to the near end is short. */
enum tap { TAP_UNKNOWN, TAP_CLIENT, TAP_SERVER, TAP_MIDDLE, TAP_LOOPBACK };
enum tap_basis { TAP_NOT_KNOWN, TAP_TOLD, TAP_LEGS, TAP_ADDRESSES };
enum role_basis { ROLE_SYN, ROLE_SYNACK, ROLE_GUESSED };

/* ---- handshake --------------------------------------------------------- */

enum { TRIES_MAX = 8 };

/* A SYN or SYN/ACK each time it was sent. */
struct
try {
	int64_t t_ns;
	uint64_t number;
	uint32_t tsval, tsecr;
	bool has_timestamps;
};

struct tries {
	struct try at[TRIES_MAX]; /* the first ones and, at the end, the last */
	uint32_t count;           /* that there were; may be more */
};

/* A side's SYN or SYN/ACK and what it offered. */
struct offer {
	bool seen;
	struct tcp_options options;
	bool ecn;               /* ECE and CWR on a SYN, ECE on a SYN/ACK */
	bool accurate_ecn;      /* AE too, or an answer to that */
	uint64_t payload_bytes; /* in the SYN itself */
};

enum leg_state {
	LEG_KNOWN,
	LEG_UNSEEN,       /* one of its two packets is not in the capture */
	LEG_AMBIGUOUS,    /* retransmitted: which copy was answered? (Karn) */
	LEG_OUT_OF_ORDER, /* the answer was captured before its question */
};

struct leg {
	enum leg_state state;
	int64_t took_ns;   /* LEG_KNOWN, else UNKNOWN_NS */
	int64_t least_ns;  /* LEG_AMBIGUOUS: from the last copy */
	uint64_t from, to; /* packets; 0: none */
};

struct handshake {
	struct tries syn, synack; /* of client and server; in a simultaneous
				   * open of side[client] and the other */
	bool simultaneous;        /* both sent a SYN before any SYN/ACK */
	struct tries syn_other;   /* then: the other side's SYN */
	int64_t ack_ns;           /* the third packet; UNKNOWN_NS */
	uint64_t ack_number;
	uint32_t ack_tsecr;
	bool ack_has_timestamps;
	bool ack_with_data;
	bool complete;
	struct leg a;    /* SYN to SYN/ACK: what connect() waits for */
	struct leg b;    /* SYN/ACK to ACK: what it cannot see */
	int64_t path_ns; /* round trip of the path, a + b; UNKNOWN_NS */
};

/* ---- rounds and slow start -------------------------------------------- */

/* How rounds were told apart. */
enum rounds_basis {
	ROUNDS_NONE,      /* no data, or nothing to tell them by */
	ROUNDS_ECHO,      /* by the data's timestamp echo: exact at any tap */
	ROUNDS_ACK_CLOCK, /* by acknowledgements, at the sender's tap */
	ROUNDS_ESTIMATED, /* by time, at the receiver's tap */
	ROUNDS_TOO_SHORT, /* the round trip is shorter than a flight takes */
};

/* The data that one flight of acknowledgements released. */
struct round {
	int64_t start_ns, last_ns; /* of its first and last data packet */
	uint64_t number;           /* of its first packet */
	uint64_t first;            /* position of its first byte */
	uint64_t bytes, segments, frames;
	uint64_t in_flight_bytes; /* most, as seen at the tap */
	uint64_t window_bytes;    /* the receive window, least room seen */
	int64_t rtt_ns;           /* least of its samples; UNKNOWN_NS */
	int64_t train_ns;         /* acknowledgements at most 2 ms apart */
	uint32_t rtt_samples;
	uint32_t retransmissions; /* while it was open */
	bool window_known;
	bool window_full; /* its last packet used up the receive window */
	bool app_limited; /* after it the sender had nothing to send */
};

enum { ROUNDS_MAX = 1024 };

/* Why the congestion window stopped doubling. */
enum exit_reason {
	EXIT_NONE, /* it has not (yet), or there are no rounds */
	EXIT_LOSS,
	EXIT_ECN,
	EXIT_WINDOW, /* the receive window */
	EXIT_APPLICATION,
	EXIT_HYSTART, /* growth stopped with nothing to stop it but delay */
	EXIT_HYSTART_DELAY,
	EXIT_HYSTART_TRAIN,
	EXIT_PACING,
	EXIT_END_OF_DATA,
	EXIT_UNKNOWN,
	EXIT_REASONS,
};

struct slow_start_exit {
	enum exit_reason reason;
	bool certain;      /* false: inferred from growth alone */
	uint32_t round;    /* from 1; the one in which it ended */
	uint64_t evidence; /* packet; 0: none */
	int64_t t_ns;
	uint64_t in_flight_bytes; /* most until then */
};

/* Whether the first round is the initial window. */
enum initial_window_state {
	WINDOW_UNKNOWN,        /* no start of the connection in the capture */
	WINDOW_WHOLE,          /* it is */
	WINDOW_CUT_BY_APP,     /* the application wrote no more: at least */
	WINDOW_CUT_BY_PEER,    /* the peer's window allowed no more: at least */
	WINDOW_CUT_BY_LOSS,    /* what was lost hides its end: at least */
	WINDOW_NOT_OBSERVABLE, /* the round trip is shorter than the flight */
};

struct initial_window {
	enum initial_window_state state;
	uint64_t segments, bytes; /* 0 where nothing can be said */
};

struct rounds {
	enum rounds_basis basis;
	struct round *at; /* count of them; the last is open */
	uint32_t count, room;
	uint64_t left_out;
	bool acked; /* something of the open round is acknowledged .. */
	bool ack_has_timestamps;
	uint32_t ack_tsval; /* .. since this value of the other side's clock */
	uint32_t ack_tsecr; /* .. and this one, echoed, of the sender's */
	int64_t ack_ns;
	uint64_t ack_from;  /* .. and its place in the other side's stream: */
	bool ack_unechoed;  /* what precedes it was not acknowledged then */
	int64_t learned_ns; /* ROUNDS_ESTIMATED: acknowledgement to data */
	/* The data since the timestamp echo last moved: where the next round
	 * begins, should what it echoes turn out to release one. */
	struct round since_echo;
	uint32_t echoed;
	bool echo_known;
	/* Of the first round, at its end: counted to it though sent later, as
	 * the sender's tap knows, or perhaps so (rounds.c). */
	uint64_t edge_bytes, edge_segments;
	bool edge_unknown;
	struct slow_start_exit exit;
	uint32_t slow_rounds; /* in a row that grew by less than a quarter */
};

/* ---- one direction ----------------------------------------------------- */

/* The identifications of a side's packets of IPv4, away from its tap. */
struct numbering {
	uint16_t next;   /* that of the packet after the latest seen .. */
	uint32_t steady; /* .. if it counts: so many in a row did */
	bool certain;    /* how many segments the latest seen was */
	bool highest;    /* it reached further than all before */
	bool overtaken;  /* the present one was sent before it, or may have */
	bool shared;     /* the host counts other packets by them as well */
	bool lost;       /* before the present one, more than it skips */
	bool reorders;   /* some packet came late */
	int64_t t_ns;
	/* The other side last sent what is answered at once though it asks for
	 * nothing new: UNKNOWN_NS. */
	int64_t asked_ns;
};

/* How a retransmission came about, as the evidence at the tap has it. */
enum retransmission {
	RETRANSMIT_TIMEOUT,
	RETRANSMIT_TAIL_PROBE,
	RETRANSMIT_FAST, /* three duplicate ACKs, or as much SACKed */
	RETRANSMIT_RACK, /* some SACK, by time */
	RETRANSMIT_RECOVERY,
	RETRANSMIT_AGAIN,    /* the same bytes for the third time or more */
	RETRANSMIT_SPURIOUS, /* what the receiver had acknowledged */
	RETRANSMIT_UNKNOWN,
	RETRANSMISSIONS,
};

struct rtt {
	int64_t least_ns, last_ns; /* UNKNOWN_NS before the first sample */
	int64_t smoothed_ns, variation_ns; /* RFC 6298 */
	uint64_t samples;
};

/* Segments whose acknowledgement is waited for, for round-trip times. */
enum { PENDING_MAX = 32, ECHOES_MAX = 1024 };

struct tcp_echo {
	uint32_t tsval;
	int64_t t_ns;   /* of the first with it */
	uint64_t acked; /* the last one's .. */
	uint64_t edge;  /* .. and the end of its window */
};

struct side {
	struct offer offer;
	bool started; /* positions mean something */
	bool isn_known;
	uint64_t first; /* position of offset 0 */
	uint64_t next;  /* the highest end seen */
	uint64_t acked; /* by the other side, the highest */
	bool acked_known;
	uint64_t edge; /* the other side's window ends here, the highest */
	uint32_t unanswered; /* sent again, and not a packet came back */

	/* Packets and bytes of data sent by this side. */
	uint64_t packets, frames, segments;
	uint64_t payload_bytes; /* first transmissions, as captured */
	uint64_t super_frames;  /* larger than one segment */
	uint64_t largest_bytes; /* payload of one packet */
	uint64_t retransmitted_frames, retransmitted_segments,
		retransmitted_bytes;
	uint64_t retransmissions[RETRANSMISSIONS]; /* segments, by kind */
	uint64_t fin_retransmissions;              /* part of those above */
	uint64_t reordered;                        /* late, not sent again */
	uint64_t gaps;           /* places where the sequence jumped ahead */
	uint64_t gaps_open;      /* .. acknowledged, though never captured */
	uint64_t gap_bytes;      /* .. of those */
	uint64_t duplicate_acks; /* sent by this side */
	uint64_t sack_acks;      /* that selected something new */
	uint64_t dsacks;         /* that reported a needless retransmission */
	uint64_t ece_acks, cwr_packets;
	uint8_t marks; /* the counter of accurate ECN, as last told */
	uint64_t zero_windows, zero_window_probes, keepalives, window_updates;
	uint64_t window_fulls;  /* this side filled the other's window */
	int64_t zero_window_ns; /* stood at zero, all together */
	int64_t first_data_ns, last_data_ns; /* UNKNOWN_NS */
	uint32_t mss_bytes;                  /* effective; 0: unknown */
	uint32_t mtu_bytes; /* a router asked for; 0: none did */

	/* The window this side offers. */
	bool window_known;
	uint64_t window_bytes; /* scaled where the shift is known */
	int64_t zero_since_ns; /* UNKNOWN_NS: it is open */
	uint64_t window_least_bytes, window_most_bytes;

	/* State of what this side sent. */
	struct ranges holes;  /* below next, never captured */
	struct ranges sacked; /* above acked, as the other side says */
	struct ranges again;  /* sent more than once, above acked */
	uint64_t sacked_bytes;
	uint64_t ranges_lost; /* not kept, for want of room */
	struct numbering numbering;
	uint64_t sent_to; /* sent before, to here, and lost; 0: not known */
	struct byte_range told; /* sent before a packet without data told so */
	uint32_t dupacks;       /* in a row, for what stands at acked */
	uint64_t recover;       /* recovery goes on to here; 0: none */
	int64_t progress_ns;    /* acked last moved */
	int64_t sent_ns;        /* the last packet with data */
	uint64_t in_flight_most_bytes;
	int64_t full_since_ns; /* the peer's window is full; UNKNOWN_NS */
	int64_t full_ns;       /* all together: limited by the window */
	int64_t idle_since_ns; /* everything acknowledged; UNKNOWN_NS */
	int64_t idle_ns;       /* all together: limited by the application */
	bool last_small;       /* the last data was less than a segment */
	int64_t ack_train_ns, ack_seen_ns; /* of the other side's ACKs */

	/* Pure acknowledgements, to know a duplicate. */
	uint64_t last_ack;
	bool last_ack_known;
	uint64_t last_ack_window;

	/* Round trips, as this side's data and the other's ACKs show. */
	struct rtt rtt;
	uint64_t karn; /* no sample below: something was sent twice */
	struct {
		uint64_t end;
		int64_t t_ns;
	} pending[PENDING_MAX];
	uint32_t pending_head, pending_count;
	/* This side's acknowledgements by their timestamps, oldest first: what
	 * the other side knew when it echoed one. */
	struct tcp_echo *echoes;
	uint32_t echo_first, echo_count, echo_room;
	bool has_timestamps, last_has_timestamps;
	uint32_t first_tsval, last_tsval;
	int64_t first_tsval_ns, last_tsval_ns;

	struct rounds rounds;

	/* End of the stream. */
	bool fin_seen;
	uint64_t fin; /* position of the FIN; its end is fin + 1 */
};

/* ---- teardown ---------------------------------------------------------- */

enum close_kind {
	CLOSE_NONE,         /* no teardown in the capture */
	CLOSE_ORDERLY,      /* FIN and ACK both ways */
	CLOSE_SIMULTANEOUS, /* both FINs before either was acknowledged */
	CLOSE_HALF,         /* one side only */
	CLOSE_RESET,
	CLOSE_REFUSED,
	CLOSE_TIMEOUT, /* the last tries were not answered */
	CLOSES,
};

enum reset_kind {
	RESET_NONE,
	RESET_REFUSED,    /* of a connection not yet made */
	RESET_ABORT,      /* data outstanding or unread */
	RESET_AFTER_FIN,  /* late data to a closed socket */
	RESET_SUSPICIOUS, /* outside the window, or disobeyed: a third party? */
	RESETS,
};

/* One side's FIN and its acknowledgement. */
struct close_leg {
	int64_t fin_ns, ack_ns; /* UNKNOWN_NS */
	uint64_t fin_number, ack_number;
	uint32_t fins; /* how many */
};

struct teardown {
	struct close_leg leg[2];   /* by side */
	int first;                 /* side that closed first; -1 */
	bool crossed;              /* the second FIN does not cover the first */
	uint64_t half_close_bytes; /* data after the other side's FIN */
	enum reset_kind reset;
	int reset_side;
	int64_t reset_ns;
	uint64_t reset_number;
	uint32_t resets;
	char reset_text[40]; /* printable part of its payload */
};

/* ---- events ------------------------------------------------------------ */

enum event_kind {
	EVENT_SYN_AGAIN,
	EVENT_SYNACK_AGAIN,
	EVENT_SYN_MISMATCH,   /* another SYN in a connection that goes on */
	EVENT_RETRANSMISSION, /* `why` is an enum retransmission */
	EVENT_REORDERED,
	EVENT_GAP,         /* the sequence jumped ahead */
	EVENT_CAPTURE_GAP, /* acknowledged, never captured */
	EVENT_THIRD_DUPLICATE_ACK,
	EVENT_DSACK,
	EVENT_ZERO_WINDOW,
	EVENT_ZERO_WINDOW_PROBE,
	EVENT_WINDOW_OPEN,
	EVENT_WINDOW_FULL, /* the first ones only: see window_fulls */
	EVENT_KEEPALIVE,
	EVENT_IDLE_RESTART, /* data after more than a timeout of silence */
	EVENT_ECN_ECHO,
	EVENT_CWR,
	EVENT_MTU,       /* `from`: the router's MTU */
	EVENT_FIN_EARLY, /* before the connection was made */
	EVENT_FIN_AGAIN,
	EVENT_RESET,          /* `why` is an enum reset_kind */
	EVENT_WSCALE_CLAMPED, /* `from`: as sent */
	EVENT_EXIT,           /* slow start ended; `why`: exit_reason */
	EVENT_KINDS,
};

struct tcp_event {
	int64_t t_ns;
	uint64_t number;   /* packet */
	uint64_t from, to; /* positions of the range it is about */
	uint8_t kind, side, why;
};

enum { EVENTS_MAX = 1 << 14 };

struct connection {
	uint64_t number; /* from 1, in the order of first packets */
	struct endpoint end[2];
	int client;
	enum role_basis role;
	bool self_connect;
	bool port_reused; /* an earlier connection had the same ends */
	enum tap tap;
	enum tap_basis tap_basis;
	int64_t first_ns, last_ns;
	uint64_t packets, duplicates;
	uint64_t options_truncated; /* packets */
	bool scaling_known; /* both SYNs were seen with their options .. */
	bool scaling;       /* .. and both offered window scaling */
	struct side side[2];
	struct handshake handshake;
	struct teardown teardown;
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

/* Bytes sent and not acknowledged, less what was selectively so. */
uint64_t side_in_flight(const struct side *);
/* How many segments a payload is: 1 where the segment size is unknown. */
uint64_t side_segments(const struct side *, uint64_t payload_bytes);
/* Is the tap at this side's end: does every packet it sends pass? */
bool side_is_near(const struct connection *, int side);
/* What the first round says of the initial window. */
struct initial_window side_initial_window(const struct connection *, int side);
/* The side that sent most. */
int connection_sender(const struct connection *);
enum close_kind connection_close(const struct connection *);

/* Words, for text and JSON alike: "fast", "zero_window", .. */
const char *event_name(enum event_kind);
const char *retransmission_name(enum retransmission);
const char *exit_name(enum exit_reason);
const char *close_name(enum close_kind);
const char *reset_name(enum reset_kind);
const char *tap_name(enum tap);
const char *tap_basis_name(enum tap_basis);
const char *role_basis_name(enum role_basis);
const char *rounds_basis_name(enum rounds_basis);
const char *initial_window_name(enum initial_window_state);
const char *leg_state_name(enum leg_state);

#endif
