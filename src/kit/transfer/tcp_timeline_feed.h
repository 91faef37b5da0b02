/*
 * The sources of a transfer's timeline (tcp_timeline.h): the annotated packets
 * of its connection, or samples of the kernel's TCP_INFO (tcp.h). Only TCP_INFO
 * has the congestion window.
 *
 *     timeline_begin(&timeline, 0);
 *     window_log_begin(&log);
 *     .. timeline_take_packet(&timeline, sighting, port) for each packet
 *     .. timeline_take_report(&timeline, &report, t_ns) without a capture
 *     .. window_log_take(&log, &report, t_ns) in any case
 *     window_log_tell(&log, probe, metric, begin_ns);
 *
 * Only the timeline allocates memory. No function fails or keeps a pointer to
 * its arguments. Times are nanoseconds of CLOCK_REALTIME, the clock of packet
 * time stamps.
 */
#ifndef BENCHTOP_TCP_TIMELINE_FEED_H
#define BENCHTOP_TCP_TIMELINE_FEED_H

#include "annotate.h"
#include "probe.h"
#include "tcp.h"
#include "tcp_timeline.h"

/* Adds a packet of either side. Copies, and packets of connections whose client
 * has another port, are ignored. */
void timeline_take_packet(struct tcp_timeline *, const struct sighting *,
	uint16_t client_port);
/* Adds a report of the sender's kernel: in whole segments. The time of a loss
 * is the time of the report that shows it. */
void timeline_take_report(struct tcp_timeline *, const struct tcp_report *,
	int64_t t_ns);

enum { WINDOW_SAMPLES_MAX = 1 << 15 };

/* The congestion window of a connection; samples beyond the maximum are
 * dropped. */
struct window_log {
	struct {
		int64_t t_ns;
		uint64_t bytes;
	} at[WINDOW_SAMPLES_MAX];
	size_t count;
	uint32_t threshold;   /* slow start threshold in segments when it was
			       * first set; 0: never set */
	uint32_t resent_then; /* retransmitted segments by then */
};

void window_log_begin(struct window_log *);
void window_log_take(struct window_log *, const struct tcp_report *,
	int64_t t_ns);
/* Emits the window as a trace: bytes over ns since `begin_ns`. */
void window_log_tell(const struct window_log *, struct probe *, unsigned metric,
	int64_t begin_ns);

#endif
