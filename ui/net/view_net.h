/*
 * The Net screen: connections as their packets show them.
 *
 *     handshake   a ladder: time runs downwards, an arrow for each packet
 *     rounds      data sent per round trip: slow start and its end
 *     sequence    bytes sent and acknowledged against time
 *     window      the congestion window and bytes in flight against time
 *     rtt         round trips against time
 *     throughput  bits per second against time
 *     packets     one by one, Enter explains one
 *     events      losses, windows, resets: what is not plain progress
 *     path        properties of the path, and the phases
 *     connections all of them, to choose from
 *
 * All draw the annotator's analysis of one connection. The packets come from a
 * file, from a run in progress or from a finished run. A run of a loaded
 * session has connections but no packets.
 */
#ifndef BENCHTOP_VIEW_NET_H
#define BENCHTOP_VIEW_NET_H

#include "connection_list.h"
#include "net_source.h"
#include "screen.h"

/* The parts of the screen that can have the focus. */
enum net_place {
	NET_HANDSHAKE,
	NET_ROUNDS,
	NET_SEQUENCE,
	NET_WINDOW,
	NET_RTT,
	NET_RATE,
	NET_PACKETS,
	NET_EVENTS,
	NET_PATH,
	NET_CONNECTIONS,
	NET_PLACES,
};

/* The zero of the times shown. */
enum net_clock { NET_SINCE_START, NET_TIME_OF_DAY };

/* What the keys have chosen, and what is kept between drawings. */
struct net_options {
	struct net_sources sources;
	unsigned serial;            /* the source these options apply to */
	bool chosen;                /* the user chose a connection: */
	size_t connection;          /* its index */
	struct connection_filter only; /* connections in the list */
	enum list_order order;         /* of the list */
	bool reversed;
	bool lanes; /* the list is drawn on one time axis */
	struct listed *rows;        /* the list; owned */
	bool zoomed;                /* one pane fills the body */
	enum net_clock clock;       /* of all times on the screen */
	bool walked;                /* the user selected a packet: */
	size_t packet;              /* its index in the connection */
	uint64_t number;            /* its number in the capture */
	bool event_walked;          /* the user selected an event: */
	size_t event;               /* its index in the connection */
	uint64_t mark;              /* reference packet for times; 0: none */
	size_t round;               /* selected round, if round_walked */
	bool round_walked;          /* the user selected a round */
	int closer;                 /* halvings of the time axis; -1: with
				     * the idle ends */
	struct net_packets list;    /* packets of the connection shown */
	enum net_place plot, table; /* shown without an explicit choice */
	uint8_t phases[ROUNDS_MAX]; /* phase of each round */
};
struct net_options *net_options(struct screen *);

/* The data for one drawing or one key. */
struct net_scene {
	struct screen *screen;
	struct net_options *options;
	struct net_source source;
	const struct connection *connection; /* NULL: none */
	size_t index, count;                 /* its index, and their count */
	const struct listed *rows;           /* the list of connections */
	size_t row, row_count;               /* the row of the one shown */
	int sender;                          /* the side that sent most */
	size_t packets;                      /* count of its kept packets */
	size_t packet;                       /* index of the selected packet */
	size_t event;                        /* index of the selected event */
};
void net_open(struct net_scene *, struct screen *);
const struct side *net_sending(const struct net_scene *);
const struct rounds *net_rounds(const struct net_scene *);
/* The window that a packet offers, in bytes; -1: it or its scale was not
 * captured. */
int64_t net_window_bytes(const struct net_scene *, const struct logged *);
/* Block `i` of a packet's selective acknowledgement, as positions. */
struct net_block {
	uint64_t from, to;
};
struct net_block net_sack(const struct logged *, unsigned i);
/* True if the log lacks packets of the connection shown. */
bool net_is_thinned(const struct net_scene *);
/* Packet `i` of the connection shown, 0 .. packets - 1. */
const struct logged *net_packet(const struct net_scene *, size_t i);
/* The index of the packet with this number, or of the next one that is kept;
 * the count of packets if there is none. */
size_t net_packet_numbered(const struct net_scene *, uint64_t number);

/* Selects packet `i`. */
void net_select(struct net_scene *, size_t i);
/* Selects the packet with this number of the capture. If packets are missing,
 * selects the nearest kept one and says so. Fails if the connection has no such
 * packet. */
int net_select_number(struct net_scene *, uint64_t number, struct error *);

/* Writes a time without its unit: milliseconds since the connection's first
 * packet, or the time of day. NET_TIME_COLUMNS is the maximum width. */
enum { NET_TIME_COLUMNS = 15 };
void net_time(const struct net_scene *, int64_t t_ns, struct text *);
int net_time_columns(const struct net_scene *);
/* Writes a time span in milliseconds: "+20.114". */
void net_delta(int64_t span_ns, struct text *);
/* Writes a time span with its unit, in about three digits: "20.1 ms", or "<1
 * us" if the timestamps are equal. */
void net_span(const struct net_scene *, int64_t span_ns, struct text *);
/* Writes digits in groups of three: "14 480". */
void net_bytes(uint64_t bytes, struct text *);
const char *net_side(const struct net_scene *, int side);

/* ---- samples from the kernel (net_kernel.c) -------------------------- */

/* Properties of the connection's path, recorded with the samples; NULL:
 * none. */
const struct tcpinfo_path *net_told(const struct net_scene *);
/* Returns the connection's first sample at index *i or later, and sets *i to
 * the index after it. NULL: no more. */
const struct tcpinfo_sample *net_sample(const struct net_scene *, size_t *i);
/* The first sample at time t_ns or later, or NULL. */
const struct tcpinfo_sample *net_sample_at(const struct net_scene *,
	int64_t t_ns);

/* Segment size of the data shown: the MSS that was agreed. If no SYN was
 * captured, the largest segment captured; 0: unknown. */
uint32_t net_segment_bytes(const struct net_scene *);

/* The bandwidth-delay product of the path, and the capacity of its queue.
 * `told`: the emulated path's settings are known. Otherwise both rate and delay
 * are estimated from rounds and round trips. */
struct net_product {
	bool told;
	double rate_bit_s;
	int64_t rtt_ns;
	double segments;       /* 0: unknown */
	double queue_segments; /* 0: unknown */
};
void net_find_product(const struct net_scene *, struct net_product *);

/* ---- phases (net_phases.c) ------------------------------------------ */

enum net_phase {
	PHASE_UNNAMED, /* the capture lacks the beginning */
	PHASE_SLOW_START,
	PHASE_RECOVERY,
	PHASE_TIME_OUT,
	PHASE_PROBE, /* the end of a flight was lost */
	PHASE_NEEDLESS, /* only data that had arrived was retransmitted */
	PHASE_AVOIDANCE,
	PHASE_WINDOW,
	PHASE_SEND_BUFFER,
	PHASE_APPLICATION,
	PHASE_PACED,
};
/* True for a retransmission of data; a FIN alone is not data. */
bool net_is_data_again(const struct tcp_event *);
/* Sets the phase of each round that the sender opens. */
void net_find_phases(const struct connection *, int sender, uint8_t *phases);
/* The phase of a round of the connection shown; rounds count from 0. */
enum net_phase net_phase(const struct net_scene *, uint32_t round);
/* When it began: with its first retransmission or time-out, which may come long
 * after the data of the round, or with the round. */
int64_t net_phase_start(const struct net_scene *, uint32_t round);
const char *net_phase_name(enum net_phase);
/* The smoothed round-trip time of the data of a side, else the time of the
 * handshake; UNKNOWN_NS. */
int64_t net_smoothed_rtt(const struct connection *, const struct side *);
/* Bits per second of acknowledged payload, from the first data to a round trip
 * after the last; 0: unknown. */
double net_goodput(const struct connection *, int sender);
/* The highest rate at which a round was acknowledged, bytes per second; 0:
 * unknown. */
double net_rate_most(const struct connection *, int sender);
/* Round trips until `bytes` have arrived, including the handshake's; 0: not
 * observable. */
unsigned net_rounds_for(const struct connection *, int sender, uint64_t bytes);
/* Writes what happened, in one sentence for the status row. */
void net_say(const struct net_scene *, struct text *);

/* ---- the meaning of a handshake (net_meaning.c) ----------------------- */

/* Rows that a text needs at a width of `columns`. */
int net_text_rows(const char *chars, int columns);
/* Writes the first sentence, and as many more as `rows` hold. */
void net_say_meaning(const struct net_scene *, int columns, int rows,
	struct text *);

/* The time at both ends of a connection that the time axes leave out. */
int64_t net_idle_ns(const struct connection *);

/* ---- titles (net_title.c) -------------------------------------------- */

/* Adds how many packets or rounds are kept if not all are, and a place draws
 * them. */
void net_say_thinned(const struct net_scene *, int place, struct text *);
/* Writes the title of a place, and the text on its right. */
void net_title(const struct net_scene *, int place, struct text *title,
	struct text *right);

/* ---- parts; each draws the inside of a frame ------------------------ */

void net_handshake(const struct net_scene *, const struct pane *);
void net_draw_rounds(const struct net_scene *, const struct pane *);
void net_sequence(const struct net_scene *, const struct pane *);
void net_flight(const struct net_scene *, const struct pane *);
void net_round_trips(const struct net_scene *, const struct pane *);
void net_throughput(const struct net_scene *, const struct pane *);
/* Draws the window plot of the last connection for which only kernel samples
 * exist. False: there is no such connection. */
bool net_flight_untold(const struct net_scene *, const struct pane *);
void net_all(const struct net_scene *, const struct pane *);
/* The same connections on one time axis. */
void net_lanes(const struct net_scene *, const struct pane *);
void net_list(const struct net_scene *, const struct pane *);
void net_events(const struct net_scene *, const struct pane *);
void net_path(const struct net_scene *, const struct pane *);
void net_phases(const struct net_scene *, const struct pane *);
/* Writes a page that explains one packet. */
void net_decode(const struct net_scene *, const struct logged *, struct text *);
/* Writes the kind of a packet in a few words: "retx: fast". */
void net_packet_words(const struct net_scene *, const struct logged *,
	struct text *);
/* True if the packet was reordered or retransmitted: unknown which. */
bool net_is_unclear(const struct logged *);
/* Writes the flags: "SYN ACK" if `whole`, else "S.". */
void net_flags(unsigned flags, bool whole, struct text *);
/* The number of the round that a packet opens, from 1; 0: none. */
uint32_t net_opens_round(const struct net_scene *, const struct logged *);

/* Functions for the Net's row in views.h. */
int net_parts(const struct screen *, const struct pane *body,
	struct pane *parts);
void net_draw(struct screen *, const struct pane *body);
void net_enter(struct screen *);
void net_move(struct screen *, int steps);
void net_forget(struct screen *);
void net_release(struct screen *);
void net_add_state(const struct screen *, int room, struct text *);
extern const struct command net_commands[];

#endif
