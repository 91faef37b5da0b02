/* A log of the packets that an annotator has analysed. */
#include "packet_log.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

struct packet_log {
	struct column packets; /* struct logged */
	size_t most;
	unsigned level; /* how often the log was thinned */
	unsigned version;
	uint64_t left_out;
	struct endpoint only; /* of the connections logged */

	/* Of packet_log_of(). */
	struct log_scope scope;
	bool slotted;         /* they are too many */
	size_t begin;         /* where the present slot begins in `packets` */
	size_t reduce_at;     /* number of packets at which it is reduced */
	uint64_t slot_packets; /* seen in the present slot */
	int64_t slot_ns;      /* when it began */
	unsigned wscale[2];   /* of each side's windows */
	bool self_connect;
};

static unsigned next_version(void)
{
	static unsigned version;

	return ++version;
}

struct packet_log *packet_log_new(size_t most)
{
	struct packet_log *log = xcalloc(1, sizeof *log);

	column_init(&log->packets, sizeof(struct logged));
	log->most = most;
	log->version = next_version();
	return log;
}

void packet_log_free(struct packet_log *log)
{
	if (!log)
		return;
	column_release(&log->packets);
	free(log);
}

/* ---- thinning ----------------------------------------------------------- */

enum {
	HEAD = 64,        /* packets of a connection that stay at first */
	NOTED_LEVELS = 6, /* noted packets are thinned that much later */
	LEVELS = 32,
};

static bool is_noted(unsigned marks, unsigned flags)
{
	const unsigned findings = MARK_RETRANSMISSION | MARK_REORDERED |
		MARK_GAP | MARK_CAPTURE_GAP | MARK_RECORDED_LATE | MARK_DSACK |
		MARK_ZERO_WINDOW | MARK_PROBE | MARK_KEEPALIVE | MARK_ROUND;

	return marks & findings || flags & (TCP_SYN | TCP_FIN | TCP_RST);
}

static unsigned noted_level(unsigned level)
{
	return level > NOTED_LEVELS ? level - NOTED_LEVELS : 0;
}

static bool stays(uint64_t ordinal, bool noted, unsigned level)
{
	uint64_t every = UINT64_C(1) << (noted ? noted_level(level) : level);

	return ordinal <= (uint64_t)HEAD >> level / 2 || ordinal % every == 0;
}

static bool stays_logged(const struct logged *logged, unsigned level)
{
	return stays(logged->ordinal,
		is_noted(logged->marks, logged->packet.flags), level);
}

static size_t count_staying(const struct packet_log *log, unsigned level)
{
	const struct logged *packets = log->packets.data;
	size_t count = 0;

	for (size_t i = 0; i < log->packets.count; i++)
		count += stays_logged(&packets[i], level);
	return count;
}

/* Thins the log until at least half of it is free, or the last level. */
static void thin(struct packet_log *log)
{
	struct logged *packets = log->packets.data;
	size_t kept = 0;

	do
		log->level++;
	while (log->level < LEVELS &&
		count_staying(log, log->level) > log->most / 2);
	for (size_t i = 0; i < log->packets.count; i++)
		if (stays_logged(&packets[i], log->level))
			packets[kept++] = packets[i];
	log->left_out += log->packets.count - kept;
	log->packets.count = kept;
	log->version = next_version();
}

/* ---- slots of one connection --------------------------------------------- */

enum {
	/* A slot may keep 52 extremes, and there are twice as many slots as
	 * this part of the log: those that end by time, and by packets. */
	SLOT_SHARE = 160,
	AROUND_SHARE = 4, /* the packets around the chosen one */
	SLOT_LEAST = 256, /* packets, before a slot is reduced */
};

struct packet_log *packet_log_of(size_t most, const struct log_scope *scope)
{
	struct packet_log *log = packet_log_new(most);

	log->scope = *scope;
	log->slotted = scope->packets > most;
	log->reduce_at = SLOT_LEAST;
	log->slot_ns = scope->first_ns;
	return log;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

bool log_scope_covers(size_t most, const struct log_scope *had,
	const struct log_scope *wanted)
{
	if (had->connection != wanted->connection ||
		had->packets != wanted->packets)
		return false;
	if (had->packets <= most || !wanted->around)
		return true;
	return had->around &&
		distance(had->around, wanted->around) <=
		most / AROUND_SHARE / 4;
}

/* The plotted figures of the data that a side sends. Of each, a slot keeps the
 * packets with the largest and the smallest value. */
enum figure {
	TIME, /* of packets that this side sends */
	END,
	RESENT,
	RESENT_END,
	LATE,
	IN_FLIGHT,
	ACKED,
	EDGE, /* of the receive window */
	WINDOW,
	DUPLICATE,
	SACK,
	SACK_END,
	RTT,
	FIGURES,
};

/* The packets with the extremes of a figure so far. */
struct extremes {
	struct logged *most, *least; /* NULL: none has the figure */
	int64_t high, low;
};

static void see(struct extremes *of, enum figure figure, struct logged *at,
	int64_t value)
{
	struct extremes *extremes = &of[figure];

	if (!extremes->most || value > extremes->high) {
		extremes->high = value;
		extremes->most = at;
	}
	if (!extremes->least || value < extremes->low) {
		extremes->low = value;
		extremes->least = at;
	}
}

static void see_data(struct extremes *of, struct logged *at)
{
	see(of, END, at, (int64_t)at->end);
	if (at->marks & MARK_RETRANSMISSION) {
		see(of, RESENT, at, (int64_t)at->position);
		see(of, RESENT_END, at, (int64_t)at->end);
	}
	if (at->marks & (MARK_REORDERED | MARK_RECORDED_LATE))
		see(of, LATE, at, (int64_t)at->end);
}

static void see_ack(struct extremes *of, struct logged *at, unsigned shift)
{
	const struct tcp_options *options = &at->packet.options;
	int64_t ack = (int64_t)at->ack;
	int64_t window = (int64_t)at->packet.window << shift;

	see(of, ACKED, at, ack);
	see(of, EDGE, at, ack + window);
	see(of, WINDOW, at, window);
	if (at->marks & MARK_DUPLICATE_ACK)
		see(of, DUPLICATE, at, ack);
	for (unsigned i = 0; i < options->sack_count; i++) {
		uint32_t from = options->sack[i].from - at->packet.ack;
		uint32_t to = options->sack[i].to - at->packet.ack;

		see(of, SACK, at, ack + (int32_t)from);
		see(of, SACK_END, at, ack + (int32_t)to);
	}
}

/* A socket that is connected to itself acknowledges its own side's data. */
static void see_packet(const struct packet_log *log,
	struct extremes of[2][FIGURES], struct logged *at)
{
	int side = at->side, peer = log->self_connect ? side : !side;

	see(of[side], TIME, at, at->ordinal);
	if (at->packet.payload_bytes)
		see_data(of[side], at);
	if (at->packet.flags & TCP_ACK)
		see_ack(of[peer], at, log->wscale[side]);
	for (int i = 0; i < 2; i++)
		see(of[i], IN_FLIGHT, at, (int64_t)at->in_flight_bytes[i]);
	if (!isnan(at->rtt_ns))
		see(of[at->rtt_side], RTT, at, (int64_t)at->rtt_ns);
}

static void mark_extremes(const struct packet_log *log, struct logged *packets,
	size_t count)
{
	struct extremes of[2][FIGURES] = { 0 };

	for (size_t i = 0; i < count; i++) {
		packets[i].extreme = false;
		if (!(packets[i].marks & MARK_COPY))
			see_packet(log, of, &packets[i]);
	}
	for (int i = 0; i < 2 * FIGURES; i++)
		if (of[i / FIGURES][i % FIGURES].most) {
			of[i / FIGURES][i % FIGURES].most->extreme = true;
			of[i / FIGURES][i % FIGURES].least->extreme = true;
		}
}

static bool is_around(const struct packet_log *log, uint64_t ordinal)
{
	return log->scope.around &&
		distance(ordinal, log->scope.around) <=
		log->most / AROUND_SHARE / 2;
}

/* Drops the packets of the present slot that no plot needs. */
static void reduce_slot(struct packet_log *log)
{
	struct logged *packets =
		(struct logged *)log->packets.data + log->begin;
	size_t count = log->packets.count - log->begin, kept = 0;

	mark_extremes(log, packets, count);
	for (size_t i = 0; i < count; i++) {
		const struct logged *at = &packets[i];

		if (at->extreme || is_noted(at->marks, at->packet.flags) ||
			is_around(log, at->ordinal))
			packets[kept++] = *at;
	}
	log->left_out += count - kept;
	log->packets.count = log->begin + kept;
	log->reduce_at = 2 * kept + SLOT_LEAST;
}

/* Of the packets with a finding, only every second one stays that is not an
 * extreme. */
static void thin_noted(struct packet_log *log)
{
	struct logged *packets = log->packets.data;
	size_t kept = 0;

	log->level++;
	for (size_t i = 0; i < log->packets.count; i++)
		if (packets[i].extreme || is_around(log, packets[i].ordinal) ||
			packets[i].ordinal % (UINT64_C(1) << log->level) == 0)
			packets[kept++] = packets[i];
	log->left_out += log->packets.count - kept;
	log->packets.count = log->begin = kept;
}

static bool is_slot_over(const struct packet_log *log, int64_t t_ns)
{
	const struct log_scope *scope = &log->scope;
	uint64_t slots = log->most / SLOT_SHARE + 1;
	double width_ns =
		((double)scope->last_ns - (double)scope->first_ns) /
		(double)slots;

	return log->slot_packets >= scope->packets / slots ||
		(double)t_ns - (double)log->slot_ns > width_ns;
}

/* Learns what the packets alone do not show. Windows of SYNs are not scaled,
 * but a SYN stays anyway. */
static void know(struct packet_log *log, const struct connection *connection)
{
	enum { WSCALE_MOST = 14 };
	bool scaled = connection->scaling_known && connection->scaling;

	log->self_connect = connection->self_connect;
	for (int i = 0; i < 2; i++) {
		unsigned shift = connection->side[i].offer.options.wscale;

		log->wscale[i] = !scaled ? 0 :
			shift > WSCALE_MOST ? WSCALE_MOST :
					      shift;
	}
}

/* Makes room in a log with slots, before a packet is added. */
static void make_room(struct packet_log *log, int64_t t_ns)
{
	bool over = is_slot_over(log, t_ns);

	if (over || log->packets.count - log->begin >= log->reduce_at ||
		log->packets.count == log->most)
		reduce_slot(log);
	while (log->packets.count >= log->most && log->level < LEVELS)
		thin_noted(log);
	if (over) {
		log->begin = log->packets.count;
		log->reduce_at = SLOT_LEAST;
		log->slot_packets = 0;
		log->slot_ns = t_ns;
	}
	log->slot_packets++;
}

/* ---- adding -------------------------------------------------------------- */

static bool is_logged(const struct packet_log *log,
	const struct connection *connection)
{
	if (log->scope.connection)
		return connection->number == log->scope.connection;
	return connection_has_end(connection, &log->only);
}

static bool has_room(struct packet_log *log, const struct sighting *sighting)
{
	bool noted = is_noted(sighting->marks, sighting->packet->flags);

	if (log->slotted) {
		know(log, sighting->connection);
		make_room(log, sighting->packet->t_ns);
		return log->packets.count < log->most;
	}
	if (log->packets.count == log->most)
		thin(log);
	return stays(sighting->connection->packets, noted, log->level) &&
		log->packets.count < log->most;
}

static struct logged logged_of(const struct sighting *sighting)
{
	const struct connection *connection = sighting->connection;
	struct logged logged = {
		.packet = *sighting->packet,
		.connection = (uint32_t)connection->number,
		.ordinal = (uint32_t)connection->packets,
		.position = sighting->position,
		.end = sighting->end,
		.ack = sighting->ack,
		.in_flight_bytes = { side_in_flight(&connection->side[0]),
			side_in_flight(&connection->side[1]) },
		.rtt_ns = sighting->rtt_ns == UNKNOWN_NS ?
			NAN :
			(float)sighting->rtt_ns,
		.marks = (uint16_t)sighting->marks,
		.side = (unsigned)sighting->side & 1u,
		.rtt_side = (unsigned)sighting->rtt_side & 1u,
		.why = (unsigned)sighting->why & 63u,
	};
	logged.packet.payload = NULL;
	return logged;
}

/* A packet turned out to be of a later connection. */
static void move(struct packet_log *log, const struct sighting *sighting)
{
	struct logged *packets = log->packets.data;
	size_t i = log->packets.count;

	while (i && packets[i - 1].packet.number > sighting->packet->number)
		i--;
	if (i && packets[i - 1].packet.number == sighting->packet->number)
		packets[i - 1] = logged_of(sighting);
}

static void add(void *context, const struct sighting *sighting)
{
	struct packet_log *log = context;

	if (!is_logged(log, sighting->connection))
		return;
	if (sighting->moved && !log->scope.connection) {
		move(log, sighting);
		return;
	}
	if (!has_room(log, sighting)) {
		log->left_out++;
		return;
	}
	struct logged *logged = column_add(&log->packets);
	*logged = logged_of(sighting);
}

void packet_log_watch(struct packet_log *log, struct annotator_options *options)
{
	log->only = options->only;
	options->watch = add;
	options->context = log;
}

size_t packet_log_count(const struct packet_log *log)
{
	return log->packets.count;
}

const struct logged *packet_log_at(const struct packet_log *log, size_t i)
{
	return (const struct logged *)log->packets.data + i;
}

uint64_t packet_log_left_out(const struct packet_log *log)
{
	return log->left_out;
}

unsigned packet_log_version(const struct packet_log *log)
{
	return log->version;
}
