/*
 * What the files of the annotator share: one packet on its way through them.
 *
 * annotate.c finds the connection and calls the parts in this order; each
 * sees what the packets before this one left behind, and what the parts
 * before it have noted.
 */
#ifndef BENCHTOP_ANNOTATE_INTERNAL_H
#define BENCHTOP_ANNOTATE_INTERNAL_H

#include "annotate.h"
#include "duplicates.h"

/* The latest identification that a host gave to a packet of IPv4, and in which
 * connection: by a hash of its address. */
enum { HOSTS = 256 };

struct host_numbers {
	struct {
		uint64_t connection; /* its number; 0: none */
		uint16_t id;
	} latest[HOSTS];
};

struct step {
	const struct annotator_options *options;
	struct store *store;
	struct capture_facts *facts;
	struct host_numbers *hosts;
	struct connection *connection;
	const struct packet *packet;
	int side;          /* the sender */
	struct side *self; /* whose data this is .. */
	struct side *peer; /* .. and whose it acknowledges */
	struct sighting *sighting;
	uint64_t from, end; /* positions: first byte, behind data and FIN */
	uint64_t gap_bytes; /* skipped in front of it */
};

static inline int step_peer(const struct step *step)
{
	return side_peer(step->connection, step->side);
}

static inline bool timestamps_reach(uint32_t value, uint32_t since)
{
	return (int32_t)(value - since) >= 0;
}

/* Stamps may say anything: a span longer than this is no round trip, and spans
 * are added up as far as 64 bits hold. */
#define ROUND_TRIP_MOST_NS (1000 * INT64_C(1000000000))

static inline void add_span(int64_t *sum_ns, int64_t from_ns, int64_t to_ns)
{
	if (to_ns > from_ns &&
		__builtin_add_overflow(*sum_ns, to_ns - from_ns, sum_ns))
		*sum_ns = INT64_MAX;
}

/* The position of a sequence number near another position. */
static inline uint64_t unwrap(uint64_t near, uint32_t seq)
{
	return near + (uint64_t)(int64_t)(int32_t)(seq - (uint32_t)near);
}

/* connection_table.c: finds or makes the connection of a packet. */
struct connection_table;
struct connection_table *connection_table_new(struct store *,
	const struct annotator_options *, struct capture_facts *);
void connection_table_free(struct connection_table *);
/* The latest connection between two ends; *side is that of `from`. */
struct connection *connection_table_find(struct connection_table *,
	const struct endpoint *from, const struct endpoint *to, int *side);
struct connection *connection_table_add(struct connection_table *,
	const struct endpoint *from, const struct endpoint *to);
size_t connection_table_count(const struct connection_table *);
struct connection *connection_table_at(struct connection_table *, size_t i);

/* handshake.c */
void handshake_open(struct step *);
void handshake_step(struct step *);
bool handshake_is_new(const struct connection *, int side,
	const struct packet *);

/* stream.c: positions, new and old data. */
void stream_step(struct step *);
/* numbering.c: once the packet's place is known, before it is taken. */
void numbering_step(struct step *);
/* New data, as it seems: was it sent before, when it did not arrive? */
bool numbering_shows_again(struct step *);
/* acks.c: what a packet says of the other side's data. */
void acks_step(struct step *);
/* losses.c */
/* Of the bytes from step->from to `to`. */
enum retransmission losses_kind(const struct step *, uint64_t to);
void losses_count(struct step *, uint64_t from, uint64_t to);
/* window.c */
bool window_is_probe(struct step *);
void window_step(struct step *);
/* New data went out: does it fill the other side's window? */
void window_sent(struct step *);
/* rounds.c */
void rounds_data(struct step *, uint64_t bytes);
/* What the tap did not see in front of this packet, step->gap_bytes. */
void rounds_gap(struct step *);
/* The packet acknowledges, selectively or not. True: it is the first that does
 * so with data of the latest round. */
bool rounds_acked(struct step *);
void rounds_rtt(struct side *, int64_t took_ns);
/* edges.c */
void edges_front(struct step *);
/* So many bytes of what goes to the first round may be of the second. */
void edges_between(struct step *, uint64_t bytes);
void edges_again(struct step *, uint64_t from, uint64_t to);
/* slowstart.c */
void slowstart_round(struct step *);
void slowstart_loss(struct step *);
void slowstart_end(struct step *, int side, enum exit_reason);
/* rtt.c */
void rtt_sent(struct step *);
void rtt_acked(struct step *, uint64_t acked);
void rtt_echo(struct step *);
void rtt_note_ack(struct step *, uint64_t edge);
const struct tcp_echo *echo_find(const struct side *, uint32_t tsval);
int64_t rtt_best(const struct connection *, const struct side *);
int64_t rtt_timeout(const struct connection *, const struct side *);
/* teardown.c */
void teardown_step(struct step *);

void event_add(struct step *, int side, enum event_kind, unsigned why,
	uint64_t from, uint64_t to);

#endif
