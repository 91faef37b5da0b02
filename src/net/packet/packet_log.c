/* A log of the packets that an annotator has analysed. */
#include "packet_log.h"

#include <stdlib.h>

#include "memory.h"

struct packet_log {
	struct column packets; /* struct logged */
	size_t most;
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

static void add(void *context, const struct sighting *sighting)
{
	struct packet_log *log = context;
	const struct side *side = &sighting->connection->side[sighting->side];

	if (log->packets.count == log->most) {
		log->left_out++;
		return;
	}
	struct logged *logged = column_add(&log->packets);
	*logged = (struct logged){
		.packet = *sighting->packet,
		.connection = sighting->connection->number,
		.position = sighting->position,
		.end = sighting->end,
		.ack = sighting->ack,
		.in_flight_bytes = side_in_flight(side),
		.rtt_ns = sighting->rtt_ns,
		.marks = sighting->marks,
		.side = (uint8_t)sighting->side,
		.why = (uint8_t)sighting->why,
		.rtt_side = (uint8_t)sighting->rtt_side,
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
