/* Adds an event to a connection, in the order of packets. */
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

void event_add_of(struct step *step, int side, enum event_kind kind,
	const struct byte_range *range)
{
	struct connection *connection = step->connection;
	uint32_t at = connection->event_count;

	event_add(step, side, kind, 0, range->from, range->to);
	if (at == connection->event_count)
		return;
	struct tcp_event added = connection->events[at];
	added.t_ns = range->t_ns;
	added.number = range->number;
	for (; at && connection->events[at - 1].number > added.number; at--)
		connection->events[at] = connection->events[at - 1];
	connection->events[at] = added;
}
