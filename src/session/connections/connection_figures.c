/* Figures of a whole transfer, and what limited it. */
#include "connection_figures.h"

int64_t connection_rtt(const struct connection *connection)
{
	int64_t least_ns = handshake_path_ns(&connection->handshake);

	for (int i = 0; i < 2; i++) {
		const struct rtt *rtt = &connection->side[i].rtt;

		if (rtt->samples &&
			(least_ns == UNKNOWN_NS || rtt->least_ns < least_ns))
			least_ns = rtt->least_ns;
	}
	return least_ns;
}

uint64_t connection_bytes(const struct connection *connection)
{
	return connection->side[0].payload_bytes +
		connection->side[1].payload_bytes;
}

uint64_t side_resent(const struct side *side)
{
	return side->retransmitted_segments;
}

uint64_t side_resent_data(const struct side *side)
{
	uint64_t bare = side->retransmissions[RETRANSMIT_FIN] +
		side->retransmissions[RETRANSMIT_SYN];

	return side_resent(side) > bare ? side_resent(side) - bare : 0;
}

void connection_resent_of(const struct connection *connection,
	uint64_t resent[2])
{
	for (int i = 0; i < 2; i++) {
		int of = i ? !connection->client : connection->client;
		const struct side *side = &connection->side[of];

		resent[i] = side->packets || connection->self_connect ?
			side_resent(side) :
			RESENT_UNKNOWN;
	}
}

uint64_t connection_resent_total(const uint64_t resent[2])
{
	return resent[0] == RESENT_UNKNOWN || resent[1] == RESENT_UNKNOWN ?
		RESENT_UNKNOWN :
		resent[0] + resent[1];
}

/* ---- what limited it --------------------------------------------------- */

const char *limit_words(enum transfer_limit limit)
{
	static const char *const words[TRANSFER_LIMITS] = {
		[LIMIT_UNKNOWN] = "-",
		[LIMIT_APPLICATION] = "application",
		[LIMIT_SEND_BUFFER] = "send buffer",
		[LIMIT_NETWORK] = "network",
		[LIMIT_RECEIVER] = "receiver",
	};

	return words[limit];
}

const char *limit_name(enum transfer_limit limit)
{
	if (limit == LIMIT_UNKNOWN)
		return NULL;
	return limit == LIMIT_SEND_BUFFER ? "send_buffer" : limit_words(limit);
}

/* Nanoseconds as double: sums of spans of untrusted time stamps. */
struct spans {
	double all, application, receiver, network;
};

/* The usual initial window of RFC 6928, in segments. */
enum { ROUNDS_LEAST = 3, INITIAL_WINDOW = 10 };

/* Whether the congestion window is below the size at which a packet was lost
 * or marked. */
struct congestion {
	uint64_t window_bytes; /* that size, by the rounds; 0: it is not */
	uint64_t rounds;       /* left to regain it */
	int64_t base_ns;       /* the least round trip until now */
};

/* After a reduction to a half, a sender that adds a segment in each round (RFC
 * 5681) needs as many rounds as half of the window has segments. What keeps it
 * below for longer is not the congestion window. */
static void note_reduction(struct congestion *congestion,
	const struct side *side, uint32_t i)
{
	const struct round *round = &side->rounds.at[i];
	uint64_t mss = side_segment_bytes(side);
	uint64_t bytes = round->bytes;

	if (i && round[-1].bytes > bytes)
		bytes = round[-1].bytes;
	if (bytes > congestion->window_bytes)
		congestion->window_bytes = bytes;
	congestion->rounds =
		1 + (mss ? congestion->window_bytes / mss / 2 : 0);
}

/* True if the network limits round i: the window is not yet regained, or a
 * queue delays its packets (`delays`: the round trips show one). */
static bool is_congested(struct congestion *congestion, const struct side *side,
	uint32_t i, bool delays)
{
	const struct round *round = &side->rounds.at[i];
	bool delayed = round_is_delayed(round, &congestion->base_ns) && delays;

	if (round->reduced || round->marked) {
		note_reduction(congestion, side, i);
		return true;
	}
	if (round->bytes >= congestion->window_bytes || !congestion->rounds)
		congestion->window_bytes = 0;
	else
		congestion->rounds--;
	return congestion->window_bytes || delayed;
}

/* A few small writes test no queue. */
static bool shows_queue(const struct connection *connection, int sender)
{
	const struct side *side = &connection->side[sender];

	return side->rounds.count >= ROUNDS_LEAST &&
		side->payload_bytes >= INITIAL_WINDOW * side->mss_bytes &&
		side_is_delayed(connection, sender);
}

/* The end of the last round: while the receiver's window is closed, the end of
 * the connection; after a loss, the end of the recovery; behind a queue, a
 * round trip after its last data. Later rounds may not have been kept. */
static int64_t last_end(const struct connection *connection, int sender,
	bool delays)
{
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	const struct round *round = &side->rounds.at[side->rounds.count - 1];
	int64_t end_ns = round->last_ns;
	int64_t repaired_ns = side->recover ? side->sent_ns :
					      side->recovered_ns;

	if (side->rounds.left_out)
		return end_ns;
	if (peer->zero_since_ns != UNKNOWN_NS)
		return connection->last_ns;
	if (delays && round->rtt_ns != UNKNOWN_NS)
		end_ns += round->rtt_ns;
	return repaired_ns != UNKNOWN_NS && repaired_ns > end_ns ? repaired_ns :
								   end_ns;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void add_rounds(const struct connection *connection, int sender,
	struct spans *spans)
{
	const struct side *side = &connection->side[sender];
	const struct rounds *rounds = &side->rounds;
	struct congestion congestion = {
		.base_ns = handshake_path_ns(&connection->handshake),
	};
	bool delays = shows_queue(connection, sender);

	for (uint32_t i = 0; i < rounds->count; i++) {
		const struct round *round = &rounds->at[i];
		int64_t end_ns = i + 1 < rounds->count ?
			rounds->at[i + 1].start_ns :
			last_end(connection, sender, delays);
		double span = (double)end_ns - (double)round->start_ns;
		bool congested = is_congested(&congestion, side, i, delays);

		if (span <= 0)
			continue;
		double full_ns = (double)side_full_ns(side, i, end_ns);
		double full = least(full_ns, span);
		double idle = round->app_limited ?
			least((double)round->idle_ns, span - full) :
			0;
		double rest = span - full - idle;
		spans->all += span;
		spans->receiver += full;
		spans->application += idle;
		/* If the window that the sender knew is not visible, it may
		 * have been full. */
		if (congested && !round->silent && round->window_known)
			spans->network += rest;
	}
}

/* The largest part, if it is not smaller than what has no known limit. */
static enum transfer_limit largest(const struct connection *connection,
	int sender, const struct spans *spans)
{
	const struct side *side = &connection->side[sender];
	double rest = spans->all - spans->application - spans->receiver -
		spans->network;

	if (spans->receiver > 0 && spans->receiver >= rest &&
		spans->receiver >= spans->application &&
		spans->receiver >= spans->network)
		return LIMIT_RECEIVER;
	if (spans->application > rest &&
		spans->application >= spans->network)
		return LIMIT_APPLICATION;
	if (side->rounds.exit.reason == EXIT_SEND_BUFFER &&
		rest >= spans->network)
		return LIMIT_SEND_BUFFER;
	/* A receiver that discards what exceeds its window makes the sender
	 * wait for its timer. */
	if (side->discarded_bytes && rest >= spans->network)
		return LIMIT_RECEIVER;
	/* The cause of what was sent again may be the receiver's window. */
	const struct slow_start_exit end = side_exit(side);
	if (end.discarded && end.unproven)
		return LIMIT_UNKNOWN;
	return spans->network > 0 && spans->network >= rest ? LIMIT_NETWORK :
							      LIMIT_UNKNOWN;
}

/* On a path too short for rounds: the pauses of all that each end decides are
 * seen at any tap, and are too long by at most a round trip of the path, which
 * idle_ns excludes. */
static struct spans whole(const struct connection *connection, int sender)
{
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	int64_t end_ns = peer->zero_since_ns != UNKNOWN_NS ?
		connection->last_ns :
		side->last_data_ns;

	if (side->recover && side->sent_ns > end_ns)
		end_ns = side->sent_ns;
	return (struct spans){
		.all = (double)(end_ns - side->first_data_ns),
		.application = (double)side->idle_ns,
		.receiver = (double)side->full_ns +
			(double)side_full_open_ns(side, end_ns),
		.network = (double)side->recovery_ns,
	};
}

void connection_time(const struct connection *connection,
	struct transfer_time *time)
{
	int sender = connection_sender(connection);
	const struct side *side = &connection->side[sender];
	enum rounds_basis basis = side->rounds.basis;
	struct spans spans = { 0 };

	*time = (struct transfer_time){ .limit = LIMIT_UNKNOWN };
	if (!side_is_answered(connection, sender) || side->frames < 2)
		return;
	if (basis != ROUNDS_TOO_SHORT && basis != ROUNDS_NONE)
		add_rounds(connection, sender, &spans);
	else if (basis == ROUNDS_TOO_SHORT || side_is_near(connection, sender))
		spans = whole(connection, sender);
	if (spans.all <= 0)
		return;
	time->known = true;
	time->limit = largest(connection, sender, &spans);
	time->receiver = spans.receiver / spans.all;
	time->network = spans.network / spans.all;
	/* A closed window looks like an idle application. */
	if (time->limit != LIMIT_RECEIVER)
		time->application = spans.application / spans.all;
}
