/* The sources of the timeline of a transfer. */
#include "tcp_timeline_feed.h"

#include "tcp_timeline_tell.h"

void timeline_take_packet(struct tcp_timeline *timeline,
	const struct sighting *sighting,
	uint16_t client_port)
{
	const struct connection *connection = sighting->connection;
	int client = connection->client;
	const struct side *sender = &connection->side[client];

	if (sighting->marks & MARK_COPY || !sender->started ||
		connection->end[client].port != client_port)
		return;
	if (sighting->marks & MARK_RETRANSMISSION && sighting->side == client)
		timeline_lose(timeline, sighting->packet->t_ns);
	int64_t sent = side_offset(sender, sender->next);
	int64_t acked = side_offset(sender, sender->acked);
	timeline_add(timeline,
		(struct timeline_point){
			.t_ns = sighting->packet->t_ns,
			.sent = sent > 0 ? (uint64_t)sent : 0,
			.acked = sender->acked_known && acked > 0 ?
				(uint64_t)acked :
				0,
			.in_flight = side_in_flight(sender),
		});
}

void timeline_take_report(struct tcp_timeline *timeline,
	const struct tcp_report *report,
	int64_t t_ns)
{
	const struct tcp_account *account = &report->account;
	uint64_t in_flight = (uint64_t)account->send_mss * account->unacked;

	if (account->total_retrans)
		timeline_lose(timeline, t_ns);
	if (tcp_has(report, bytes_acked))
		timeline_add(timeline,
			(struct timeline_point){ t_ns,
				account->bytes_acked + in_flight,
				account->bytes_acked, in_flight });
}

/* ---- the congestion window --------------------------------------------- */

void window_log_begin(struct window_log *log)
{
	log->count = 0;
	log->threshold = log->resent_then = 0;
}

void window_log_take(struct window_log *log, const struct tcp_report *report,
	int64_t t_ns)
{
	const struct tcp_account *account = &report->account;

	if (log->count < WINDOW_SAMPLES_MAX) {
		log->at[log->count].t_ns = t_ns;
		log->at[log->count++].bytes =
			(uint64_t)account->congestion_window *
			account->send_mss;
	}
	if (!log->threshold && account->send_ssthresh < INT32_MAX) {
		log->threshold = account->send_ssthresh;
		log->resent_then = account->total_retrans;
	}
}

void window_log_tell(const struct window_log *log, struct probe *probe,
	unsigned metric, int64_t begin_ns)
{
	size_t step = tell_step(log->count);

	for (size_t i = 0; i < log->count; i += step)
		probe_trace(probe, metric, (double)(log->at[i].t_ns - begin_ns),
			(double)log->at[i].bytes);
}
