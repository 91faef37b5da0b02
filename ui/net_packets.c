/* Packets one by one. */
#include <stdio.h>
#include <string.h>

#include "view_net.h"

/* Columns of the list; 0: not there. */
struct list {
	int number, time, delta, way, flags, seq, bytes, ack, window, words;
	int64_t mark_ns; /* what times count from; UNKNOWN_NS: the one before */
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

static int width_of(const struct list *list)
{
	return list->number + list->time + list->delta + list->way +
		list->flags + list->seq + list->bytes + list->ack +
		list->window;
}

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
	int offset = digits(most) + 1 > 9 ? digits(most) + 1 : 9;
	struct list list = { .number = digits(last) > 6 ? digits(last) + 1 : 7,
		.time = net_time_columns(scene) + 1,
		.delta = 9,
		.way = 4,
		.flags = 6,
		.seq = offset,
		.bytes = 6,
		.ack = offset,
		.window = 8 };
	int *optional[] = { &list.window, &list.ack, &list.flags, &list.delta,
		&list.bytes, &list.seq };

	for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
		if (width_of(&list) + WORDS_LEAST > columns)
			*optional[i] = 0;
	list.words = columns - width_of(&list) - 1;
	list.mark_ns = UNKNOWN_NS;
	for (size_t i = 0; scene->options->mark && i < scene->packets; i++)
		if (net_packet(scene, i)->packet.number == scene->options->mark)
			list.mark_ns = net_packet(scene, i)->packet.t_ns;
	return list;
}

/* ---- a row ---------------------------------------------------------- */

/* The next cell, flush right, where its column is there. */
static void cell(const struct pane *pane, int row, int *column, int width,
	enum role role, const char *chars)
{
	struct pane place = pane_part(pane, *column, row, width, 1);

	if (width)
		pane_right(&place, 0, role, chars);
	*column += width;
}

static void number_cell(const struct pane *pane, int row, int *column,
	int width, bool any, int64_t value)
{
	char chars[24] = "";

	if (any)
		snprintf(chars, sizeof chars, "%lld", (long long)value);
	cell(pane, row, column, width, ROLE_TEXT, chars);
}

/* Since the packet before, or since the one that was marked. */
static void delta_cell(const struct net_scene *scene, const struct list *list,
	const struct pane *pane, int row, int *column, size_t i)
{
	int64_t t_ns = net_packet(scene, i)->packet.t_ns;
	struct text text = { 0 };

	if (list->mark_ns != UNKNOWN_NS) {
		net_delta(t_ns - list->mark_ns, &text);
	} else if (i) {
		net_delta(t_ns - net_packet(scene, i - 1)->packet.t_ns, &text);
	}
	cell(pane, row, column, list->delta, ROLE_DIM, text_chars(&text));
	text_free(&text);
}

static void draw_way(const struct net_scene *scene, const struct list *list,
	const struct pane *pane, int row, int *column,
	const struct logged *logged)
{
	bool right = logged->side == scene->connection->client;

	pane_glyph(pane, *column + 2, row, right ? GLYPH_RIGHT : GLYPH_LEFT,
		logged->side == scene->sender ? ROLE_SERIES : ROLE_SERIES_2);
	*column += list->way;
}

static void draw_packet(const struct net_scene *scene, const struct list *list,
	const struct pane *pane, int row, size_t i)
{
	const struct logged *logged = net_packet(scene, i);
	const struct packet *packet = &logged->packet;
	const struct connection *connection = scene->connection;
	const struct side *side = &connection->side[logged->side];
	const struct side *peer =
		&connection->side[side_peer(connection, logged->side)];
	bool tcp = packet->class == PACKET_TCP;
	struct text text = { 0 };
	int column = 0;

	number_cell(pane, row, &column, list->number, true,
		(int64_t)packet->number);
	net_time(scene, packet->t_ns, &text);
	cell(pane, row, &column, list->time, ROLE_TEXT, text.chars);
	delta_cell(scene, list, pane, row, &column, i);
	draw_way(scene, list, pane, row, &column, logged);
	text_clear(&text);
	net_flags(packet->flags, false, &text);
	cell(pane, row, &column, list->flags, ROLE_TEXT, text_chars(&text));
	number_cell(pane, row, &column, list->seq, tcp && side->started,
		side_offset(side, logged->position));
	number_cell(pane, row, &column, list->bytes, tcp,
		(int64_t)packet->payload_bytes);
	number_cell(pane, row, &column, list->ack,
		packet->flags & TCP_ACK && peer->started,
		side_offset(peer, logged->ack));
	number_cell(pane, row, &column, list->window, packet->window_known,
		packet->window);
	text_clear(&text);
	net_packet_words(scene, logged, &text);
	struct pane words = pane_part(pane, column + 1, row, list->words, 1);
	pane_wrap(&words, 0, words_role(logged), text.chars);
	text_free(&text);
}

static void draw_head(const struct net_scene *scene, const struct list *list,
	const struct pane *pane)
{
	bool day = scene->options->clock == NET_TIME_OF_DAY;
	int column = 0;

	cell(pane, 0, &column, list->number, ROLE_DIM, "packet");
	cell(pane, 0, &column, list->time, ROLE_DIM, day ? "time" : "t ms");
	cell(pane, 0, &column, list->delta, ROLE_DIM,
		scene->options->mark ? "to mark" : "dt ms");
	cell(pane, 0, &column, list->way, ROLE_DIM, "way");
	cell(pane, 0, &column, list->flags, ROLE_DIM, "flags");
	cell(pane, 0, &column, list->seq, ROLE_DIM, "sequence");
	cell(pane, 0, &column, list->bytes, ROLE_DIM, "bytes");
	cell(pane, 0, &column, list->ack, ROLE_DIM, "acks to");
	cell(pane, 0, &column, list->window, ROLE_DIM, "window");
	if (list->words >= 4)
		pane_chars(pane, column + 1, 0, ROLE_DIM, "what");
}

void net_list(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 0, 0, -1, pane->rows);
	int rows = inner.rows - 1;

	if (!scene->packets) {
		struct pane words = pane_part(pane, 1, 0, -1, pane->rows);

		pane_wrap(&words, 0, ROLE_TEXT,
			"No packets here: a session keeps what they showed, "
			"not the packets themselves.");
		return;
	}
	if (rows < 1)
		return;
	struct list list = lay_list(scene, inner.columns);
	/* The selected one in the middle, but at the ends. */
	size_t half = (size_t)rows / 2, room = (size_t)rows;
	size_t first = scene->packet > half ? scene->packet - half : 0;
	if (first + room > scene->packets)
		first = scene->packets > room ? scene->packets - room : 0;
	draw_head(scene, &list, &inner);
	for (size_t i = 0; i < room && first + i < scene->packets; i++) {
		int row = (int)i + 1;

		draw_packet(scene, &list, &inner, row, first + i);
		pane_spot(&inner, 0, row, inner.columns,
			"focus packets; packet to %zu", first + i + 1);
		if (first + i != scene->packet)
			continue;
		pane_role(&inner, 0, row, inner.columns, ROLE_SELECT);
		pane_cursor(&inner, list.number - 1, row);
	}
}
