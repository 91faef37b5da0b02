/* A connection that nothing is known of yet, and what is freed of it. */
#include "annotate_internal.h"

static void side_init(struct side *side)
{
	side->zero_since_ns = side->first_data_ns = side->last_data_ns =
		side->full_since_ns = side->idle_since_ns = UNKNOWN_NS;
	side->full_until_ns = UNKNOWN_NS;
	side->rtt.least_ns = side->rtt.last_ns = UNKNOWN_NS;
	side->unprompted_ns = UNKNOWN_NS;
	side->sent_ns = side->progress_ns = side->ack_seen_ns = UNKNOWN_NS;
	side->repair_ns = side->recovered_ns = UNKNOWN_NS;
	side->rounds.learned_ns = UNKNOWN_NS;
	side->vlan = VLAN_UNSEEN;
	/* Initial value of the counter (RFC 9768). */
	side->marks = 5;
}

void connection_begin(struct connection *connection)
{
	connection->teardown.first = -1;
	for (int side = 0; side < 2; side++) {
		side_init(&connection->side[side]);
		connection->teardown.leg[side].fin_ns =
			connection->teardown.leg[side].ack_ns = UNKNOWN_NS;
	}
}

static void release_side(struct side *side, struct store *store)
{
	void *rounds = side->rounds.at, *echoes = side->echoes;
	void *stamps = side->stamps.at;

	ranges_release(&side->holes, store);
	ranges_release(&side->unseen, store);
	ranges_release(&side->sacked, store);
	ranges_release(&side->again, store);
	ranges_release(&side->repaired, store);
	ranges_release(&side->excess, store);
	store_free(store, &rounds, &side->rounds.room, sizeof *side->rounds.at);
	store_free(store, &echoes, &side->echo_room, sizeof *side->echoes);
	store_free(store, &stamps, &side->stamps.room, sizeof *side->stamps.at);
	side->rounds.at = NULL;
	side->echoes = NULL;
	side->stamps.at = NULL;
}

void connection_release(struct connection *connection, struct store *store)
{
	void *events = connection->events;
	void *strays = connection->strays.at;

	release_side(&connection->side[0], store);
	release_side(&connection->side[1], store);
	store_free(store, &strays, &connection->strays.room,
		sizeof *connection->strays.at);
	connection->strays.at = NULL;
	store_free(store, &events, &connection->event_room,
		sizeof *connection->events);
	connection->events = NULL;
}
