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
 * Packets of connections that the annotator's options do not choose (`only`)
 * need no room.
 *
 * A file can be read again for the packets of one connection: packet_log_of().
 * If even these are too many, its packets and its time are divided into slots,
 * finer than a screen. Of each slot the first and last packets stay, those with
 * the extremes of every plotted figure, and those with a finding. So a plot of
 * the whole connection is the same as of all its packets. Around one packet all
 * others stay, for a list and for a closer view.
 *
 * Payload is not stored. The log is outside the heap and is not copied into
 * forked workers.
 */
#ifndef BENCHTOP_PACKET_LOG_H
#define BENCHTOP_PACKET_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "annotate.h"

/* About 30 MB. */
enum { PACKET_LOG_MAX = 1 << 17 };

/* A packet and the result of its analysis. Positions are as in struct sighting;
 * see side_offset(). */
struct logged {
	struct packet packet; /* without its payload */
	uint64_t position, end, ack;
	uint64_t in_flight_bytes[2]; /* of each side, after this packet */
	uint32_t connection;      /* its number */
	uint32_t ordinal; /* among the packets of the connection, from 1 */
	float rtt_ns;     /* a round trip that it ended; NaN: none */
	uint16_t marks;   /* enum mark */
	uint8_t side : 1, rtt_side : 1, why : 6;
	bool extreme; /* it stays for a plot, see packet_log_of() */
};

struct packet_log;

struct packet_log *packet_log_new(size_t most);
/* A log of the packets of one connection, of which an earlier reading of the
 * same file counted the packets and their time. */
struct log_scope {
	uint64_t connection; /* its number; 0: no scope */
	uint64_t packets;    /* in total, copies too */
	int64_t first_ns, last_ns;
	uint64_t around; /* ordinal about which every packet stays; 0: none */
};
struct packet_log *packet_log_of(size_t most, const struct log_scope *);
/* True if a log of `had` has every packet that one of `wanted` would have, or
 * those around nearly the same packet. */
bool log_scope_covers(size_t most, const struct log_scope *had,
	const struct log_scope *wanted);
void packet_log_free(struct packet_log *);
/* Sets the options so that an annotator reports to the log. */
void packet_log_watch(struct packet_log *, struct annotator_options *);

size_t packet_log_count(const struct packet_log *);
/* Indices and pointers are valid until the next packet is added. An index stays
 * valid as long as packet_log_version() does not change. */
const struct logged *packet_log_at(const struct packet_log *, size_t i);
/* The number of packets of the log's connections that are not stored. */
uint64_t packet_log_left_out(const struct packet_log *);
/* Differs between logs, and changes when packets have moved within the log. */
unsigned packet_log_version(const struct packet_log *);

#endif
