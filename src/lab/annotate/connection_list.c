/* Figures of connections, and their order in a list. */
#include "connection_list.h"

#include <stdlib.h>

#include "text.h"

/* ---- figures ----------------------------------------------------------- */

int64_t connection_took(const struct connection *connection)
{
	return connection->last_ns > connection->first_ns ?
		connection->last_ns - connection->first_ns :
		0;
}

void connection_vlans(const struct connection *connection, uint32_t vlan[2])
{
	const struct side *client = &connection->side[connection->client];
	const struct side *server = &connection->side[!connection->client];

	vlan[0] = (client->packets ? client : server)->vlan;
	vlan[1] = (server->packets ? server : client)->vlan;
}

const char *span_below(int64_t resolution_ns)
{
	return resolution_ns >= 1000000 ? "<1 ms" : "<1 us";
}

/* side_resent() of both sides. */
static uint64_t connection_resent(const struct connection *connection)
{
	return side_resent(&connection->side[0]) +
		side_resent(&connection->side[1]);
}

static void add_resent(uint64_t resent, struct text *text)
{
	if (resent == RESENT_UNKNOWN)
		text_add_char(text, '-');
	else
		text_add(text, "%llu", (unsigned long long)resent);
}

void resent_words(uint64_t client, uint64_t server, struct text *text)
{
	add_resent(client, text);
	if (!client && !server)
		return;
	text_add_char(text, '+');
	add_resent(server, text);
}

void connection_resent_words(const struct connection *connection,
	struct text *text)
{
	uint64_t resent[2];

	connection_resent_of(connection, resent);
	resent_words(resent[0], resent[1], text);
}

/* ---- order ------------------------------------------------------------- */

static const char *const order_names[] = { "start", "retx", "end", "stall",
	"limit", "bytes", "time", "rtt", NULL };

const char *order_name(enum list_order order)
{
	return order_names[order];
}

enum list_order order_named(const char *name)
{
	return (enum list_order)text_index(name, order_names, LIST_ORDERS);
}

int64_t connection_shut(const struct connection *connection)
{
	int64_t one = side_zero_window_ns(connection, 0);
	int64_t two = side_zero_window_ns(connection, 1);
	int64_t most = one > two ? one : two;

	return most > 0 ? most : 0;
}

int64_t connection_stalled(const struct connection *connection)
{
	int64_t shut_ns = connection_shut(connection);
	int64_t stall_ns = connection->stall_ns;

	return stall_ns >= STALL_LEAST_NS && stall_ns > shut_ns ? stall_ns :
								  shut_ns;
}

/* A connection that loses nothing may still stall: among equals, the longest
 * stall comes first. */
static int64_t resent_key(const struct connection *connection)
{
	uint64_t resent = connection_resent(connection);
	uint64_t stalled_us = (uint64_t)connection_stalled(connection) / 1000;

	return (int64_t)((resent < INT32_MAX ? resent : INT32_MAX) << 32 |
		(stalled_us < UINT32_MAX ? stalled_us : UINT32_MAX));
}

/* Connections without a stall follow by their retransmissions. */
static int64_t stall_key(const struct connection *connection)
{
	int64_t stalled_ns = connection_stalled(connection);

	return stalled_ns ? stalled_ns :
			    (int64_t)connection_resent(connection) - INT64_MAX;
}

static int64_t key_of(const struct connection *connection,
	enum list_order order)
{
	struct transfer_time time;

	switch (order) {
	case ORDER_RESENT:
		return resent_key(connection);
	case ORDER_STALL:
		return stall_key(connection);
	case ORDER_BYTES:
		return (int64_t)connection_bytes(connection);
	case ORDER_TIME:
		return connection_took(connection);
	case ORDER_RTT:
		return connection_rtt(connection);
	case ORDER_LIMIT:
		connection_time(connection, &time);
		return time.limit;
	case ORDER_END:
		return connection_close(connection);
	default:
		return -(int64_t)connection->number;
	}
}

int64_t list_key(const struct connection *connection, enum list_order order,
	bool reversed)
{
	int64_t key = key_of(connection, order);

	/* ~ reverses the order of all values without overflow. */
	return reversed ? ~key : key;
}

static int compare(const void *a, const void *b)
{
	const struct listed *one = a, *two = b;

	if (one->key != two->key)
		return one->key < two->key ? 1 : -1;
	return one->index < two->index ? -1 : one->index > two->index;
}

void list_sort(struct listed *rows, size_t count, enum list_order order,
	bool reversed)
{
	for (size_t i = 0; i < count; i++)
		rows[i].key = list_key(rows[i].connection, order, reversed);
	qsort(rows, count, sizeof *rows, compare);
}
