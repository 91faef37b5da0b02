/* Figures of a whole transfer, and what limited it. */
#include "connection_figures.h"

int64_t connection_rtt(const struct connection *connection)
{
	const struct side *side =
		&connection->side[connection_sender(connection)];

	return side->rtt.samples ? side->rtt.least_ns :
				   connection->handshake.path_ns;
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
	double all, application, receiver;
	double unknown; /* the window that the sender knew is not visible */
};

/* `stalled_ns`: the end of the last round if the receiver's window is closed,
 * else UNKNOWN_NS. */
static void add_rounds(const struct rounds *rounds, int64_t stalled_ns,
	struct spans *spans)
{
	for (uint32_t i = 0; i < rounds->count; i++) {
		const struct round *round = &rounds->at[i];
		int64_t end_ns = i + 1 < rounds->count ?
			rounds->at[i + 1].start_ns :
			stalled_ns == UNKNOWN_NS ? round->last_ns : stalled_ns;
		double span = (double)end_ns - (double)round->start_ns;

		if (span <= 0)
			continue;
		spans->all += span;
		if (round->window_full)
			spans->receiver += span;
		else if (round->app_limited)
			spans->application += span;
		else if (round->silent || !round->window_known)
			spans->unknown += span;
	}
}

/* The usual initial window of RFC 6928, in segments. */
enum { ROUNDS_LEAST = 3, INITIAL_WINDOW = 10 };

/* Growth ended because the application steadily wrote less than the window
 * allowed. A loss then does not show that the network limits. */
static bool is_steady_writer(const struct rounds *rounds)
{
	const struct slow_start_exit *end = &rounds->exit;

	if (end->reason != EXIT_APPLICATION || end->certain || !end->round ||
		end->round > rounds->count)
		return false;
	const struct round *round = &rounds->at[end->round - 1];
	return !round->app_limited && !round->silent;
}

/* The network drops, marks or delays. Data that is only acknowledged may as
 * well be limited by its sender, and a few small writes test no queue. */
static bool is_network(const struct connection *connection, int sender)
{
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	bool tested = side->rounds.count >= ROUNDS_LEAST &&
		side->payload_bytes >= INITIAL_WINDOW * side->mss_bytes;

	return side_resent_data(side) >
		side->retransmissions[RETRANSMIT_SPURIOUS] ||
		peer->ece_acks ||
		(tested && side_is_delayed(connection, sender));
}

static enum transfer_limit largest(const struct connection *connection,
	int sender, const struct spans *spans)
{
	const struct side *side = &connection->side[sender];
	int receiver = side_peer(connection, sender);
	const struct side *peer = &connection->side[receiver];
	double network = spans->all - spans->application - spans->receiver -
		spans->unknown;

	if (2 * (double)side_zero_window_ns(connection, receiver) > spans->all)
		return LIMIT_RECEIVER;
	if (spans->application > spans->receiver &&
		spans->application > network + spans->unknown)
		return LIMIT_APPLICATION;
	if (spans->receiver >= network + spans->unknown)
		return LIMIT_RECEIVER;
	if (side->rounds.exit.reason == EXIT_SEND_BUFFER)
		return LIMIT_SEND_BUFFER;
	/* A full window may not be visible, but a closed one is. */
	if (spans->unknown > network)
		return peer->zero_windows || side->beyond_window ?
			LIMIT_RECEIVER :
			LIMIT_UNKNOWN;
	return is_network(connection, sender) &&
			!is_steady_writer(&side->rounds) ?
		LIMIT_NETWORK :
		LIMIT_UNKNOWN;
}

void connection_time(const struct connection *connection,
	struct transfer_time *time)
{
	int sender = connection_sender(connection);
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	bool visible = side->rounds.basis != ROUNDS_TOO_SHORT &&
		side->rounds.basis != ROUNDS_NONE;
	int64_t stalled_ns = peer->zero_since_ns == UNKNOWN_NS ?
		UNKNOWN_NS :
		connection->last_ns;
	struct spans spans = { 0 };

	*time = (struct transfer_time){ .limit = LIMIT_UNKNOWN };
	if (!side_is_answered(connection, sender) || side->frames < 2)
		return;
	if (visible)
		add_rounds(&side->rounds, stalled_ns, &spans);
	else if (side_is_near(connection, sender))
		spans = (struct spans){
			.all = (double)(side->last_data_ns -
				side->first_data_ns),
			.application = (double)side->idle_ns,
			.receiver = (double)side->full_ns,
		};
	if (spans.all <= 0)
		return;
	time->limit = largest(connection, sender, &spans);
	time->receiver = spans.receiver / spans.all;
	/* A closed window looks like an idle application. */
	if (time->limit != LIMIT_RECEIVER)
		time->application = spans.application / spans.all;
}
