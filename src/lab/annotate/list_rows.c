/* Prints lists of connections: a row of figures each. */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "connection_list.h"
#include "figure.h"
#include "memory.h"

enum cell {
	NUMBER,
	VLAN,
	CLIENT,
	SERVER,
	BYTES,
	TIME,
	RESENT,
	STALL,
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
		[STALL] = { "stall", COLUMN_RIGHT, 3 },
		[RTT] = { "RTT", COLUMN_RIGHT, 2 },
		[LIMIT] = { "limit", COLUMN_LEFT, 1 },
		[END] = { "end", COLUMN_LEFT, 0 },
	};

	for (size_t i = 0; i < CELLS; i++)
		columns_add(table, cells[i].words, cells[i].align,
			cells[i].drop);
	/* Shown if a connection has one. */
	table->list[VLAN].dropped = true;
	table->list[STALL].dropped = true;
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
static void set_addresses(struct columns *table, const struct list_row *rows,
	size_t count, const struct text_layout *layout)
{
	bool wide = layout->width >= WIDE;
	int room = columns_fit(table, layout) + COLUMNS_GAP;
	int most = ADDRESS_HEAD + (wide ? room / 2 : room);

	if (most < ADDRESS_LEAST)
		most = ADDRESS_LEAST;
	for (size_t i = 0; i < count; i++) {
		const struct endpoint *end = rows[i].end;

		address_cell(table, i, CLIENT, &end[0], most);
		if (wide)
			address_cell(table, i, SERVER, &end[1], most);
		else
			port_cell(table, i, SERVER, &end[1]);
	}
}

/* "10", or "10/20" if the directions differ. */
static void vlan_cell(struct columns *table, const uint32_t vlan[2])
{
	const struct vlan_text words[] = { vlan_text(vlan[0]),
		vlan_text(vlan[1]) };
	const char *client = vlan[0] ? words[0].chars : "-";
	const char *server = vlan[1] ? words[1].chars : "-";

	if (vlan[0] == vlan[1])
		columns_cell(table, VLAN, STYLE_PLAIN, "%s", client);
	else
		columns_cell(table, VLAN, STYLE_PLAIN, "%s/%s", client, server);
	table->list[VLAN].dropped &= !vlan[0] && !vlan[1];
}

/* Adds a row, still without addresses. */
static void add_row(struct columns *table, const struct list_row *row,
	int64_t resolution_ns)
{
	enum close_kind close = row->close;
	struct text resent = { 0 };

	resent_words(row->resent[0], row->resent[1], &resent);
	columns_row(table);
	columns_cell(table, NUMBER, STYLE_PLAIN, "%llu",
		(unsigned long long)row->number);
	vlan_cell(table, row->vlan);
	columns_cell(table, BYTES, STYLE_PLAIN, "%llu",
		(unsigned long long)row->bytes);
	span_cell(table, TIME, row->took_ns, resolution_ns);
	columns_cell(table, RESENT,
		strcmp(resent.chars, "0") ? STYLE_DOUBT : STYLE_PLAIN, "%s",
		resent.chars);
	span_cell(table, STALL, row->stalled_ns ? row->stalled_ns : UNKNOWN_NS,
		resolution_ns);
	table->list[STALL].dropped &= !row->stalled_ns;
	span_cell(table, RTT, row->rtt_ns, resolution_ns);
	columns_cell(table, LIMIT, STYLE_PLAIN, "%s", limit_words(row->limit));
	columns_cell(table, END,
		close_failed(close) ? STYLE_DOUBT : STYLE_PLAIN, "%s",
		close == CLOSE_NONE ? "-" : close_name(close));
	text_free(&resent);
}

/* ---- rows -------------------------------------------------------------- */

static struct list_row row_of(const struct connection *connection,
	const struct list_choice *choice)
{
	int client = connection->client;
	struct transfer_time time;

	connection_time(connection, &time);
	struct list_row row = {
		.key = list_key(connection, choice->order, choice->reversed),
		.number = connection->number,
		.start_ns = connection->first_ns,
		.end = { connection->end[client], connection->end[!client] },
		.bytes = connection_bytes(connection),
		.took_ns = connection_took(connection),
		.rtt_ns = connection_rtt(connection),
		.stall_ns = connection->stall_ns,
		.stalled_ns = connection_stalled(connection),
		.limit = (uint8_t)time.limit,
		.close = (uint8_t)connection_close(connection),
	};
	connection_resent_of(connection, row.resent);
	connection_vlans(connection, row.vlan);
	return row;
}

void list_rows_add(struct list_rows *rows, const struct list_choice *choice,
	const struct connection *connection)
{
	if (!connection_matches(connection, &choice->only))
		return;
	if (rows->count == LIST_ROWS_MAX) {
		rows->left_out++;
		return;
	}
	ARRAY_GROW(rows->at, rows->count);
	rows->at[rows->count++] = row_of(connection, choice);
}

void list_rows_free(struct list_rows *rows)
{
	free(rows->at);
	*rows = (struct list_rows){ 0 };
}

static int compare(const void *a, const void *b)
{
	const struct list_row *one = a, *two = b;

	if (one->key != two->key)
		return one->key < two->key ? 1 : -1;
	return one->number < two->number ? -1 : one->number > two->number;
}

static void print_rows(struct list_rows *rows, int64_t resolution_ns,
	const struct text_layout *layout, struct text *text)
{
	struct columns table = { 0 };

	if (!rows->count)
		return;
	add_heads(&table);
	for (size_t i = 0; i < rows->count; i++)
		add_row(&table, &rows->at[i], resolution_ns);
	set_addresses(&table, rows->at, rows->count, layout);
	columns_print(&table, layout, text);
	text_add(text, "\n  retx: segments retransmitted by the client + by "
		"the server; -: not captured\n");
	if (table.list[RTT].dropped)
		text_add(text, "  without room: RTT%s\n",
			table.list[LIMIT].dropped ? ", limit" : "");
	if (rows->left_out)
		text_add(text, "  %llu later connections are not listed: the "
			"limit is %d\n",
			(unsigned long long)rows->left_out, LIST_ROWS_MAX);
	columns_free(&table);
}

void list_rows_collect(struct list_rows *rows,
	const struct annotator *annotator, const struct list_choice *choice)
{
	for (size_t i = 0; i < annotator_count(annotator); i++)
		list_rows_add(rows, choice, annotator_connection(annotator, i));
	if (rows->count)
		qsort(rows->at, rows->count, sizeof *rows->at, compare);
}

void list_text(struct list_rows *rows, const struct annotator *annotator,
	const struct list_choice *choice, const struct text_layout *layout,
	struct text *text)
{
	list_rows_collect(rows, annotator, choice);
	print_rows(rows, annotator_facts(annotator)->resolution_ns, layout,
		text);
	list_rows_free(rows);
}
