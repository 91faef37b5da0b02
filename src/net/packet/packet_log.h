/*
 * The packets that an annotator understood, kept one by one: for a list, for
 * the decoding of one of them, for sequence numbers against time.
 *
 * A log watches an annotator:
 *
 *     struct packet_log *log = packet_log_new(PACKET_LOG_MAX);
 *     struct annotator_options options = { 0 };
 *     packet_log_watch(log, &options);
 *     struct annotator *annotator = annotator_new(&options);
 *
 * It keeps the first `most` packets and counts what came after them, so that
 * its memory has an end whatever the file. Payload is not kept. It lies
 * outside the heap: workers that are forked do not copy it.
 */
#ifndef BENCHTOP_PACKET_LOG_H
#define BENCHTOP_PACKET_LOG_H

#include <stddef.h>

#include "annotate.h"

/* Some 30 MB. */
enum { PACKET_LOG_MAX = 1 << 17 };

/* A packet and what it turned out to be; positions as sighting has them, see
 * side_offset(). */
struct logged {
	struct packet packet; /* without its payload */
	uint64_t connection;  /* its number */
	uint64_t position, end, ack;
	uint64_t in_flight_bytes; /* of its side, once it was sent */
	unsigned marks;           /* enum mark */
	uint8_t side, why;
};

struct packet_log;

struct packet_log *packet_log_new(size_t most);
void packet_log_free(struct packet_log *);
/* Makes an annotator with these options tell the log what it sees. */
void packet_log_watch(struct packet_log *, struct annotator_options *);

size_t packet_log_count(const struct packet_log *);
/* Good until the next packet is added. */
const struct logged *packet_log_at(const struct packet_log *, size_t i);
/* Packets that were not kept. */
uint64_t packet_log_left_out(const struct packet_log *);

#endif
