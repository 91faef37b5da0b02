/*
 * Shared by the files of the annotator: the analysis of one packet.
 *
 * annotate.c finds the connection and calls the parts in the order below. Each
 * part sees the state left by earlier packets, and the results of the parts
 * before it.
 */
#ifndef BENCHTOP_ANNOTATE_INTERNAL_H
#define BENCHTOP_ANNOTATE_INTERNAL_H

#include "annotate.h"
#include "duplicates.h"

/* The host at which most connections place the tap. */
struct tap_host {
	uint8_t address[16];
	uint32_t votes;
	bool placed; /* the connections before the first vote */
};

struct step {
	const struct annotator_options *options;
	struct store *store;
	struct capture_facts *facts;
	struct tap_host *tap_host;
	struct connection *connection;
	const struct packet *packet;
	int side;          /* the sender */
	struct side *self; /* the sender's data */
	struct side *peer; /* the other side, whose data is acknowledged */
	struct sighting *sighting;
	uint64_t from, end; /* positions: first byte; after data and FIN */
	uint64_t gap_bytes; /* missing before this packet */
	bool elsewhere; /* a SYN that was recorded at another point before */
	bool begins; /* it begins a connection between ends that had one */
	uint64_t fresh_bytes; /* data bytes recorded for the first time */
	bool doubted; /* its acknowledgement waits for the next one */
	bool newest;  /* no timestamp of its side is as new */
	bool identical; /* duplicates.h: possibly copied by the network */
	bool soon;      /* duplicates.h */
};

/* The bytes of a segment before those of a packet that is a fragment of it. */
static inline uint64_t packet_fragment_from(const struct packet *packet)
{
	return packet->fragment_at > packet->header_bytes ?
		packet->fragment_at - packet->header_bytes :
		0;
}

static inline int step_peer(const struct step *step)
{
	return side_peer(step->connection, step->side);
}

/* True if the packet has a timestamp, and its side had one before. */
static inline bool step_stamped(const struct step *step)
{
	return step->self->has_timestamps &&
		step->packet->options.present & OPTION_TIMESTAMPS;
}

static inline bool timestamps_reach(uint32_t value, uint32_t since)
{
	return (int32_t)(value - since) >= 0;
}

/* Time stamps may have any value. A longer span is not a round trip, and sums
 * of spans are limited to 64 bits. */
#define ROUND_TRIP_MOST_NS (1000 * INT64_C(1000000000))

static inline void add_span(int64_t *sum_ns, int64_t from_ns, int64_t to_ns)
{
	if (to_ns > from_ns &&
		__builtin_add_overflow(*sum_ns, to_ns - from_ns, sum_ns))
		*sum_ns = INT64_MAX;
}

/* The position of a sequence number closest to another position. */
static inline uint64_t unwrap(uint64_t near, uint32_t seq)
{
	return near + (uint64_t)(int64_t)(int32_t)(seq - (uint32_t)near);
}

/* connection_memory.c: what is set in a zeroed connection before its first
 * packet, and what it allocated. */
void connection_begin(struct connection *);
void connection_release(struct connection *, struct store *);

/* connection_table.c: finds or creates the connection of a packet. */
struct connection_table;
struct connection_table *connection_table_new(struct store *,
	const struct annotator_options *, struct capture_facts *);
void connection_table_free(struct connection_table *);
/* The latest connection between two ends whose packets from the first are on
 * the packet's VLAN. If there is none, one without packets from it, at best on
 * that VLAN in the other direction: each direction may have a VLAN of its own.
 * Of a connection at several points of the path, the one at the packet's. *side
 * becomes the side of the first end. */
struct connection *connection_table_find(struct connection_table *,
	const struct endpoint *from, const struct endpoint *to,
	const struct packet *, int *side);
/* `begins`: with a first SYN. Otherwise it may continue one that was
 * forgotten. */
struct connection *connection_table_add(struct connection_table *,
	const struct endpoint *from, const struct endpoint *to, bool begins);
/* Call after the first packet of a connection, a SYN: finds the connection in
 * another VLAN, or at another point, that began with the same SYN, and sets
 * `twin` of both. */
void connection_table_pair(struct connection_table *, struct connection *);
/* Mixes the connection at the other point too, if order tells both apart. */
void connection_table_mix(struct connection_table *, const struct connection *);
size_t connection_table_count(const struct connection_table *);
struct connection *connection_table_at(struct connection_table *, size_t i);

/* facts.c */
void facts_note(struct capture_facts *, const struct packet_record *,
	const struct packet *);
/* handshake.c */
void handshake_open(struct step *);
void handshake_step(struct step *);
/* Removes the legs. */
void handshake_forget(struct handshake *);
bool handshake_is_new(const struct connection *, int side,
	const struct packet *);

/* tap.c: where the capture was taken. */
/* True if the packet is the last SYN of the connection, captured at another
 * point of the path. */
bool tap_is_elsewhere(const struct connection *, int side,
	const struct packet *);
/* True if only order tells apart two connections that began with one SYN. */
bool tap_is_beside(const struct connection *, const struct connection *);
/* Two connections began with the same SYN: tells them apart by their points. */
void tap_separate(struct connection *, struct connection *);
/* True if a connection at several points is, in this direction, at the point of
 * the packet. */
bool tap_is_at(const struct side *, enum tap_points, const struct packet *);
/* True if the packet was captured before, at the same point if points are told
 * apart. Otherwise sets step->identical. */
bool tap_is_copy(struct duplicates *, struct step *, struct record);
/* True if the packet is the second record of data that is cut otherwise, of a
 * connection whose points are told apart by order. */
bool tap_is_second(const struct step *);
/* Call after each packet: of points that are told apart by order, one lacks
 * packets that must have passed it. What was recorded once may be of either. */
void tap_check_order(const struct step *);
/* The records of several points are mixed: withdraws what their times show. */
void tap_mix(struct connection *);
#define NEAR_SHARE 10 /* a short leg is less than a tenth of the path */
/* Call when both legs of the handshake, SYN to SYN/ACK to ACK, are known. */
void tap_infer(struct step *, int64_t a_ns, int64_t b_ns);
/* Places a connection whose legs are too short for a decision at the host. */
void tap_place(const struct tap_host *, struct connection *);
/* Call if data of the other side is acknowledged took_ns after it passed. */
void tap_doubt(struct step *, int64_t took_ns);

/* begin.c */
/* Call for each packet: sets where the stream of its sender begins. */
void begin_self(struct step *);
/* An acknowledgement gives the position of a side not yet seen. */
void begin_peer(struct step *);
/* Extends a stream whose beginning was not captured to earlier data. Data from
 * long before the first does not belong to the capture. */
void begin_earlier(struct step *);

/* late.c */
/* The part of a packet below the highest position that was not captured
 * before. */
struct filling {
	uint64_t unseen, holes; /* bytes already acknowledged; bytes in holes,
				 * not acknowledged */
	struct byte_range hole; /* the first range that the packet fills */
};
enum late_verdict {
	LATE_ONCE,    /* overtaken, or recorded late */
	LATE_AGAIN,   /* sent again: the first copy was lost */
	LATE_UNCLEAR, /* either of them */
};
enum late_verdict late_judge(struct step *, const struct filling *,
	uint64_t to);
/* Call if a repeat, or what may be one, filled a hole up to `to`: its original
 * may still come. */
void late_repaired(struct step *, const struct filling *, uint64_t to,
	enum late_verdict);
/* Returns how many bytes from step->from to `to` a repeat brought before, and
 * sets *verdict: whether this is their original, sent again, or unclear. If it
 * was sent again, returns 0. `why`: the kind that it would be. */
uint64_t late_original(struct step *, uint64_t to, enum retransmission why,
	enum late_verdict *verdict);
/* True for a repeat after the silence of a time-out. */
static inline bool is_by_timer(enum retransmission why)
{
	return why == RETRANSMIT_TIMEOUT || why == RETRANSMIT_TIMER;
}
/* The kind of retransmission that the packet would be. */
enum retransmission late_kind(const struct step *, const struct filling *,
	uint64_t to);

/* stamps.c: data that was recorded before, however its packets are cut. */
/* Call after data of the sender above `next` was recorded first. */
void stamps_note(struct step *, uint64_t next);
/* True if all bytes from `from` to `to` were sent with the timestamp, or the
 * identification, of the packet. */
bool stamps_same(const struct step *, uint64_t from, uint64_t to);
/* True if the packet is a record of what was recorded before. */
bool stamps_recorded(const struct step *);
/* True if a repeat from step->from may also be a copy that the network made, or
 * the record of another point: the capture has signs of several points, and
 * nothing shows that the data was sent again, neither a cause, a silence nor
 * what the packet itself has. */
bool stamps_unproven(const struct step *, enum retransmission why);

/* ids.c: the order in which packets were sent. */
/* Call for each packet. */
void ids_note(struct step *);
/* Stores the identification of the packet in a range. */
void ids_stamp(const struct step *, struct byte_range *);
/* 1 or -1 if the packet was sent after or before the one that has stamped the
 * range; 0: unknown. */
int ids_order(const struct step *, const struct byte_range *);

/* clock.c: the clock of a side's timestamps. */
/* The duration of one tick; 1 ms until it is measured. */
int64_t clock_tick(const struct side *);
/* Its upper bound, or UNKNOWN_NS; its lower bound, or 0. */
int64_t clock_tick_most(const struct side *);
int64_t clock_tick_least(const struct side *);
/* The upper bound from few ticks, for a comparison with half of a round trip;
 * UNKNOWN_NS: too few. */
int64_t clock_tick_bound(const struct side *);

/* Removes the rounds of a side and the end of its slow start. */
void rounds_withdraw(struct connection *, int side);

/* stream.c: positions, new and old data. */
void stream_step(struct step *);
/* unseen.c: bytes acknowledged before they are recorded. */
/* The limit of a recorder's delay. The queues of one capture were up to 0.7 ms
 * apart in public files; what comes later was sent again. */
#define LATE_NS 1000000
/* Call when the other side's data is acknowledged up to `ack`: stores the
 * ranges that were not captured. */
void unseen_acked(struct step *, uint64_t ack);
/* Data of the sender was acknowledged by t_ns, before the first packet of the
 * sender that was recorded. */
void unseen_before(struct step *, uint64_t from, uint64_t to, int64_t t_ns);
/* Returns how many bytes from step->from to `to` were acknowledged but not yet
 * captured, and removes them from that set. If there are any, *first becomes
 * the first of their ranges. */
uint64_t unseen_taken(struct step *, uint64_t to, struct byte_range *first);
/* Removes the sender's ranges below a position. */
void unseen_forget(struct step *, uint64_t below);
/* Reports ranges of a side that were acknowledged more than LATE_NS ago: the
 * capture lost them. */
void unseen_claim(struct step *, int side);

/* stall.c: call before the packet counts. */
void stall_step(struct step *);

/* acks.c: acknowledgements of the other side's data. */
void acks_step(struct step *);
/* losses.c */
/* The kind of retransmission of the bytes from step->from to `to`, if they were
 * sent again now. */
enum retransmission losses_kind(const struct step *, uint64_t to);
/* Counts a retransmission: between step->from and `to`, `bytes` were sent
 * before. */
void losses_count(struct step *, uint64_t to, uint64_t bytes);
/* The data up to `to` was perhaps sent again: its acknowledgement gives no
 * round trip. */
void losses_perhaps(struct step *, uint64_t to);
/* window.c */
bool window_is_probe(struct step *);
void window_step(struct step *);
/* True if data exceeds the other side's window. */
bool window_exceeded(struct step *);
/* Call for such data after window_again(): it is not a copy of itself. */
void window_excess(struct step *);
/* Whether the receiver discarded data beyond its window that is sent again. */
enum discard { DISCARD_NONE, DISCARD_POSSIBLE, DISCARD_CERTAIN };
/* Data is sent again up to `to`. It is certain of data that came to the
 * receiver's tap if no SACK reported it. Elsewhere it may have been lost. */
enum discard window_again(struct step *, uint64_t to);
/* An acknowledgement that is not older than the others shows a window: call
 * before window_acked(). */
void window_proves(struct step *, uint64_t ack);
/* The other side's data is acknowledged up to `ack`. If that exceeded the
 * window and was not discarded, the capture may have missed a wider window:
 * withdraws what is not proven. */
void window_acked(struct step *, uint64_t ack);
/* full.c */
/* The other side closed its window. */
void full_closed(struct side *sender, int64_t t_ns);
/* The other side's window ends at `edge`: is it wide enough? */
void full_room(struct step *, uint64_t edge);
/* Call for new data: checks whether it fills the other side's window. */
void full_sent(struct step *);
/* A round of the sender ends, perhaps while the window limits it. */
void full_round(struct side *sender, int64_t t_ns);
/* The same, before it: checks whether data filled the window unseen. */
void full_waited(struct step *);
/* idle.c: the same, perhaps in a silence. rtt_ns: rtt_best(). */
void idle_round(struct step *, int64_t rtt_ns);
/* Time since the last packet with data, or since acknowledgements last
 * advanced. */
int64_t idle_before(const struct step *);
/* round.c */
/* Updates the number of segments of a round after its bytes changed. */
void round_count(const struct side *, struct round *);
/* A packet of new data, as its round counts it. */
struct sent {
	int64_t t_ns;
	uint64_t bytes;
	uint64_t unprompted_bytes, in_flight_bytes; /* as in struct round */
	bool after_short; /* an incomplete segment precedes it */
};
void round_add(struct round *, const struct sent *added);
/* True if much data after the first flight was not sent upon acknowledgements:
 * it is paced, or the application wrote it only then. */
bool rounds_unprompted(const struct rounds *);
/* A repeat of `bytes` from step->from to `to` that reduces the congestion
 * window. */
void reduction_add(struct step *, uint64_t to, uint64_t bytes);
/* The repeat of a range was needless: the other side reports that it received
 * the range twice, or the original passes. */
void reduction_needless(struct side *sender, uint64_t from, uint64_t to);
/* The other side's data is acknowledged up to `ack`. */
void reduction_acked(struct step *, uint64_t ack);
/* The round that is open, or NULL. */
static inline struct round *round_open(struct rounds *rounds)
{
	if (rounds->left_out)
		return &rounds->beyond;
	return rounds->count ? &rounds->at[rounds->count - 1] : NULL;
}
/* basis.c */
/* How the rounds of the sender of new data can be separated. */
enum rounds_basis basis_find(const struct step *);
/* True if a round trip is too short to separate rounds by time. */
bool basis_is_short(const struct step *);
/* Withdraws rounds by echoes once the other side's clock is measured, if two of
 * its ticks take longer than a round trip, and those of a short path if no
 * silence separates two of them. Returns whether it did. */
bool basis_withdraw(const struct step *);
/* True if the other side's clock is known to tick at least twice in a round
 * trip, as exact rounds by echoes need. */
bool basis_is_fine(const struct connection *, int side);
/* rounds.c */
/* True if the other side has sent data, a request, since the last data of this
 * side. */
bool rounds_asked(const struct step *);
void rounds_data(struct step *, uint64_t bytes);
/* Adds the bytes that the tap missed before this packet, step->gap_bytes. */
void rounds_gap(struct step *);
/* Call for an acknowledgement, selective or not. True if it is the first for
 * data of the latest round. */
bool rounds_acked(struct step *);
/* A round trip of data that ends at position `end`. */
void rounds_rtt(struct side *, uint64_t end, int64_t took_ns);
/* edges.c */
/* Call for the packet that opened a round. */
void edges_front(struct step *);
/* `bytes` counted to the first round may belong to the second. */
void edges_between(struct step *, uint64_t bytes);
/* Call for `bytes` of new data: they opened the first round, or no round. */
void edges_first(struct step *step, uint64_t bytes);
void edges_silence(struct step *step, uint64_t bytes);
void edges_late(struct step *, uint64_t to);
void edges_again(struct step *, uint64_t from, uint64_t to);
/* slowstart.c */
enum { INITIAL_SEGMENTS = 10 }; /* the usual initial window (RFC 6928) */
/* Sets, for a packet of new data, whether an incomplete segment precedes it in
 * its round, and whether an acknowledgement released it. `opened`: it is the
 * first of its round. */
void slowstart_released(struct step *, bool opened, struct sent *added);
void slowstart_round(struct step *);
void slowstart_loss(struct step *, uint64_t to, enum discard);
/* The receiver had the data of a retransmission when it passed the tap, away
 * from its sender. If the sender did not know it yet, it took a loss for
 * granted. */
void slowstart_spurious(struct step *, uint64_t to);
void slowstart_end(struct step *, int side, enum exit_reason);
/* slowstart_doubt.c */
/* A range is sent again: if its retransmission ended slow start, a report that
 * it arrived twice may be about either copy. */
void slowstart_again(struct step *, uint64_t to);
/* The original of a repeated range passes, or may: it was not lost. */
void slowstart_original(struct side *, uint64_t from, uint64_t to);
/* The other side reports that it received a range of `side` twice. */
void slowstart_needless(struct connection *, int side, uint64_t from,
	uint64_t to);
/* The most data that the sender had in flight until the end of slow start. A
 * receiver that reads slowly makes a round shorter than the flight. */
uint64_t slowstart_most_bytes(const struct rounds *);
/* Withdraws an end that nothing proves if the last round shows growth as in
 * slow start, and one by a pause of the application if a window limits later
 * rounds. */
void slowstart_resumed(struct connection *, int side);
/* The data of this packet, a retransmission, was not lost. */
void slowstart_disproved(struct side *, uint64_t number);
/* True if a retransmission repairs a loss: the tap saw no copy before, or SACK
 * or duplicate ACKs requested it. A timer alone proves nothing: the
 * acknowledgement may be lost or late. */
bool slowstart_is_proven(const struct step *);
/* The acknowledgement answers this packet, a retransmission, not its
 * original. */
void slowstart_proved(struct side *, uint64_t number);
/* rtt.c */
#define TIMEOUT_LEAST_NS 200000000 /* Linux; RFC 6298 has a second */
void rtt_sent(struct step *);
void rtt_acked(struct step *, uint64_t acked);
void rtt_echo(struct step *);
void rtt_note_ack(struct step *, uint64_t edge);
const struct tcp_echo *echo_find(const struct side *, uint32_t tsval);
int64_t rtt_best(const struct connection *, const struct side *);
int64_t rtt_least(const struct connection *, const struct side *);
int64_t rtt_timeout(const struct connection *, const struct side *);
/* teardown.c */
void teardown_step(struct step *);

void event_add(struct step *, int side, enum event_kind, unsigned why,
	uint64_t from, uint64_t to);
/* An event of an earlier packet: the packet that created the range. */
void event_add_of(struct step *, int side, enum event_kind, unsigned why,
	const struct byte_range *);
/* Removes a side's events of a kind, of a packet and of all later ones. */
void events_remove(struct connection *, int side, enum event_kind,
	uint64_t since);
/* The report that the capture lost a range of a side ends at `to`. */
void event_extend(struct step *, int side, const struct byte_range *,
	uint64_t to);
/* Removes step->from to `to` from the report that the capture lost a range of
 * the sender. */
void event_withdraw(struct step *, const struct byte_range *, uint64_t to);

#endif
