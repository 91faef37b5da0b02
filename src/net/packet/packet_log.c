/* A log of the packets that an annotator has analysed. */
#include "packet_log.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

struct packet_log {
	struct column packets; /* struct logged */
	size_t most;
	unsigned level;
	uint64_t left_out;
};

struct packet_log *packet_log_new(size_t most)
{
	struct packet_log *log = xcalloc(1, sizeof *log);

	column_init(&log->packets, sizeof(struct logged));
	log->most = most;
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
}

static void add(void *context, const struct sighting *sighting)
{
	struct packet_log *log = context;
	const struct connection *connection = sighting->connection;
	bool noted = is_noted(sighting->marks, sighting->packet->flags);

	if (log->packets.count == log->most)
		thin(log);
	if (!stays(connection->packets, noted, log->level) ||
		log->packets.count == log->most) {
		log->left_out++;
		return;
	}
	struct logged *logged = column_add(&log->packets);
	*logged = (struct logged){
		.packet = *sighting->packet,
		.connection = (uint32_t)connection->number,
		.ordinal = (uint32_t)connection->packets,
		.position = sighting->position,
		.end = sighting->end,
		.ack = sighting->ack,
		.in_flight_bytes =
			side_in_flight(&connection->side[sighting->side]),
		.rtt_ns = sighting->rtt_ns == UNKNOWN_NS ?
			NAN :
			(float)sighting->rtt_ns,
		.marks = (uint16_t)sighting->marks,
		.side = (unsigned)sighting->side & 1u,
		.rtt_side = (unsigned)sighting->rtt_side & 1u,
		.why = (unsigned)sighting->why & 63u,
	};
	logged->packet.payload = NULL;
}

void packet_log_watch(struct packet_log *log, struct annotator_options *options)
{
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

unsigned packet_log_level(const struct packet_log *log)
{
	return log->level;
}

unsigned packet_log_noted_level(const struct packet_log *log)
{
	return noted_level(log->level);
}
