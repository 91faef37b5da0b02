/*
 * Where the course of a transfer (course.h) comes from: each packet of its
 * connection as the annotator understood it, or the kernel's account of it
 * (TCP_INFO, tcp.h) from time to time; and the kernel's congestion window,
 * which only that account has.
 *
 *     course_begin(&course, 0);
 *     window_log_begin(&log);
 *     .. course_take_packet(&course, sighting, port) from the annotator's watch
 *     .. course_take_report(&course, &report, t_ns) where nothing is captured
 *     .. window_log_take(&log, &report, t_ns) in any case
 *     window_log_tell(&log, probe, metric, begin_ns);
 *
 * Nothing here allocates but the course, fails, or keeps what it is given.
 * Times are nanoseconds of the clock that stamps packets, CLOCK_REALTIME.
 */
#ifndef BENCHTOP_COURSE_FEED_H
#define BENCHTOP_COURSE_FEED_H

#include "annotate.h"
#include "course.h"
#include "probe.h"
#include "tcp.h"

/* A packet of either side. Those of other connections than the one whose client
 * has this port are passed over, copies too. */
void course_take_packet(struct course *, const struct sighting *,
	uint16_t client_port);
/* What the kernel of the sender says: in whole segments, and without the moment
 * of a loss but for the time it was asked. */
void course_take_report(struct course *, const struct tcp_report *,
	int64_t t_ns);

enum { WINDOW_SAMPLES_MAX = 1 << 15 };

/* The congestion window of a connection; samples beyond the most are left
 * out. */
struct window_log {
	struct {
		int64_t t_ns;
		uint64_t bytes;
	} at[WINDOW_SAMPLES_MAX];
	size_t count;
	uint32_t threshold;   /* of slow start, in segments, when it was first
			       * set; 0: it never was */
	uint32_t resent_then; /* segments sent again by then */
};

void window_log_begin(struct window_log *);
void window_log_take(struct window_log *, const struct tcp_report *,
	int64_t t_ns);
/* As a trace: bytes against ns since `begin_ns`. */
void window_log_tell(const struct window_log *, struct probe *, unsigned metric,
	int64_t begin_ns);

#endif
