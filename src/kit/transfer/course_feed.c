/* Where the course of a transfer comes from. */
#include "course_feed.h"

#include "course_tell.h"

void course_take_packet(struct course *course, const struct sighting *sighting,
	uint16_t client_port)
{
	const struct connection *connection = sighting->connection;
	int client = connection->client;
	const struct side *sender = &connection->side[client];

	if (sighting->marks & MARK_COPY || !sender->started ||
		connection->end[client].port != client_port)
		return;
	if (sighting->marks & MARK_RETRANSMISSION && sighting->side == client)
		course_lose(course, sighting->packet->t_ns);
	int64_t sent = side_offset(sender, sender->next);
	int64_t acked = side_offset(sender, sender->acked);
	course_add(course,
		(struct course_point){
			.t_ns = sighting->packet->t_ns,
			.sent = sent > 0 ? (uint64_t)sent : 0,
			.acked = sender->acked_known && acked > 0 ?
				(uint64_t)acked :
				0,
			.in_flight = side_in_flight(sender),
		});
}

void course_take_report(struct course *course, const struct tcp_report *report,
	int64_t t_ns)
{
	const struct tcp_account *account = &report->account;
	uint64_t in_flight = (uint64_t)account->send_mss * account->unacked;

	if (account->total_retrans)
		course_lose(course, t_ns);
	if (tcp_has(report, bytes_acked))
		course_add(course,
			(struct course_point){ t_ns,
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
