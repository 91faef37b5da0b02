/* Figures of connections, and lists of them in a chosen order. */
#include "connection_list.h"

#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "figure.h"
#include "memory.h"

/* ---- figures ----------------------------------------------------------- */

int64_t connection_took(const struct connection *connection)
{
	return connection->last_ns > connection->first_ns ?
		connection->last_ns - connection->first_ns :
		0;
}

uint32_t connection_vlan(const struct connection *connection)
{
	uint32_t vlan = connection->side[connection->client].vlan;

	return vlan == VLAN_UNSEEN ?
		connection->side[!connection->client].vlan :
		vlan;
}

int64_t connection_rtt(const struct connection *connection)
{
	const struct side *side =
		&connection->side[connection_sender(connection)];

	return side->rtt.samples ? side->rtt.least_ns :
				   connection->handshake.path_ns;
}

const char *span_below(int64_t resolution_ns)
{
	return resolution_ns >= 1000000 ? "<1 ms" : "<1 us";
}

uint64_t connection_bytes(const struct connection *connection)
{
	return connection->side[0].payload_bytes +
		connection->side[1].payload_bytes;
}

static uint64_t resent_but(const struct side *side, uint64_t segments)
{
	return side->retransmitted_segments > segments ?
		side->retransmitted_segments - segments :
		0;
}

uint64_t side_resent(const struct side *side)
{
	return resent_but(side, side->retransmissions[RETRANSMIT_FIN]);
}

uint64_t side_resent_data(const struct side *side)
{
	return resent_but(side,
		side->retransmissions[RETRANSMIT_FIN] +
			side->retransmissions[RETRANSMIT_SYN]);
}

uint64_t connection_resent(const struct connection *connection)
{
	return side_resent(&connection->side[0]) +
		side_resent(&connection->side[1]);
}

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

/* Nanoseconds as double: sums of spans of untrusted time stamps. */
struct spans {
	double all, application, receiver;
	double unknown; /* the window that the sender knew is not visible */
};

static void add_rounds(const struct rounds *rounds, struct spans *spans)
{
	for (uint32_t i = 0; i < rounds->count; i++) {
		const struct round *round = &rounds->at[i];
		int64_t end_ns = i + 1 < rounds->count ?
			rounds->at[i + 1].start_ns :
			round->last_ns;
		double span = (double)end_ns - (double)round->start_ns;

		if (span <= 0)
			continue;
		spans->all += span;
		if (round->window_full)
			spans->receiver += span;
		else if (round->app_limited)
			spans->application += span;
		else if (!round->window_known)
			spans->unknown += span;
	}
}

/* The usual initial window of RFC 6928, in segments. */
enum { ROUNDS_LEAST = 3, INITIAL_WINDOW = 10 };

static enum transfer_limit largest(const struct connection *connection,
	int sender, const struct spans *spans)
{
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	double network = spans->all - spans->application - spans->receiver -
		spans->unknown;

	if (2 * (double)peer->zero_window_ns > spans->all)
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
	/* A few small writes test no network, unless it loses one. */
	bool tested = side->rounds.count >= ROUNDS_LEAST &&
		side->payload_bytes >= INITIAL_WINDOW * side->mss_bytes;
	return tested || side->rounds.exit.reason == EXIT_LOSS ?
		LIMIT_NETWORK :
		LIMIT_UNKNOWN;
}

void connection_time(const struct connection *connection,
	struct transfer_time *time)
{
	int sender = connection_sender(connection);
	const struct side *side = &connection->side[sender];
	bool visible = side->rounds.basis != ROUNDS_TOO_SHORT &&
		side->rounds.basis != ROUNDS_NONE;
	struct spans spans = { 0 };

	*time = (struct transfer_time){ .limit = LIMIT_UNKNOWN };
	if (!side_is_answered(connection, sender) || side->frames < 2)
		return;
	if (visible)
		add_rounds(&side->rounds, &spans);
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

/* ---- order ------------------------------------------------------------- */

const char *const order_names[] = { "start", "retx", "bytes", "time", "rtt",
	"limit", "end", NULL };

const char *order_name(enum list_order order)
{
	return order_names[order];
}

enum list_order order_named(const char *name)
{
	unsigned order = 0;

	while (order < LIST_ORDERS && strcmp(order_names[order], name) != 0)
		order++;
	return (enum list_order)order;
}

/* The larger key comes first. */
static int64_t key_of(const struct listed *row, enum list_order order)
{
	const struct connection *connection = row->connection;
	struct transfer_time time;

	switch (order) {
	case ORDER_RESENT:
		return (int64_t)connection_resent(connection);
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
		return -(int64_t)row->index;
	}
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
	for (size_t i = 0; i < count; i++) {
		int64_t key = key_of(&rows[i], order);

		/* ~ reverses the order of all values without overflow. */
		rows[i].key = reversed ? ~key : key;
	}
	qsort(rows, count, sizeof *rows, compare);
}

/* ---- as text ----------------------------------------------------------- */

void connection_resent_words(const struct connection *connection,
	struct text *text)
{
	const struct side *side = connection->side;
	int client = connection->client;

	if (connection_resent(connection))
		text_add(text, "%llu+%llu",
			(unsigned long long)side_resent(&side[client]),
			(unsigned long long)side_resent(&side[!client]));
	else
		text_add(text, "0");
}

enum cell {
	NUMBER,
	VLAN,
	CLIENT,
	SERVER,
	BYTES,
	TIME,
	RESENT,
	RTT,
	LIMIT,
	END,
	CELLS,
};

/* Below this width the server's address has no room beside the client's. */
enum { WIDE = 100 };

/* Columns of "client" and "server", and of the port in "..:65535". */
enum { ADDRESS_HEAD = 6, ADDRESS_LEAST = 8 };

struct head {
	const char *words;
	enum column_align align;
	unsigned drop;
};

static void add_heads(struct columns *table)
{
	static const struct head cells[CELLS] = {
		[NUMBER] = { "no.", COLUMN_RIGHT, 0 },
		[VLAN] = { "VLAN", COLUMN_LEFT, 0 },
		[CLIENT] = { "client", COLUMN_LEFT, 0 },
		[SERVER] = { "server", COLUMN_LEFT, 0 },
		[BYTES] = { "bytes", COLUMN_RIGHT, 0 },
		[TIME] = { "time", COLUMN_RIGHT, 0 },
		[RESENT] = { "retx", COLUMN_RIGHT, 0 },
		[RTT] = { "RTT", COLUMN_RIGHT, 2 },
		[LIMIT] = { "limit", COLUMN_LEFT, 1 },
		[END] = { "end", COLUMN_LEFT, 0 },
	};

	for (size_t i = 0; i < CELLS; i++)
		columns_add(table, cells[i].words, cells[i].align,
			cells[i].drop);
	/* Shown if a connection has one. */
	table->list[VLAN].dropped = true;
}

static void span_cell(struct columns *table, enum cell cell, int64_t span_ns,
	int64_t resolution_ns)
{
	struct text text = { 0 };

	if (span_ns == UNKNOWN_NS)
		text_add_char(&text, '-');
	else if (!span_ns)
		text_add(&text, "%s", span_below(resolution_ns));
	else
		figure_add(&text, UNIT_NS, (double)span_ns, 0);
	columns_cell(table, cell, STYLE_PLAIN, "%s", text.chars);
	text_free(&text);
}

/* Sets an address. Of one longer than `most`, only the end with the port is
 * printed: "..e2f9:f031:9dc4]:49980". */
static void address_cell(struct columns *table, size_t row, enum cell cell,
	const struct endpoint *end, int most)
{
	const struct endpoint_text address = endpoint_text(end);
	struct text text = { 0 };
	int left = (int)strlen(address.chars) - most;

	text_add(&text, "%s%s", left > 0 ? ".." : "",
		address.chars + (left > 0 ? left + 2 : 0));
	columns_cell_of(table, row, cell, STYLE_PLAIN, text.chars);
	text_free(&text);
}

static void port_cell(struct columns *table, size_t row, enum cell cell,
	const struct endpoint *end)
{
	const struct endpoint_text address = endpoint_text(end);

	columns_cell_of(table, row, cell, STYLE_PLAIN,
		strrchr(address.chars, ':'));
}

/* Sets the addresses, which share the room that the other cells leave. */
static void set_addresses(struct columns *table, const struct listed *rows,
	size_t count, const struct text_layout *layout)
{
	bool wide = layout->width >= WIDE;
	int room = columns_fit(table, layout) + COLUMNS_GAP;
	int most = ADDRESS_HEAD + (wide ? room / 2 : room);

	if (most < ADDRESS_LEAST)
		most = ADDRESS_LEAST;
	for (size_t i = 0; i < count; i++) {
		const struct connection *connection = rows[i].connection;
		const struct endpoint *end = connection->end;
		int client = connection->client;

		address_cell(table, i, CLIENT, &end[client], most);
		if (wide)
			address_cell(table, i, SERVER, &end[!client], most);
		else
			port_cell(table, i, SERVER, &end[!client]);
	}
}

static void vlan_cell(struct columns *table,
	const struct connection *connection)
{
	uint32_t vlan = connection_vlan(connection);

	columns_cell(table, VLAN, STYLE_PLAIN, "%s",
		vlan ? vlan_text(vlan).chars : "-");
	table->list[VLAN].dropped &= !vlan;
}

/* Adds a row, still without addresses. */
static void add_row(struct columns *table, const struct connection *connection,
	int64_t resolution_ns)
{
	enum close_kind close = connection_close(connection);
	bool failed = close == CLOSE_REFUSED || close == CLOSE_TIMEOUT ||
		close == CLOSE_RESET;
	struct transfer_time time;
	struct text resent = { 0 };

	connection_time(connection, &time);
	connection_resent_words(connection, &resent);
	columns_row(table);
	columns_cell(table, NUMBER, STYLE_PLAIN, "%llu",
		(unsigned long long)connection->number);
	vlan_cell(table, connection);
	columns_cell(table, BYTES, STYLE_PLAIN, "%llu",
		(unsigned long long)connection_bytes(connection));
	span_cell(table, TIME, connection_took(connection), resolution_ns);
	columns_cell(table, RESENT,
		strcmp(resent.chars, "0") ? STYLE_DOUBT : STYLE_PLAIN, "%s",
		resent.chars);
	span_cell(table, RTT, connection_rtt(connection), resolution_ns);
	columns_cell(table, LIMIT, STYLE_PLAIN, "%s", limit_words(time.limit));
	columns_cell(table, END, failed ? STYLE_DOUBT : STYLE_PLAIN, "%s",
		close == CLOSE_NONE ? "-" : close_name(close));
	text_free(&resent);
}

static size_t choose(const struct annotator *annotator,
	const struct list_choice *choice, struct listed *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < annotator_count(annotator); i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);

		if (connection_matches(connection, &choice->only))
			rows[count++] = (struct listed){ connection, i, 0 };
	}
	list_sort(rows, count, choice->order, choice->reversed);
	return count;
}

void list_text(const struct annotator *annotator,
	const struct list_choice *choice, const struct text_layout *layout,
	struct text *text)
{
	struct listed *rows =
		xcalloc(annotator_count(annotator) + 1, sizeof *rows);
	size_t count = choose(annotator, choice, rows);
	struct columns table = { 0 };

	add_heads(&table);
	for (size_t i = 0; i < count; i++)
		add_row(&table, rows[i].connection,
			annotator_facts(annotator)->resolution_ns);
	set_addresses(&table, rows, count, layout);
	if (count) {
		columns_print(&table, layout, text);
		text_add(text, "\n  retx: data segments and SYNs "
			"retransmitted by the client + by the server\n");
		if (table.list[RTT].dropped)
			text_add(text, "  without room: RTT%s\n",
				table.list[LIMIT].dropped ? ", limit" : "");
	}
	columns_free(&table);
	free(rows);
}
