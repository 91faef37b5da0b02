/*
 * The sources of a transfer's timeline (tcp_timeline.h): each packet of its
 * connection as the annotator understood it, or samples of the kernel's
 * TCP_INFO (tcp.h), which alone have its congestion window.
 *
 *     timeline_begin(&timeline, 0);
 *     window_log_begin(&log);
 *     .. timeline_take_packet(&timeline, sighting, port) for each packet
 *     .. timeline_take_report(&timeline, &report, t_ns) without a capture
 *     .. window_log_take(&log, &report, t_ns) in any case
 *     window_log_tell(&log, probe, metric, begin_ns);
 *
 * Nothing here allocates but the timeline, fails, or keeps what it is given.
 * Times are nanoseconds of the clock that stamps packets, CLOCK_REALTIME.
 */
#ifndef BENCHTOP_TCP_TIMELINE_FEED_H
#define BENCHTOP_TCP_TIMELINE_FEED_H

#include "annotate.h"
#include "probe.h"
#include "tcp.h"
#include "tcp_timeline.h"

/* A packet of either side. Those of other connections than the one whose client
 * has this port are passed over, copies too. */
void timeline_take_packet(struct tcp_timeline *, const struct sighting *,
	uint16_t client_port);
/* What the kernel of the sender says: in whole segments, and without the moment
 * of a loss but for the time it was asked. */
void timeline_take_report(struct tcp_timeline *, const struct tcp_report *,
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
