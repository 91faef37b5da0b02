/* One more event of a connection. */
#include "annotate_internal.h"

void event_add(struct step *step, int side, enum event_kind kind, unsigned why,
	uint64_t from, uint64_t to)
{
	struct connection *connection = step->connection;
	void *array = connection->events;

	if (!store_grow(step->store, &array, &connection->event_room,
		    connection->event_count, sizeof *connection->events,
		    EVENTS_MAX)) {
		connection->events_left_out++;
		step->facts->left_out++;
		return;
	}
	connection->events = array;
	connection->events[connection->event_count++] = (struct tcp_event){
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
		.from = from,
		.to = to,
		.kind = (uint8_t)kind,
		.side = (uint8_t)side,
		.why = (uint8_t)why,
	};
}
