/* The table of packets. */
#include <stdio.h>
#include <string.h>

#include "net_table.h"
#include "view_net.h"

enum {
	NUMBER,
	TIME,
	DELTA,
	WAY,
	FLAGS,
	SEQUENCE,
	BYTES,
	ACK,
	WINDOW,
	COLUMNS,
};
static const uint8_t optional[] = { WINDOW, ACK, FLAGS, DELTA, BYTES,
	SEQUENCE };

/* The data shared by all rows. */
struct list {
	const struct net_scene *scene;
	struct net_table table;
	int words;       /* columns of the last column */
	int64_t mark_ns; /* reference time; UNKNOWN_NS: the previous packet */
};

static enum role words_role(const struct logged *logged)
{
	if (logged->marks &
			(MARK_RETRANSMISSION | MARK_REORDERED | MARK_GAP |
				MARK_CAPTURE_GAP | MARK_ZERO_WINDOW) ||
		logged->packet.flags & TCP_RST)
		return ROLE_WARN;
	return logged->marks & MARK_ROUND ? ROLE_STRONG : ROLE_TEXT;
}

/* ---- columns -------------------------------------------------------- */

enum { WORDS_LEAST = 17 };

static int digits(uint64_t value)
{
	int count = 1;

	while (value /= 10)
		count++;
	return count;
}

static struct list lay_list(const struct net_scene *scene, int columns)
{
	const struct side *side = scene->connection->side;
	uint64_t last = net_packet(scene, scene->packets - 1)->packet.number;
	uint64_t most = side[0].next - side[0].first;
	if (side[1].next - side[1].first > most)
		most = side[1].next - side[1].first;
	uint64_t window = side[0].window_most_bytes;
	if (side[1].window_most_bytes > window)
		window = side[1].window_most_bytes;
	int offset = digits(most) + 1 > 9 ? digits(most) + 1 : 9;
	bool day = scene->options->clock == NET_TIME_OF_DAY;
	struct list list = { .scene = scene };

	list.table = (struct net_table){ .columns = COLUMNS,
		.width = { digits(last) > 6 ? digits(last) + 1 : 7,
			net_time_columns(scene) + 1, 9, 4, 6, offset, 6, offset,
			digits(window) > 6 ? digits(window) + 1 : 8 },
		.head = { "packet", day ? "time" : "t ms",
			scene->options->mark ? "to mark" : "dt ms", "way",
			"flags", "sequence", "bytes", "acks to", "window" } };
	net_table_fold(&list.table, optional, sizeof optional,
		columns - WORDS_LEAST);
	list.words = columns - net_table_width(&list.table) - 1;
	list.mark_ns = UNKNOWN_NS;
	for (size_t i = 0; scene->options->mark && i < scene->packets; i++)
		if (net_packet(scene, i)->packet.number == scene->options->mark)
			list.mark_ns = net_packet(scene, i)->packet.t_ns;
	return list;
}

/* ---- a row ---------------------------------------------------------- */

static void value_cell(struct net_row *row, bool any, int64_t value)
{
	if (any)
		net_number_cell(row, ROLE_TEXT, value);
	else
		net_skip_cell(row);
}

/* The packets of the connection that the log lacks before packet i. A packet
 * that was captured twice has the same ordinal in both copies. */
static uint64_t missing_before(const void *about, size_t i)
{
	const struct list *list = about;
	const struct net_scene *scene = list->scene;
	uint64_t before = i ? net_packet(scene, i - 1)->ordinal : 0;
	uint64_t next = i < scene->packets ? net_packet(scene, i)->ordinal :
					     scene->connection->packets + 1;

	return net_is_thinned(scene) && next > before ? next - before - 1 : 0;
}

/* Writes the time since the marked packet, or since the previous packet if it
 * is listed. */
static void delta_cell(const struct list *list, struct net_row *row, size_t i)
{
	const struct net_scene *scene = list->scene;
	int64_t t_ns = net_packet(scene, i)->packet.t_ns;
	struct text text = { 0 };

	if (list->mark_ns != UNKNOWN_NS) {
		net_delta(t_ns - list->mark_ns, &text);
	} else if (i && !missing_before(list, i)) {
		net_delta(t_ns - net_packet(scene, i - 1)->packet.t_ns, &text);
	}
	net_cell(row, ROLE_DIM, text_chars(&text));
	text_free(&text);
}

static void way_cell(const struct net_scene *scene, struct net_row *row,
	const struct logged *logged)
{
	bool right = logged->side == scene->connection->client;
	int at = net_skip_cell(row);

	pane_glyph(row->pane, at + 2, row->row,
		right ? GLYPH_RIGHT : GLYPH_LEFT,
		logged->side == scene->sender ? ROLE_SERIES : ROLE_SERIES_2);
}

static void draw_packet(const void *about, struct net_row *row, size_t i)
{
	const struct list *list = about;
	const struct net_scene *scene = list->scene;
	const struct logged *logged = net_packet(scene, i);
	const struct packet *packet = &logged->packet;
	const struct connection *connection = scene->connection;
	const struct side *side = &connection->side[logged->side];
	const struct side *peer =
		&connection->side[side_peer(connection, logged->side)];
	bool tcp = packet->class == PACKET_TCP;
	struct text text = { 0 };

	net_number_cell(row, ROLE_TEXT, (int64_t)packet->number);
	net_time(scene, packet->t_ns, &text);
	net_cell(row, ROLE_TEXT, text.chars);
	delta_cell(list, row, i);
	way_cell(scene, row, logged);
	text_clear(&text);
	net_flags(packet->flags, false, &text);
	net_cell(row, ROLE_TEXT, text_chars(&text));
	value_cell(row, tcp && side->started,
		side_offset(side, logged->position));
	value_cell(row, tcp, (int64_t)packet->payload_bytes);
	value_cell(row, packet->flags & TCP_ACK && peer->started,
		side_offset(peer, logged->ack));
	int64_t window = net_window_bytes(scene, logged);
	value_cell(row, packet->window_known,
		window < 0 ? packet->window : window);
	text_clear(&text);
	net_packet_words(scene, logged, &text);
	struct pane words =
		pane_part(row->pane, row->at + 1, row->row, list->words, 1);
	pane_wrap(&words, 0, words_role(logged), text.chars);
	text_free(&text);
}

static size_t number_of(const void *about, size_t i)
{
	const struct list *list = about;

	return net_packet(list->scene, i)->packet.number;
}

void net_list(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);

	if (!scene->packets) {
		struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

		pane_wrap(&words, 0, ROLE_TEXT,
			"No packets: a session keeps the analysis, not the "
			"packets.");
		return;
	}
	struct list list = lay_list(scene, inner.columns);
	const struct net_rows rows = { .count = scene->packets,
		.selected = scene->packet,
		.line = "focus packets; packet",
		.number = number_of,
		.draw = draw_packet,
		.missing = missing_before,
		.about = &list };

	net_table_draw(&list.table, &inner, &rows);
	if (list.words >= 4 && inner.rows > 1)
		pane_chars(&inner, inner.columns - list.words, 0, ROLE_DIM,
			"what");
}
