/* Draws the ladder: the packets of the opening, the first data and the end.
 * Time and delta are in the row of their arrow. */
#include <stdio.h>
#include <string.h>

#include "view_net.h"

enum {
	RUNGS_MOST = 64,
	NOTES = 13, /* columns right of the ladder, if there is room */
	NOTES_FROM = 64,
	DELTA = 10,
	LEAST_SHAFT = 12,
};

/* Priority of rungs where there is no room for all, highest first. */
enum rank { RANK_OPEN, RANK_DATA, RANK_ACK, RANK_END, RANK_ROUND, RANKS };

struct rung {
	int64_t t_ns;
	uint64_t number;
	int side;
	bool data;
	enum rank rank;
	char label[40], shorter[20], note[24];
};

struct ladder {
	struct rung at[RUNGS_MOST]; /* sorted by packet number */
	size_t count;
	size_t of_rank[RANKS];
};

static struct rung *add_rung(struct ladder *ladder, int64_t t_ns,
	uint64_t number, int side, enum rank rank)
{
	static struct rung spare;
	size_t i = ladder->count;

	if (t_ns == UNKNOWN_NS || i == RUNGS_MOST)
		return &spare;
	for (; i && ladder->at[i - 1].number > number; i--)
		ladder->at[i] = ladder->at[i - 1];
	ladder->count++;
	ladder->of_rank[rank]++;
	ladder->at[i] = (struct rung){ .t_ns = t_ns,
		.number = number,
		.side = side,
		.rank = rank };
	return &ladder->at[i];
}

static void write_span(const struct net_scene *scene, struct rung *rung,
	const char *before, int64_t span_ns)
{
	struct text span = { 0 };

	net_span(scene, span_ns, &span);
	snprintf(rung->note, sizeof rung->note, "%s%s", before,
		text_chars(&span));
	text_free(&span);
}

/* ---- the opening ---------------------------------------------------- */

static void label_offer(struct rung *rung, const char *name,
	const struct offer *offer, bool again)
{
	const struct tcp_options *options = &offer->options;
	char mss[16] = "", scale[16] = "";

	if (options->present & OPTION_MSS)
		snprintf(mss, sizeof mss, "  mss %u", options->mss_bytes);
	if (options->present & OPTION_WSCALE)
		snprintf(scale, sizeof scale, "  wscale %u", options->wscale);
	snprintf(rung->shorter, sizeof rung->shorter, "%s%s", name,
		again ? " retx" : "");
	if (again)
		snprintf(rung->label, sizeof rung->label, "%s", rung->shorter);
	else
		snprintf(rung->label, sizeof rung->label, "%s%s%s", name, mss,
			scale);
}

/* Writes the duration of a leg of the handshake. It is a full round trip only
 * for one leg, which depends on the capture point. */
static void note_leg(const struct net_scene *scene, struct rung *rung,
	const struct leg *leg, bool second)
{
	enum tap tap = scene->connection->tap;
	bool path = second ? tap == TAP_SERVER : tap == TAP_CLIENT;

	if (leg->to != rung->number)
		return;
	if (leg->state == LEG_AMBIGUOUS)
		snprintf(rung->note, sizeof rung->note, "ambiguous");
	else if (leg->state != LEG_KNOWN)
		return;
	else if (path)
		write_span(scene, rung, "RTT ", leg->took_ns);
	else
		write_span(scene, rung, second ? "open, " : "", leg->took_ns);
}

static void add_tries(const struct net_scene *scene, struct ladder *ladder,
	const struct tries *tries, const char *name, const struct leg *leg)
{
	for (uint32_t i = 0; i < tries->count && i < TRIES_MAX; i++) {
		const struct try *try = &tries->at[i];
		struct rung *rung = add_rung(ladder, try->t_ns, try->number,
			try->side, RANK_OPEN);

		label_offer(rung, name,
			&scene->connection->side[try->side].offer,
			tries_again(tries, i));
		if (leg)
			note_leg(scene, rung, leg, false);
	}
}

static void add_opening(const struct net_scene *scene, struct ladder *ladder)
{
	const struct connection *connection = scene->connection;
	const struct handshake *handshake = &connection->handshake;
	bool crossed = handshake->simultaneous;

	add_tries(scene, ladder, &handshake->syn, "SYN", NULL);
	add_tries(scene, ladder, &handshake->syn_other, "SYN", &handshake->a);
	add_tries(scene, ladder, &handshake->synack, "SYN ACK",
		crossed ? &handshake->b : &handshake->a);
	if (!handshake->complete)
		return;
	struct rung *rung = add_rung(ladder, handshake->ack_ns,
		handshake->ack_number, handshake->ack_side, RANK_OPEN);
	snprintf(rung->label, sizeof rung->label, "%s",
		handshake->ack_with_data ? "ACK with data" : "ACK");
	snprintf(rung->shorter, sizeof rung->shorter, "ACK");
	snprintf(rung->note, sizeof rung->note, "open");
	if (!crossed)
		note_leg(scene, rung, &handshake->b, true);
}

/* ---- data ----------------------------------------------------------- */

static void note_initial(const struct net_scene *scene, struct rung *rung)
{
	struct initial_window window =
		side_initial_window(scene->connection, scene->sender);

	bool estimated = side_rounds_basis(scene->connection, scene->sender) ==
		ROUNDS_ESTIMATED;

	if (window.state == WINDOW_WHOLE)
		snprintf(rung->note, sizeof rung->note, "IW %s%llu",
			estimated ? "~" : "",
			(unsigned long long)window.segments);
}

static void label_round(const struct net_scene *scene, struct rung *rung,
	uint32_t i)
{
	const struct round *round = &net_rounds(scene)->at[i];
	unsigned long long segments = round->segments;
	const char *s = segments == 1 ? "" : "s";
	struct text bytes = { 0 };

	rung->data = true;
	net_bytes(round->bytes, &bytes);
	snprintf(rung->label, sizeof rung->label, "%s%llu segment%s, %s B",
		i ? "data  " : "first data  ", segments, s, bytes.chars);
	snprintf(rung->shorter, sizeof rung->shorter, "%llu segment%s",
		segments, s);
	text_free(&bytes);
	if (i && round[-1].bytes)
		snprintf(rung->note, sizeof rung->note, "x%.2f",
			(double)round->bytes / (double)round[-1].bytes);
	else
		note_initial(scene, rung);
}

/* The first packet that acknowledges any data after position `first`. */
static const struct logged *first_ack(const struct net_scene *scene,
	uint64_t first)
{
	for (size_t i = 0; i < scene->packets; i++) {
		const struct logged *logged = net_packet(scene, i);

		if (logged->side != scene->sender &&
			!(logged->marks & MARK_COPY) &&
			logged->packet.flags & TCP_ACK &&
			(int64_t)(logged->ack - first) > 0)
			return logged;
	}
	return NULL;
}

/* Writes the congestion window from the next sample of the kernel. */
static void note_window(const struct net_scene *scene, struct rung *rung)
{
	const struct tcpinfo_sample *sample = net_sample_at(scene, rung->t_ns);
	uint32_t mss = net_segment_bytes(scene);

	if (sample && mss)
		snprintf(rung->note, sizeof rung->note, "cwnd %lld",
			(long long)sample->window_bytes / mss);
}

static void add_first_ack(const struct net_scene *scene, struct ladder *ladder)
{
	const struct logged *ack = scene->connection->self_connect ?
		NULL :
		first_ack(scene, net_rounds(scene)->at[0].first);
	struct text bytes = { 0 };

	if (!ack)
		return;
	int64_t offset = side_offset(net_sending(scene), ack->ack);
	struct rung *rung = add_rung(ladder, ack->packet.t_ns,
		ack->packet.number, ack->side, RANK_ACK);
	net_bytes((uint64_t)(offset > 0 ? offset : 0), &bytes);
	snprintf(rung->label, sizeof rung->label, "ACK of %s B", bytes.chars);
	snprintf(rung->shorter, sizeof rung->shorter, "ACK");
	note_window(scene, rung);
	text_free(&bytes);
}

/* Adds one arrow for all data, where rounds are not distinguishable. */
static void add_all_data(const struct net_scene *scene, struct ladder *ladder)
{
	const struct rounds *rounds = net_rounds(scene);
	struct text bytes = { 0 };

	if (!rounds->count)
		return;
	struct rung *rung = add_rung(ladder, rounds->at[0].start_ns,
		rounds->at[0].number, scene->sender, RANK_DATA);
	rung->data = true;
	net_bytes(net_sending(scene)->payload_bytes, &bytes);
	snprintf(rung->label, sizeof rung->label, "data  %s B in all",
		bytes.chars);
	snprintf(rung->shorter, sizeof rung->shorter, "data");
	text_free(&bytes);
}

static void add_data(const struct net_scene *scene, struct ladder *ladder)
{
	const struct rounds *rounds = net_rounds(scene);

	if (rounds->basis == ROUNDS_TOO_SHORT) {
		add_all_data(scene, ladder);
		return;
	}
	for (uint32_t i = 0; i < rounds->count && i < RUNGS_MOST / 2; i++)
		label_round(scene,
			add_rung(ladder, rounds->at[i].start_ns,
				rounds->at[i].number, scene->sender,
				i ? RANK_ROUND : RANK_DATA),
			i);
	if (rounds->count)
		add_first_ack(scene, ladder);
}

/* ---- the end -------------------------------------------------------- */

static void add_end(const struct net_scene *scene, struct ladder *ladder)
{
	const struct connection *connection = scene->connection;
	const struct teardown *teardown = &connection->teardown;

	for (int side = 0; side < 2; side++) {
		const struct close_leg *leg = &teardown->leg[side];
		int peer = side_peer(connection, side);
		struct rung *rung;

		if (!leg->fins)
			continue;
		rung = add_rung(ladder, leg->fin_ns, leg->fin_number, side,
			RANK_END);
		snprintf(rung->label, sizeof rung->label, "FIN");
		if (!leg->ack_number ||
			leg->ack_number == teardown->leg[peer].fin_number)
			continue;
		rung = add_rung(ladder, leg->ack_ns, leg->ack_number, peer,
			RANK_END);
		snprintf(rung->label, sizeof rung->label, "ACK of the FIN");
		snprintf(rung->shorter, sizeof rung->shorter, "ACK");
	}
	if (teardown->reset == RESET_NONE)
		return;
	struct rung *rung = add_rung(ladder, teardown->reset_ns,
		teardown->reset_number, teardown->reset_side,
		teardown->reset == RESET_REFUSED ? RANK_OPEN : RANK_END);
	snprintf(rung->label, sizeof rung->label, "RST");
	snprintf(rung->note, sizeof rung->note, "%s",
		connection_close(connection) == CLOSE_REFUSED &&
				teardown->reset_side != connection->client ?
			"refused" :
			"reset");
}

/* Removes rungs that do not fit. High ranks are kept whole; the lowest rank
 * with any room keeps only its first rungs. */
static void fit(struct ladder *ladder, int rows)
{
	size_t room = rows > 0 ? (size_t)rows : 0, kept = 0;
	size_t allowed[RANKS];

	for (int i = 0; i < RANKS; i++) {
		allowed[i] =
			ladder->of_rank[i] < room ? ladder->of_rank[i] : room;
		room -= allowed[i];
	}
	for (size_t i = 0; i < ladder->count; i++)
		if (allowed[ladder->at[i].rank]) {
			allowed[ladder->at[i].rank]--;
			ladder->at[kept++] = ladder->at[i];
		}
	ladder->count = kept;
}

/* ---- drawing -------------------------------------------------------- */

struct rails {
	int left, right, time, notes; /* columns; notes 0: none */
};

static struct rails lay_rails(const struct net_scene *scene, int columns)
{
	int time = net_time_columns(scene);
	int notes = columns >= NOTES_FROM ? NOTES : 0;
	int left = time + DELTA + (columns >= NOTES_FROM ? 3 : 1);

	if (columns - left < LEAST_SHAFT + 2) /* no room for the delta */
		left = time + 1;
	return (struct rails){ left, columns - 1 - (notes ? notes + 1 : 0),
		time, notes };
}

static void draw_arrow(const struct rails *rails, const struct pane *pane,
	int row, const struct rung *rung, bool right)
{
	int from = rails->left + 1, to = rails->right - 1,
	    shaft = to - from + 1;
	const char *label =
		text_columns(rung->label) + 4 <= shaft || !*rung->shorter ?
		rung->label :
		rung->shorter;
	int length = text_columns(label) + 2;
	struct pane inner = pane_part(pane, from, 0, shaft, pane->rows);

	for (int i = 0; i < shaft; i++)
		pane_glyph(&inner, i, row,
			rung->data ? GLYPH_BAND : GLYPH_HORIZONTAL,
			rung->data ? ROLE_SERIES : ROLE_TEXT);
	pane_glyph(&inner, right ? shaft - 1 : 0, row,
		right ? GLYPH_RIGHT : GLYPH_LEFT,
		rung->data ? ROLE_SERIES : ROLE_STRONG);
	int at = (shaft - length) / 2;
	if (at < 1 && !right)
		at = 1;
	if (at + length <= shaft - right)
		pane_text(&inner, at, row, ROLE_STRONG, " %s ", label);
}

static void draw_rung(const struct net_scene *scene, const struct rails *rails,
	const struct pane *pane, int row, const struct rung *rung,
	const struct rung *before)
{
	struct pane at = pane_part(pane, 0, row, rails->time, 1);
	struct pane since = pane_part(pane, rails->time, row, DELTA, 1);
	struct text text = { 0 };

	net_time(scene, rung->t_ns, &text);
	pane_right(&at, 0, ROLE_TEXT, text.chars);
	text_clear(&text);
	if (before && rails->left > rails->time + DELTA) {
		net_delta(rung->t_ns - before->t_ns, &text);
		pane_right(&since, 0, ROLE_STRONG, text.chars);
	}
	pane_glyph(pane, rails->left, row, GLYPH_VERTICAL, ROLE_FRAME);
	pane_glyph(pane, rails->right, row, GLYPH_VERTICAL, ROLE_FRAME);
	draw_arrow(rails, pane, row, rung,
		rung->side == scene->connection->client);
	if (rails->notes)
		pane_chars(pane, rails->right + 2, row, ROLE_STRONG,
			rung->note);
	text_free(&text);
}

static void draw_head(const struct net_scene *scene, const struct rails *rails,
	const struct pane *pane)
{
	struct pane at = pane_part(pane, 0, 0, rails->time, 1);
	struct pane since = pane_part(pane, rails->time, 0, DELTA, 1);
	struct pane ends = pane_part(pane, rails->left, 0,
		rails->right - rails->left + 1, 1);

	pane_right(&at, 0, ROLE_DIM,
		scene->options->clock == NET_TIME_OF_DAY ? "time" : "t ms");
	if (rails->left > rails->time + DELTA)
		pane_right(&since, 0, ROLE_DIM, "dt ms");
	pane_chars(&ends, 0, 0, ROLE_DIM, "client");
	pane_right(&ends, 0, ROLE_DIM, "server");
}

/* ---- the whole ladder ------------------------------------------------ */

void net_handshake(const struct net_scene *scene, const struct pane *pane)
{
	struct pane inner = pane_part(pane, 1, 0, -1, pane->rows);
	struct rails rails = lay_rails(scene, inner.columns);
	struct ladder ladder = { .count = 0 };
	struct text text = { 0 };

	add_opening(scene, &ladder);
	add_data(scene, &ladder);
	add_end(scene, &ladder);
	int least =
		(int)(ladder.of_rank[RANK_OPEN] + ladder.of_rank[RANK_DATA]);
	int rows = inner.rows - 1;
	net_say_meaning(scene, inner.columns, rows - (int)ladder.count, &text);
	/* Arrows have priority over sentences, but for lost time. */
	int said = net_text_rows(text.chars, inner.columns);
	if (handshake_wait(&scene->connection->handshake).ns > 0 &&
		least >= rows)
		least = rows - 1;
	if (rows - least < said)
		said = rows > least ? rows - least : 0;
	fit(&ladder, rows - said);
	draw_head(scene, &rails, &inner);
	for (size_t i = 0; i < ladder.count; i++)
		draw_rung(scene, &rails, &inner, (int)i + 1, &ladder.at[i],
			i ? &ladder.at[i - 1] : NULL);
	struct pane foot = pane_part(&inner, 0, (int)ladder.count + 1,
		inner.columns, inner.rows - (int)ladder.count - 1);
	pane_wrap(&foot, 0, ROLE_TEXT, text.chars);
	text_free(&text);
}
