/* A conversation fed to an annotator, segment by segment. */
#ifndef BENCHTOP_TALK_H
#define BENCHTOP_TALK_H

#include "annotate.h"
#include "check.h"
#include "make_packets.h"

enum { CLIENT, SERVER };

struct talk {
	struct flow flow;
	struct annotator *annotator;
	struct sighting last; /* its pointers are no longer valid */
};

void talk_begin(struct talk *talk, enum tap tap);
void talk_end(struct talk *talk);
void talk_add(struct talk *talk, struct segment segment);

#define SAY(talk, ...) talk_add((talk), (struct segment){ __VA_ARGS__ })

const struct connection *talk_connection(const struct talk *talk);
const struct side *talk_side(const struct talk *talk, int side);
/* Adds SYN, SYN/ACK, ACK, captured at the client of a path of `rtt_ms`. */
void talk_open(struct talk *talk, double rtt_ms);
/* Begins a conversation over 40 ms, captured at its client, and opens it. */
void talk_start(struct talk *talk);
/* The same; then the server offers 4480 bytes, and acknowledges a first flight
 * of so many segments of 1448 bytes. */
void talk_start_narrow(struct talk *talk, int segments);
uint64_t count_events(const struct connection *connection,
	enum event_kind kind);

#endif
