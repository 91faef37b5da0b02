/*
 * What experiments report of a connection: traces of its timeline, notes about
 * its rounds, why slow start ended, and whether kernel and packets agree.
 */
#ifndef BENCHTOP_TCP_TIMELINE_TELL_H
#define BENCHTOP_TCP_TIMELINE_TELL_H

#include "probe.h"
#include "tcp_timeline.h"

enum {
	TELL_POINTS = 256, /* at most, of each trace */
	TELL_TRACES = 3,   /* sent, acknowledged, in flight */
};

/* Of so many points every how many-th is told? */
size_t tell_step(size_t count);
/* The three traces, in bytes, against ns since the beginning. */
void tell_timeline(struct probe *, const struct tcp_timeline *,
	const unsigned metrics[TELL_TRACES]);
/* Note `rounds`: segments of each, "10,20,40,..". */
void tell_rounds(struct probe *, const struct rounds *);
/* Note `ended`: why slow start did; `threshold`: the kernel set one before
 * anything was lost, which confirms what is inferred from growth; `path_bytes`:
 * what is in flight when the path is full, 0 where that is not known. */
void tell_end(struct probe *, const struct slow_start_exit *, bool threshold,
	double path_bytes);
/* Note `sent-again`: the kernel's count of retransmitted segments beside what
 * the packets show, of which `dropped` were not captured; and where both differ
 * without an excuse, `sent-again-differs`. */
void tell_resent(struct probe *, uint64_t kernel, uint64_t seen,
	uint64_t dropped);

#endif
