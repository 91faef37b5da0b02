/* The table of all connections, a row each. */
#include <stdio.h>
#include <string.h>

#include "amounts.h"
#include "net_table.h"
#include "view_net.h"

enum {
	NUMBER,
	START,
	CLIENT,
	PACKETS,
	BYTES,
	RTT,
	ROUNDS,
	AGAIN,
	SLOW,
	END,
	COLUMNS,
};

static const struct net_table widest = { .columns = COLUMNS,
	.width = { 5, 11, 23, 9, 7, 9, 7, 6, 16, 13 },
	.head = { "no.", "begins s", "client", "packets", "bytes", "RTT",
		"rounds", "retx", "slow start by", "closed" } };
static const uint8_t optional[] = { START, ROUNDS, SLOW, RTT, AGAIN, BYTES };

/* Writes a name with blanks: "hystart_train" as "hystart train". */
static void name_cell(struct net_row *row, const char *name)
{
	char words[24];

	snprintf(words, sizeof words, "%s", name);
	for (char *at = words; *at; at++)
		if (*at == '_')
			*at = ' ';
	net_cell(row, ROLE_TEXT, words);
}

static int64_t rtt_of(const struct connection *connection,
	const struct side *side)
{
	return side->rtt.samples ? side->rtt.least_ns :
				   connection->handshake.path_ns;
}

static void draw_one(const void *about, struct net_row *row, size_t i)
{
	const struct net_scene *scene = about;
	const struct connection *connection = net_connection(&scene->source, i);
	const struct connection *first = net_connection(&scene->source, 0);
	int sender = connection_sender(connection);
	const struct side *side = &connection->side[sender];
	bool rounds = side->rounds.count &&
		side->rounds.basis != ROUNDS_TOO_SHORT &&
		side_is_answered(connection, sender);
	struct text text = { 0 };

	net_number_cell(row, ROLE_DIM, (int64_t)i + 1);
	text_add(&text, "%.3f",
		(double)(connection->first_ns - first->first_ns) / 1e9);
	net_cell(row, ROLE_TEXT, text.chars);
	net_cell(row, ROLE_TEXT,
		endpoint_text(&connection->end[connection->client]).chars);
	net_number_cell(row, ROLE_TEXT, (int64_t)connection->packets);
	text_clear(&text);
	amount_size(&text, (double)side->payload_bytes);
	net_cell(row, ROLE_TEXT, text.chars);
	text_clear(&text);
	net_span(rtt_of(connection, side), &text);
	net_cell(row, ROLE_TEXT, text.chars);
	if (rounds)
		net_number_cell(row, ROLE_TEXT, side->rounds.count);
	else
		net_cell(row, ROLE_DIM, "-");
	net_number_cell(row,
		side->retransmitted_segments ? ROLE_WARN : ROLE_TEXT,
		side->retransmitted_segments);
	name_cell(row,
		rounds && side->rounds.exit.reason != EXIT_NONE ?
			exit_name(side->rounds.exit.reason) :
			"-");
	name_cell(row,
		connection_close(connection) != CLOSE_NONE ?
			close_name(connection_close(connection)) :
			"-");
	text_free(&text);
}

void net_all(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	struct net_table table = widest;
	const struct net_rows rows = { .count = scene->count,
		.selected = scene->index,
		.line = "focus connections; connection",
		.draw = draw_one,
		.about = scene };

	net_table_fold(&table, optional, sizeof optional, inner.columns);
	net_table_draw(&table, &inner, &rows);
}
