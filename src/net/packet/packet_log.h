/*
 * A log of the packets that an annotator has analysed: for a list, for decoding
 * one packet, and for sequence numbers over time.
 *
 * A log watches an annotator:
 *
 *     struct packet_log *log = packet_log_new(PACKET_LOG_MAX);
 *     struct annotator_options options = { 0 };
 *     packet_log_watch(log, &options);
 *     struct annotator *annotator = annotator_new(&options);
 *
 * It stores at most `most` packets, so that memory is bounded for any file. A
 * full log is thinned: of the plain packets of each connection only every
 * second one stays, then every fourth, and so on. The first packets of a
 * connection, those with SYN, FIN or RST, and those with a finding stay longer.
 * So the log covers the whole capture at a resolution far finer than a screen.
 * Payload is not stored. The log is outside the heap and is not copied into
 * forked workers.
 */
#ifndef BENCHTOP_PACKET_LOG_H
#define BENCHTOP_PACKET_LOG_H

#include <stddef.h>

#include "annotate.h"

/* About 30 MB. */
enum { PACKET_LOG_MAX = 1 << 17 };

/* A packet and the result of its analysis. Positions are as in struct sighting;
 * see side_offset(). */
struct logged {
	struct packet packet; /* without its payload */
	uint64_t position, end, ack;
	uint64_t in_flight_bytes; /* of its side, after this packet */
	uint32_t connection;      /* its number */
	uint32_t ordinal; /* among the packets of the connection, from 1 */
	float rtt_ns;     /* a round trip that it ended; NaN: none */
	uint16_t marks;   /* enum mark */
	uint8_t side : 1, rtt_side : 1, why : 6;
};

struct packet_log;

struct packet_log *packet_log_new(size_t most);
void packet_log_free(struct packet_log *);
/* Sets the options so that an annotator reports to the log. */
void packet_log_watch(struct packet_log *, struct annotator_options *);

size_t packet_log_count(const struct packet_log *);
/* Indices and pointers are valid until the next packet is added. An index stays
 * valid as long as packet_log_level() does not change. */
const struct logged *packet_log_at(const struct packet_log *, size_t i);
/* The number of packets that are not stored. */
uint64_t packet_log_left_out(const struct packet_log *);
/* How often the log was thinned: of the plain packets, one in 2 to the power of
 * this is stored. */
unsigned packet_log_level(const struct packet_log *);
/* The same for packets with a finding or with SYN, FIN or RST. */
unsigned packet_log_noted_level(const struct packet_log *);

#endif
