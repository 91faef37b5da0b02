/* How the rounds of a side can be separated. */
#include "annotate_internal.h"

/* On a shorter path, only the order at the sender's tap separates rounds. */
enum { SHORTEST_NS = 2000000 };

static int64_t path_of(const struct connection *connection, int side)
{
	int64_t path_ns = connection->handshake.path_ns;

	return path_ns == UNKNOWN_NS && side_is_near(connection, side) ?
		connection->side[side].rtt.least_ns :
		path_ns;
}

bool basis_is_short(const struct step *step)
{
	int64_t path_ns = path_of(step->connection, step->side);

	return path_ns != UNKNOWN_NS && path_ns < SHORTEST_NS;
}

enum rounds_basis basis_find(const struct step *step)
{
	const struct connection *connection = step->connection;
	int64_t path_ns = path_of(connection, step->side);
	bool near = side_is_near(connection, step->side);

	if (step->self->rounds.coarse)
		return ROUNDS_NONE;
	if (step->self->rounds.crowded ||
		(basis_is_short(step) &&
			(!near || connection->tap == TAP_LOOPBACK)))
		return ROUNDS_TOO_SHORT;
	if (connection->tap == TAP_LOOPBACK && path_ns == UNKNOWN_NS)
		return ROUNDS_TOO_SHORT;
	/* A tick of an unknown path may contain several of its round trips. */
	if (path_ns == UNKNOWN_NS && !near)
		return ROUNDS_NONE;
	if (step->packet->options.present & OPTION_TIMESTAMPS &&
		(path_ns == UNKNOWN_NS ||
			path_ns > 2 * clock_tick(step->peer)))
		return ROUNDS_ECHO;
	return near ? ROUNDS_ACK_CLOCK : ROUNDS_ESTIMATED;
}

bool basis_is_fine(const struct connection *connection, int side)
{
	int peer = side_peer(connection, side);
	int64_t path_ns = path_of(connection, side);
	int64_t tick_ns = clock_tick_bound(&connection->side[peer]);

	return path_ns != UNKNOWN_NS && tick_ns != UNKNOWN_NS &&
		2 * tick_ns < path_ns;
}

/* True if the open round was sent for most of the time until its first
 * acknowledgement: no silence separates it from the next. */
static bool is_crowded(struct rounds *rounds)
{
	const struct round *round = round_open(rounds);

	return (rounds->ack_ns - round->last_ns) * 2 <
		rounds->ack_ns - round->start_ns;
}

bool basis_withdraw(const struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	int64_t path_ns = path_of(step->connection, step->side);

	if (rounds->basis != ROUNDS_TOO_SHORT && basis_is_short(step) &&
		is_crowded(rounds)) {
		rounds_withdraw(step->connection, step->side);
		rounds->crowded = true;
		rounds->basis = ROUNDS_TOO_SHORT;
		return true;
	}
	if (rounds->basis != ROUNDS_ECHO || path_ns == UNKNOWN_NS ||
		2 * clock_tick_least(step->peer) <= path_ns)
		return false;
	rounds_withdraw(step->connection, step->side);
	rounds->coarse = true;
	return true;
}
