/*
 * A sender and a receiver at the ends of a made-up path, and an annotator at
 * either end: what both see must agree with what the sender did.
 *
 * The sender doubles its window each round trip until `threshold`, and sends
 * again what three duplicate ACKs ask for (NewReno). With `limited` the first
 * two let it send something new (limited transmit, RFC 3042), and neither side
 * offers SACK but where `selective` is set too, and duplicates say what arrived
 * around what they answer. The receiver acknowledges every segment at once. The
 * path has a delay, and where `segment_ms` is not 0 a bottleneck with a queue
 * that drops.
 */
#ifndef BENCHTOP_PATH_H
#define BENCHTOP_PATH_H

#include <stdbool.h>

#include "talk.h"

enum { PATH_SEGMENTS = 4000, PATH_MSS = 1448 };

struct path {
	double rtt_ms, segment_ms; /* delay; a segment at the bottleneck */
	int queue;                 /* segments that may wait; 0: any number */
	int initial, threshold;    /* segments */
	int total;                 /* segments to send */
	int window;                /* of the receiver, segments; 0: wide */
	int pause_after;           /* segments; 0: none. The application then */
	double pause_ms;           /* writes nothing for so long */
	bool timestamps, limited, selective;
	int drop; /* this segment is lost once; -1: none */

	/* What the sender knows to be true. */
	int retransmissions, dropped;
	struct talk near, far;

	/* On their way: segments to the receiver, ACKs to the sender. */
	struct {
		double ms;
		int number, tsval, tsecr;
		int from, to; /* of an ACK: what it selects */
	} data[PATH_SEGMENTS * 2], acks[PATH_SEGMENTS * 2];
	int data_head, data_end, ack_head, ack_end;
	double now_ms, free_ms, resume_ms;
	int next, una, cwnd, recover, duplicates, echo;
	bool has[PATH_SEGMENTS];
	int expected;
};

void path_begin(struct path *path);
/* Runs until everything is acknowledged; path_end() follows. */
void path_go(struct path *path);
void path_run(struct path *path);
void path_end(struct path *path);
const struct side *path_sender(const struct talk *talk);

#endif
