/* The table of connections, a row each. */
#include <stdio.h>
#include <string.h>

#include "amounts.h"
#include "net_table.h"
#include "view_net.h"

enum {
	NUMBER,
	START,
	CLIENT,
	SERVER,
	PORT,
	PACKETS,
	BYTES,
	TIME,
	RESENT,
	STALL,
	RTT,
	ROUNDS,
	SLOW,
	LIMIT,
	END,
	COLUMNS,
};
/* With fewer rows, the line about hidden columns would hide connections. */
enum { HIDDEN_LEAST = 4 };
_Static_assert((int)COLUMNS <= (int)NET_TABLE_COLUMNS, "a place for each");

static const struct net_table widest = { .columns = COLUMNS,
	.width = { 5, 11, 0, 0, 0, 9, 7, 8, 6, 0, 8, 7, 16, 6, 4 },
	.head = { "no.", "start s", "client", "server", "port", "packets",
		"bytes", "time", "retx", "stall", "RTT", "rounds",
		"slow start by", "limit", "end" } };

/* Writes a name with blanks: "hystart_train" as "hystart train". */
static void name_cell(struct net_row *row, enum role role, const char *name)
{
	char words[24];

	snprintf(words, sizeof words, "%s", name);
	for (char *at = words; *at; at++)
		if (*at == '_')
			*at = ' ';
	net_cell(row, role, words);
}

/* Of an end that is only inferred, with a question mark. What the receiver
 * discarded was not lost on the way. */
static void exit_cell(struct net_row *row, const struct slow_start_exit *exit)
{
	char words[24];

	if (!exit || exit->reason == EXIT_NONE) {
		net_cell(row, ROLE_TEXT, "-");
		return;
	}
	bool discarded = exit->discarded && exit->certain;
	snprintf(words, sizeof words, "%s%s",
		discarded ? "discarded" : exit_name(exit->reason),
		exit->certain ? "" : "?");
	name_cell(row, ROLE_TEXT, words);
}

static void end_cell(struct net_row *row, const struct connection *connection)
{
	enum close_kind close = connection_close(connection);

	name_cell(row, close_failed(close) ? ROLE_WARN : ROLE_TEXT,
		close == CLOSE_NONE ? "-" : close_name(close));
}

static void span_cell(struct net_row *row, const struct net_scene *scene,
	int64_t span_ns)
{
	struct text text = { 0 };

	net_span(scene, span_ns, &text);
	net_cell(row, ROLE_TEXT, text.chars);
	text_free(&text);
}

static void stall_cell(struct net_row *row, const struct net_scene *scene,
	int64_t stalled_ns)
{
	struct text text = { 0 };

	if (stalled_ns)
		net_span(scene, stalled_ns, &text);
	else
		text_add_char(&text, '-');
	net_cell(row, stalled_ns ? ROLE_WARN : ROLE_TEXT, text.chars);
	text_free(&text);
}

/* The cells that count. */
static void figure_cells(struct net_row *row, const struct net_scene *scene,
	const struct connection *connection)
{
	struct text text = { 0 };

	net_number_cell(row, ROLE_TEXT, (int64_t)connection->packets);
	amount_size(&text, (double)connection_bytes(connection));
	net_cell(row, ROLE_TEXT, text.chars);
	span_cell(row, scene, connection_took(connection));
	text_clear(&text);
	connection_resent_words(connection, &text);
	net_cell(row, strcmp(text.chars, "0") ? ROLE_WARN : ROLE_TEXT,
		text.chars);
	stall_cell(row, scene, connection_stalled(connection));
	span_cell(row, scene, connection_rtt(connection));
	text_free(&text);
}

/* The cells about the growth of the window. */
static void transfer_cells(struct net_row *row,
	const struct connection *connection)
{
	int sender = connection_sender(connection);
	const struct rounds *rounds = &connection->side[sender].rounds;
	bool any = rounds->count && rounds->basis != ROUNDS_TOO_SHORT &&
		side_is_answered(connection, sender);
	const struct slow_start_exit exit =
		side_exit(&connection->side[sender]);
	struct transfer_time time;

	if (any)
		net_number_cell(row, ROLE_TEXT,
			(int64_t)rounds_all(rounds));
	else
		net_cell(row, ROLE_DIM, "-");
	exit_cell(row, any ? &exit : NULL);
	connection_time(connection, &time);
	net_cell(row, connection_shut(connection) > 0 ? ROLE_WARN : ROLE_TEXT,
		limit_words(time.limit));
}

/* Seconds since the first connection. */
static void start_text(const struct net_scene *scene,
	const struct connection *connection, struct text *text)
{
	const struct connection *first = net_connection(&scene->source, 0);

	text_clear(text);
	text_add(text, "%.3f",
		(double)(connection->first_ns - first->first_ns) / 1e9);
}

static void draw_one(const void *about, struct net_row *row, size_t i)
{
	const struct net_scene *scene = about;
	const struct connection *connection = scene->rows[i].connection;
	const struct endpoint *client = &connection->end[connection->client];
	const struct endpoint *server = &connection->end[!connection->client];
	struct text text = { 0 };

	net_number_cell(row, ROLE_DIM, (int64_t)connection->number);
	start_text(scene, connection, &text);
	net_cell(row, ROLE_TEXT, text.chars);
	net_cell(row, ROLE_TEXT, endpoint_text(client).chars);
	net_cell(row, ROLE_TEXT, endpoint_text(server).chars);
	net_number_cell(row, ROLE_TEXT, server->port);
	figure_cells(row, scene, connection);
	transfer_cells(row, connection);
	end_cell(row, connection);
	text_free(&text);
}

/* ---- columns --------------------------------------------------------- */

static void widen(int *width, const char *chars)
{
	int columns = text_columns(chars) + 1;

	if (columns > *width)
		*width = columns;
}

/* Columns of words are as wide as their longest. Columns that would be empty
 * have no width. */
static struct net_table whole_table(const struct net_scene *scene)
{
	struct net_table table = widest;
	struct transfer_time time;
	struct text text = { 0 };

	for (size_t i = 0; i < scene->row_count; i++) {
		const struct connection *at = scene->rows[i].connection;
		const struct endpoint *end = at->end;

		widen(&table.width[CLIENT],
			endpoint_text(&end[at->client]).chars);
		widen(&table.width[SERVER],
			endpoint_text(&end[!at->client]).chars);
		widen(&table.width[END], close_name(connection_close(at)));
		connection_time(at, &time);
		widen(&table.width[LIMIT], limit_words(time.limit));
		start_text(scene, at, &text);
		widen(&table.width[START], text.chars);
		text_clear(&text);
		connection_resent_words(at, &text);
		widen(&table.width[RESENT], text.chars);
		if (connection_stalled(at))
			table.width[STALL] = table.width[TIME];
	}
	table.width[NUMBER] = net_number_columns(&scene->source);
	text_free(&text);
	return table;
}

/* Hides what does not fit, the least important first, but never the column that
 * orders the rows: each of these can be shown. Numbers have the order of the
 * start. Where the server's address has no room, its port stands for it. */
static struct net_table lay_table(const struct net_scene *scene,
	const struct net_table *whole, int room)
{
	static const uint8_t first[] = { ROUNDS, START, PACKETS, SLOW };
	static const uint8_t last[] = { RTT, TIME, STALL, BYTES, PORT, LIMIT,
		END, RESENT };
	static const int columns_of[LIST_ORDERS] = { START, RESENT, END, STALL,
		LIMIT, BYTES, TIME, RTT };
	struct net_table table = *whole;
	int order = columns_of[scene->options->order];
	int kept = table.width[order];

	if (order != START) {
		room -= kept;
		table.width[order] = 0;
	}
	net_table_fold(&table, first, sizeof first, room);
	if (net_table_width(&table) > room) {
		table.width[SERVER] = 0;
		table.width[PORT] = 6;
	}
	net_table_fold(&table, last, sizeof last, room);
	if (order != START)
		table.width[order] = kept;
	table.strong = table.head[table.width[order] ? order : NUMBER];
	return table;
}

/* Names the columns that have no room: "not shown: server, RTT". */
static void say_hidden(const struct net_table *whole,
	const struct net_table *shown, int room, struct text *text)
{
	int hidden = 0;

	for (size_t i = 0; i < COLUMNS; i++)
		if (whole->width[i] && !shown->width[i])
			text_add(text, "%s%s", hidden++ ? ", " : "not shown: ",
				i == START ? "start" : whole->head[i]);
	if (text_columns(text_chars(text)) <= room)
		return;
	text_clear(text);
	text_add(text, "not shown: %d columns", hidden);
}

static size_t number_of(const void *about, size_t i)
{
	const struct net_scene *scene = about;

	return scene->rows[i].connection->number;
}

void net_all(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	struct net_table whole = whole_table(scene);
	struct net_table table = lay_table(scene, &whole, inner.columns);
	struct text hidden = { 0 };
	const struct net_rows rows = { .count = scene->row_count,
		.selected = scene->row,
		.line = "focus connections; connection",
		.number = number_of,
		.draw = draw_one,
		.about = scene };

	say_hidden(&whole, &table, inner.columns - 2, &hidden);
	if (hidden.length && inner.rows > HIDDEN_LEAST) {
		pane_chars(&inner, 2, inner.rows - 1, ROLE_DIM, hidden.chars);
		inner.rows--;
	}
	net_table_draw(&table, &inner, &rows);
	text_free(&hidden);
}
