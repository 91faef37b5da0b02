/* All connections, a row each. */
#include <stdio.h>
#include <string.h>

#include "view_net.h"

/* Columns of the table; 0: not there. */
struct table {
	int number, start, client, packets, bytes, rtt, rounds, again, slow,
		end;
};

static int width_of(const struct table *table)
{
	return table->number + table->start + table->client + table->packets +
		table->bytes + table->rtt + table->rounds + table->again +
		table->slow + table->end;
}

static struct table lay_table(int columns)
{
	struct table table = { .number = 5,
		.start = 11,
		.client = 23,
		.packets = 9,
		.bytes = 7,
		.rtt = 9,
		.rounds = 7,
		.again = 6,
		.slow = 16,
		.end = 13 };
	int *optional[] = { &table.start, &table.rounds, &table.slow,
		&table.rtt, &table.again, &table.bytes };

	for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
		if (width_of(&table) > columns)
			*optional[i] = 0;
	return table;
}

static void cell(const struct pane *pane, int row, int *column, int width,
	enum role role, const char *chars)
{
	struct pane place = pane_part(pane, *column, row, width, 1);

	if (width)
		pane_right(&place, 0, role, chars);
	*column += width;
}

static void number_cell(const struct pane *pane, int row, int *column,
	int width, enum role role, uint64_t value)
{
	char chars[24];

	snprintf(chars, sizeof chars, "%llu", (unsigned long long)value);
	cell(pane, row, column, width, role, chars);
}

/* "hystart_train" reads "hystart train". */
static void name_cell(const struct pane *pane, int row, int *column, int width,
	const char *name)
{
	char words[24];

	snprintf(words, sizeof words, "%s", name);
	for (char *at = words; *at; at++)
		if (*at == '_')
			*at = ' ';
	cell(pane, row, column, width, ROLE_TEXT, words);
}

static int64_t rtt_of(const struct connection *connection,
	const struct side *side)
{
	return side->rtt.samples ? side->rtt.least_ns :
				   connection->handshake.path_ns;
}

static void draw_one(const struct net_scene *scene, const struct table *table,
	const struct pane *pane, int row, size_t i)
{
	const struct connection *connection = net_connection(&scene->source, i);
	const struct connection *first = net_connection(&scene->source, 0);
	const struct side *side =
		&connection->side[connection_sender(connection)];
	bool rounds =
		side->rounds.count && side->rounds.basis != ROUNDS_TOO_SHORT;
	struct text text = { 0 };
	int column = 0;

	number_cell(pane, row, &column, table->number, ROLE_DIM, i + 1);
	text_add(&text, "%.3f",
		(double)(connection->first_ns - first->first_ns) / 1e9);
	cell(pane, row, &column, table->start, ROLE_TEXT, text.chars);
	cell(pane, row, &column, table->client, ROLE_TEXT,
		endpoint_text(&connection->end[connection->client]).chars);
	number_cell(pane, row, &column, table->packets, ROLE_TEXT,
		connection->packets);
	text_clear(&text);
	say_size(&text, (double)side->payload_bytes);
	cell(pane, row, &column, table->bytes, ROLE_TEXT, text.chars);
	text_clear(&text);
	net_span(rtt_of(connection, side), &text);
	cell(pane, row, &column, table->rtt, ROLE_TEXT, text.chars);
	if (rounds)
		number_cell(pane, row, &column, table->rounds, ROLE_TEXT,
			side->rounds.count);
	else
		cell(pane, row, &column, table->rounds, ROLE_DIM, "-");
	number_cell(pane, row, &column, table->again,
		side->retransmitted_segments ? ROLE_WARN : ROLE_TEXT,
		side->retransmitted_segments);
	name_cell(pane, row, &column, table->slow,
		rounds && side->rounds.exit.reason != EXIT_NONE ?
			exit_name(side->rounds.exit.reason) :
			"-");
	name_cell(pane, row, &column, table->end,
		connection_close(connection) != CLOSE_NONE ?
			close_name(connection_close(connection)) :
			"-");
	text_free(&text);
}

static void draw_head(const struct table *table, const struct pane *pane)
{
	int column = 0;

	cell(pane, 0, &column, table->number, ROLE_DIM, "no.");
	cell(pane, 0, &column, table->start, ROLE_DIM, "begins s");
	cell(pane, 0, &column, table->client, ROLE_DIM, "client");
	cell(pane, 0, &column, table->packets, ROLE_DIM, "packets");
	cell(pane, 0, &column, table->bytes, ROLE_DIM, "bytes");
	cell(pane, 0, &column, table->rtt, ROLE_DIM, "RTT");
	cell(pane, 0, &column, table->rounds, ROLE_DIM, "rounds");
	cell(pane, 0, &column, table->again, ROLE_DIM, "again");
	cell(pane, 0, &column, table->slow, ROLE_DIM, "slow start by");
	cell(pane, 0, &column, table->end, ROLE_DIM, "closed");
}

void net_all(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	struct table table = lay_table(inner.columns);
	int rows = inner.rows - 1;

	if (rows < 1)
		return;
	/* The one in view in the middle, but at the ends. */
	size_t half = (size_t)rows / 2, room = (size_t)rows;
	size_t first = scene->index > half ? scene->index - half : 0;
	if (first + room > scene->count)
		first = scene->count > room ? scene->count - room : 0;
	draw_head(&table, &inner);
	for (size_t i = 0; i < room && first + i < scene->count; i++) {
		int row = (int)i + 1;

		draw_one(scene, &table, &inner, row, first + i);
		pane_spot(&inner, 0, row, inner.columns,
			"focus connections; connection to %zu", first + i + 1);
		if (first + i != scene->index)
			continue;
		pane_role(&inner, 0, row, inner.columns, ROLE_SELECT);
		pane_cursor(&inner, table.number - 1, row);
	}
}
