/*
 * Reports of experiments about a connection: traces of its timeline, and notes
 * about its rounds, the end of slow start, and the agreement of kernel and
 * packets.
 */
#ifndef BENCHTOP_TCP_TIMELINE_TELL_H
#define BENCHTOP_TCP_TIMELINE_TELL_H

#include "probe.h"
#include "tcp_timeline.h"

enum {
	TELL_POINTS = 256, /* maximum per trace */
	TELL_TRACES = 3,   /* sent, acknowledged, in flight */
};

/* The step with which `count` points are thinned out for a trace. */
size_t tell_step(size_t count);
/* Emits the three traces: bytes over ns since the beginning. */
void tell_timeline(struct probe *, const struct tcp_timeline *,
	const unsigned metrics[TELL_TRACES]);
/* Adds the note `rounds`: segments per round, "10,20,40,..". */
void tell_rounds(struct probe *, const struct rounds *);
/* Adds the note `ended`: why slow start ended. `threshold`: the kernel had set
 * a threshold before any loss, which confirms a cause inferred from growth.
 * `path_bytes`: bytes in flight when the path is full, 0 if unknown. */
void tell_end(struct probe *, const struct slow_start_exit *, bool threshold,
	double path_bytes);
/* Adds the note `sent-again`: the kernel's count of retransmitted segments and
 * the count in the packets. Adds `sent-again-differs` if the counts differ
 * although no packet was dropped by the capture. */
void tell_resent(struct probe *, uint64_t kernel, uint64_t seen,
	uint64_t dropped);

#endif
