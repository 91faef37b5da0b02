/* Adds an event to a connection, in the order of packets. */
#include "annotate_internal.h"

#include <string.h>

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
	unsigned why, const struct byte_range *range)
{
	struct connection *connection = step->connection;
	uint32_t at = connection->event_count;

	event_add(step, side, kind, why, range->from, range->to);
	if (at == connection->event_count)
		return;
	struct tcp_event added = connection->events[at];
	added.t_ns = range->t_ns;
	added.number = range->number;
	for (; at && connection->events[at - 1].number > added.number; at--)
		connection->events[at] = connection->events[at - 1];
	connection->events[at] = added;
}

void events_remove(struct connection *connection, int side,
	enum event_kind kind, uint64_t since)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < connection->event_count; i++) {
		const struct tcp_event *event = &connection->events[i];

		if (event->kind != kind || event->side != side ||
			event->number < since)
			connection->events[kept++] = *event;
	}
	connection->event_count = kept;
}

/* The report that the capture lost the bytes at `from`. Events are in the order
 * of packets. */
static struct tcp_event *capture_gap(const struct connection *connection,
	int side, const struct byte_range *range)
{
	uint32_t low = 0, high = connection->event_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (connection->events[middle].number < range->number)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < connection->event_count; low++) {
		struct tcp_event *event = &connection->events[low];

		if (event->number != range->number)
			break;
		if (event->kind == EVENT_CAPTURE_GAP && event->side == side &&
			event->from <= range->from && range->from < event->to)
			return event;
	}
	return NULL;
}

void event_extend(struct step *step, int side, const struct byte_range *range,
	uint64_t to)
{
	struct tcp_event *event =
		capture_gap(step->connection, side, range);

	if (event)
		event->to = to;
}

void event_withdraw(struct step *step, const struct byte_range *range,
	uint64_t to)
{
	struct connection *connection = step->connection;
	struct tcp_event *event = capture_gap(connection, step->side, range);
	struct byte_range rest = *range;

	if (!event)
		return;
	if (step->from > event->from) {
		rest.from = to;
		rest.to = event->to;
		event->to = step->from;
		if (rest.from < rest.to)
			event_add_of(step, step->side, EVENT_CAPTURE_GAP, 0,
				&rest);
	} else if (to < event->to) {
		event->from = to;
	} else {
		size_t at = (size_t)(event - connection->events);

		memmove(event, event + 1,
			(--connection->event_count - at) * sizeof *event);
	}
}
