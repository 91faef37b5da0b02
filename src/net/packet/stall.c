/* Silences in which an acknowledgement or the server's data was missing. */
#include "annotate_internal.h"

/* True if data of the side was not acknowledged before this packet. */
static bool is_unacknowledged(const struct side *side)
{
	uint64_t end = side->fin_seen ? side->fin : side->next;

	return side->acked_known && end > side->acked;
}

/* True if the packet answers the client, and is no keep-alive of a byte. After
 * data of the server it is the client that waits as long as it likes. */
static bool is_answer(const struct step *step)
{
	const struct connection *connection = step->connection;
	const struct side *client = &connection->side[connection->client];

	return step->side != connection->client &&
		step->packet->payload_bytes > 1 &&
		client->last_data_ns > step->self->last_data_ns;
}

void stall_step(struct step *step)
{
	struct connection *connection = step->connection;
	const struct side *side = connection->side;
	int64_t silence_ns;

	if (!connection->packets || connection->self_connect ||
		!side[0].packets || !side[1].packets ||
		__builtin_sub_overflow(step->packet->t_ns, connection->last_ns,
			&silence_ns) ||
		silence_ns <= connection->stall_ns)
		return;
	bool unacknowledged = is_unacknowledged(&side[0]) ||
		is_unacknowledged(&side[1]);
	if (!unacknowledged && !is_answer(step))
		return;
	connection->stall_answered = !unacknowledged;
	connection->stall_ns = silence_ns;
	connection->stall_number = step->packet->number;
}
