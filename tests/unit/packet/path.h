/*
 * A simulated path with a sender and a receiver, and an annotator at each end:
 * what both see must agree with what the sender did.
 *
 * The sender doubles its window each round trip until `threshold`, and
 * retransmits what three duplicate ACKs request (NewReno). With `limited`, the
 * first two duplicates allow new data (limited transmit, RFC 3042). Then
 * neither side offers SACK, unless `selective` is set too; with it, duplicates
 * report what arrived around the segment that they answer. The receiver
 * acknowledges every segment at once. The path has a delay, and a bottleneck
 * with a drop-tail queue unless `segment_ms` is 0.
 */
#ifndef BENCHTOP_PATH_H
#define BENCHTOP_PATH_H

#include <stdbool.h>

#include "talk.h"

enum { PATH_SEGMENTS = 4000, PATH_MSS = 1448 };

struct path {
	double rtt_ms, segment_ms; /* delay; time of a segment at the
				    * bottleneck */
	int queue;                 /* segments that may wait; 0: unlimited */
	int initial, threshold;    /* segments */
	int total;                 /* segments to send */
	int window;                /* of the receiver, segments; 0: large */
	int wide_from, wide;       /* the window from this segment on */
	int pause_after;           /* segments; 0: none. Then the application */
	double pause_ms;           /* writes nothing for this time */
	bool timestamps, limited, selective;
	int drop; /* this segment is lost once; -1: none */

	/* Facts known to the sender. */
	int retransmissions, dropped;
	struct talk near, far;

	/* In transit: segments to the receiver, ACKs to the sender. */
	struct {
		double ms;
		int number, tsval, tsecr;
		int from, to; /* of an ACK: selected range */
	} data[PATH_SEGMENTS * 2], acks[PATH_SEGMENTS * 2];
	int data_head, data_end, ack_head, ack_end;
	double now_ms, free_ms, resume_ms;
	int next, una, cwnd, recover, duplicates, echo;
	bool has[PATH_SEGMENTS];
	int expected;
};

void path_begin(struct path *path);
/* Runs until everything is acknowledged; call path_end() afterwards. */
void path_go(struct path *path);
void path_run(struct path *path);
void path_end(struct path *path);
const struct side *path_sender(const struct talk *talk);

#endif
