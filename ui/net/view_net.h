/*
 * The Net screen: connections as their packets show them.
 *
 *     handshake   a ladder: time runs downwards, an arrow for each packet
 *     rounds      what went out per round trip: slow start and its end
 *     sequence    bytes sent and acknowledged against time
 *     window      the congestion window and what is in flight against time
 *     packets     one by one, Enter explains one
 *     path        what is known of the path, and the phases
 *     connections all of them, to choose from
 *
 * All are drawn from what the annotator knows of one connection, whether the
 * packets come from a file, from a run that goes on or from one that is over;
 * a run of a loaded session has connections and no packets.
 */
#ifndef BENCHTOP_VIEW_NET_H
#define BENCHTOP_VIEW_NET_H

#include "net_source.h"
#include "screen.h"

/* Places of the screen. */
enum net_place {
	NET_HANDSHAKE,
	NET_ROUNDS,
	NET_SEQUENCE,
	NET_WINDOW,
	NET_PACKETS,
	NET_PATH,
	NET_CONNECTIONS,
	NET_PLACES,
};

/* Where the times count from. */
enum net_clock { NET_SINCE_START, NET_TIME_OF_DAY };

/* What keys have asked for, and what is kept between drawings. */
struct net_options {
	struct net_sources sources;
	unsigned serial;            /* of the source these are about */
	bool chosen;                /* a connection was: */
	size_t connection;          /* index */
	bool zoomed;                /* one pane has all of the body */
	enum net_clock clock;       /* of the times */
	bool walked;                /* a packet was selected: */
	size_t packet;              /* which of the connection's */
	uint64_t mark;              /* packet that times count from; 0: none */
	size_t round;               /* selected; only where it was moved to */
	bool round_walked;          /* else the last ones are in view */
	int closer;                 /* halvings of the time axis */
	struct net_packets list;    /* of the connection in view */
	enum net_place plot, table; /* shown where no other is asked for */
	uint8_t phases[ROUNDS_MAX]; /* of its rounds */
};
struct net_options *net_options(struct screen *);

/* All that one drawing, or one key, goes by. */
struct net_scene {
	struct screen *screen;
	struct net_options *options;
	struct net_source source;
	const struct connection *connection; /* NULL: there is none */
	size_t index, count;                 /* of it, among all */
	int sender;                          /* the side that sent most */
	size_t packets;                      /* of the connection, kept */
	size_t packet;                       /* the selected one */
};
void net_open(struct net_scene *, struct screen *);
const struct side *net_sending(const struct net_scene *);
const struct rounds *net_rounds(const struct net_scene *);
/* Packet `i` of the connection in view, 0 .. packets - 1. */
const struct logged *net_packet(const struct net_scene *, size_t i);

/* A time as the screen shows it, without its unit: milliseconds since the
 * connection's first packet, or the time of day. Columns at most. */
enum { NET_TIME_COLUMNS = 15 };
void net_time(const struct net_scene *, int64_t t_ns, struct text *);
int net_time_columns(const struct net_scene *);
/* "+20.114": a span in milliseconds. */
void net_delta(int64_t span_ns, struct text *);
/* "20.1 ms" in three digits or so. */
void net_span(int64_t span_ns, struct text *);
/* "14 480" */
void net_bytes(uint64_t bytes, struct text *);
const char *net_side(const struct net_scene *, int side);

/* ---- what the kernel said (net_kernel.c) ----------------------------- */

/* Of the connection in view; NULL: nothing. */
const struct tcpinfo_path *net_told(const struct net_scene *);
/* Its first sample at or behind *i of all, which is then behind it; NULL: no
 * more. */
const struct tcpinfo_sample *net_sample(const struct net_scene *, size_t *i);
/* The first one from a time on, or NULL. */
const struct tcpinfo_sample *net_sample_at(const struct net_scene *,
	int64_t t_ns);

/* Of the data in view: as agreed, or where no SYN was captured the largest that
 * was; 0: not known. */
uint32_t net_segment_bytes(const struct net_scene *);

/* What is under way on a path that is full, bandwidth x delay, and how much
 * more can wait for it; told by who made the path, else as rounds and round
 * trips show it. */
struct net_product {
	bool told;
	double rate_bit_s;
	int64_t rtt_ns;
	double segments;       /* 0: not known */
	double queue_segments; /* 0: not known */
};
void net_find_product(const struct net_scene *, struct net_product *);

/* ---- phases (net_phases.c) ------------------------------------------ */

enum net_phase {
	PHASE_UNNAMED, /* the beginning is not in the capture */
	PHASE_SLOW_START,
	PHASE_RECOVERY,
	PHASE_TIME_OUT,
	PHASE_PROBE, /* the end of a flight was lost */
	PHASE_AVOIDANCE,
	PHASE_WINDOW,
	PHASE_APPLICATION,
	PHASE_PACED,
};
/* Of each round of what a side sends. */
void net_find_phases(const struct connection *, int sender, uint8_t *phases);
/* Of a round, from 0, of the connection in view. */
enum net_phase net_phase(const struct net_scene *, uint32_t round);
const char *net_phase_name(enum net_phase);
/* Bits per second of data, first to last; 0: not known. */
double net_goodput(const struct connection *, int sender);
/* The most that was acknowledged of a round, bytes per second; 0: not known. */
double net_rate_most(const struct connection *, int sender);
/* Round trips, with the one of the handshake, until so many bytes have come;
 * 0: not seen. */
unsigned net_rounds_for(const struct connection *, int sender, uint64_t bytes);
/* What happened, in one sentence: for the status row. */
void net_say(const struct net_scene *, struct text *);
/* Why slow start ended: one sentence. */
const char *net_exit_words(enum exit_reason);

/* ---- the meaning of a handshake (net_meaning.c) ----------------------- */

/* Rows that a text takes at so many columns. */
int net_text_rows(const char *chars, int columns);
/* As many sentences as so many rows hold, the first in any case. */
void net_say_meaning(const struct net_scene *, int columns, int rows,
	struct text *);

/* ---- parts, each for the inside of a frame -------------------------- */

void net_handshake(const struct net_scene *, const struct pane *);
void net_draw_rounds(const struct net_scene *, const struct pane *);
void net_sequence(const struct net_scene *, const struct pane *);
void net_flight(const struct net_scene *, const struct pane *);
/* The same of the last connection of which only the kernel has told. False:
 * there is none. */
bool net_flight_untold(const struct net_scene *, const struct pane *);
void net_all(const struct net_scene *, const struct pane *);
void net_list(const struct net_scene *, const struct pane *);
void net_path(const struct net_scene *, const struct pane *);
void net_phases(const struct net_scene *, const struct pane *);
/* One packet, explained: a page. */
void net_decode(const struct net_scene *, const struct logged *, struct text *);
/* "data, sent again (fast)": what a packet is, in a few words. */
void net_packet_words(const struct net_scene *, const struct logged *,
	struct text *);
/* "SYN ACK", or in letters: "S." */
void net_flags(unsigned flags, bool whole, struct text *);
/* Which round a packet opens, from 1; 0: none. */
uint32_t net_opens_round(const struct net_scene *, const struct logged *);

/* What its row of views.h needs. */
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
