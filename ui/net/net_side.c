/* Draws the properties of the path, and the phases in order of time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amounts.h"
#include "connection_figures.h"
#include "view_net.h"

enum { NAME = 14, LINES_MOST = 40 };

/* ---- a list of lines ------------------------------------------------ */

struct lines {
	const struct pane *pane;
	int row;  /* of the next line, also if it has no room */
	int room; /* rows */
};

/* Draws a line such as "RTT least    20.1 ms", if there is room. */
static void line(struct lines *lines, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void line(struct lines *lines, const char *name, const char *format, ...)
{
	int row = lines->row++;
	struct pane value = pane_part(lines->pane, NAME, row, -1, 1);
	struct text text = { 0 };
	va_list list;

	if (row >= lines->room)
		return;
	va_start(list, format);
	text_vadd(&text, format, list);
	va_end(list);
	pane_chars(lines->pane, 1, row, ROLE_DIM, name);
	pane_wrap(&value, 0, ROLE_TEXT, text_chars(&text));
	text_free(&text);
}

static void line_span(const struct net_scene *scene, struct lines *lines,
	const char *name, int64_t span_ns)
{
	struct text text = { 0 };

	if (span_ns == UNKNOWN_NS)
		return;
	net_span(scene, span_ns, &text);
	line(lines, name, "%s", text.chars);
	text_free(&text);
}

static void line_unit(struct lines *lines, const char *name, enum unit unit,
	double value)
{
	struct text text = { 0 };

	if (!(value > 0))
		return;
	amount_short(&text, unit, value);
	line(lines, name, "%s", text.chars);
	text_free(&text);
}

/* ---- the path ------------------------------------------------------- */

static const char *tap_words(enum tap tap)
{
	static const char *const words[] = {
		[TAP_UNKNOWN] = "unknown",
		[TAP_CLIENT] = "at the client",
		[TAP_SERVER] = "at the server",
		[TAP_MIDDLE] = "in mid-path",
		[TAP_LOOPBACK] = "loopback, both ends",
	};

	return words[tap];
}

/* Draws the TCP options that both sides offered. */
static void line_options(const struct net_scene *scene, struct lines *lines)
{
	const struct side *side = scene->connection->side;
	unsigned both =
		side[0].offer.options.present & side[1].offer.options.present;
	bool seen = side[0].offer.seen && side[1].offer.seen;
	struct text text = { 0 };

	if (!seen)
		return;
	if (side[0].offer.options.state != OPTIONS_WHOLE ||
		side[1].offer.options.state != OPTIONS_WHOLE) {
		line(lines, "both", "unknown, options cut");
		return;
	}
	text_add(&text, "%s%s%s%s", both & OPTION_SACK_PERMITTED ? "SACK " : "",
		both & OPTION_TIMESTAMPS ? "stamps " : "",
		both & OPTION_WSCALE ? "scaling " : "",
		side[0].offer.accurate_ecn && side[1].offer.accurate_ecn ?
			"AccECN" :
		side[0].offer.ecn && side[1].offer.ecn ? "ECN" :
							 "");
	line(lines, "both", "%s",
		text.length ? text.chars : "no options in common");
	text_free(&text);
}

static void line_capture(const struct net_scene *scene, struct lines *lines)
{
	const struct connection *connection = scene->connection;
	const struct capture_facts *facts;
	uint64_t gaps = connection->side[0].gaps + connection->side[1].gaps;

	line(lines, "captured", "%s", tap_words(connection->tap));
	if (connection->duplicates)
		line(lines, "duplicates", "%llu, counted once",
			(unsigned long long)connection->duplicates);
	if (gaps)
		line(lines, "gaps", "%llu", (unsigned long long)gaps);
	if (!scene->source.annotator)
		return;
	facts = annotator_facts(scene->source.annotator);
	line(lines, "packets", "%llu of %llu captured",
		(unsigned long long)connection->packets,
		(unsigned long long)facts->packets);
	if (facts->cut)
		line(lines, "cut short", "%llu of the captured",
			(unsigned long long)facts->cut);
	if (facts->left_out)
		line(lines, "not kept", "%llu rounds or events",
			(unsigned long long)facts->left_out);
	line(lines, "times in", "%s",
		facts->resolution_ns == 1            ? "nanoseconds" :
			facts->resolution_ns == 1000 ? "microseconds" :
						       "milliseconds");
}

/* Draws the bandwidth-delay product: as set for an emulated path, else as
 * estimated. */
static void line_product(const struct net_scene *scene, struct lines *lines)
{
	struct net_product product;
	struct text text = { 0 };

	net_find_product(scene, &product);
	if (!(product.segments > 0))
		return;
	amount_short(&text, UNIT_BITS_PER_S, product.rate_bit_s);
	text_add(&text, " x ");
	amount_short(&text, UNIT_NS, (double)product.rtt_ns);
	line(lines, product.told ? "path" : "best round", "%s", text.chars);
	if (product.queue_segments > 0)
		line(lines, "BDP + queue", "%.0f + %.0f segments",
			product.segments, product.queue_segments);
	else
		line(lines, "BDP", "%s%.0f segments",
			product.told ? "" : "at least ", product.segments);
	text_free(&text);
}

static void line_in_flight(const struct net_scene *scene, struct lines *lines)
{
	const struct side *side = net_sending(scene);

	if (!side->in_flight_most_bytes)
		return;
	double segments = net_segment_bytes(scene) ?
		round((double)side->in_flight_most_bytes /
			net_segment_bytes(scene)) : 0;
	if (segments >= 1)
		line(lines, "in flight", "up to %.0f segment%s", segments,
			segments > 1 ? "s" : "");
	else
		line_unit(lines, "in flight", UNIT_BYTES,
			(double)side->in_flight_most_bytes);
}

/* Draws what limited the transfer, and shares of its time. */
static void line_limit(const struct connection *connection, struct lines *lines)
{
	const double least = 0.005;
	const struct rounds *rounds =
		&connection->side[connection_sender(connection)].rounds;
	struct transfer_time time;

	connection_time(connection, &time);
	if (time.limit == LIMIT_UNKNOWN && connection_bytes(connection))
		line(lines, "limited by", "unknown");
	if (time.limit == LIMIT_UNKNOWN)
		return;
	line(lines, "limited by", "%s", limit_words(time.limit));
	if (time.receiver >= least)
		line(lines, "window full", "%.0f %% of the time",
			time.receiver * 100);
	if (time.application >= least)
		line(lines, "idle", "%.0f %% of the time",
			time.application * 100);
	if (time.network >= least)
		line(lines, "loss, queue", "%.0f %% of the time",
			time.network * 100);
	if (rounds->left_out && rounds->basis != ROUNDS_TOO_SHORT)
		line(lines, "in rounds", "1..%u of %llu", rounds->count,
			(unsigned long long)rounds_all(rounds));
}

static void line_resent(const struct connection *connection,
	struct lines *lines)
{
	struct text words[2] = { 0 };
	uint64_t resent[2];
	bool any = false;

	connection_resent_of(connection, resent);
	for (int i = 0; i < 2; i++) {
		bool known = resent[i] != RESENT_UNKNOWN;

		any |= known && resent[i];
		if (known)
			text_add(&words[i], "%llu",
				(unsigned long long)resent[i]);
		else
			text_add(&words[i], "not captured");
	}
	if (any)
		line(lines, "retransmits", "client %s, server %s",
			words[0].chars, words[1].chars);
	text_free(&words[0]);
	text_free(&words[1]);
}

static void line_round_trip(const struct net_scene *scene, struct lines *lines)
{
	const struct side *side = net_sending(scene);
	struct text text = { 0 };

	line_span(scene, lines, "RTT least",
		connection_rtt(scene->connection));
	net_span(scene, side->rtt.smoothed_ns, &text);
	if (side->rtt.variation_ns != UNKNOWN_NS) {
		text_add(&text, " +- ");
		amount_short(&text, UNIT_NS, (double)side->rtt.variation_ns);
	}
	line(lines, "RTT smoothed", "%s", text.chars);
	text_free(&text);
}

static void draw_path(const struct net_scene *scene, struct lines *lines)
{
	const struct connection *connection = scene->connection;
	const struct side *side = net_sending(scene);
	const struct tcpinfo_path *path = net_told(scene);

	if (side->rtt.samples)
		line_round_trip(scene, lines);
	else
		line_span(scene, lines, "RTT",
			handshake_path_ns(&connection->handshake));
	line_limit(connection, lines);
	line_resent(connection, lines);
	int64_t shut_ns = side_zero_window_ns(connection,
		side_peer(connection, scene->sender));
	if (shut_ns > 0)
		line_span(scene, lines, "zero window", shut_ns);
	if (side->mss_bytes)
		line(lines, "segment", "at most %u B", side->mss_bytes);
	if (path && *path->congestion)
		line(lines, "congestion", "%s", path->congestion);
	line_product(scene, lines);
	line_in_flight(scene, lines);
	line_options(scene, lines);
	line_capture(scene, lines);
	line_unit(lines, "goodput", UNIT_BITS_PER_S,
		net_goodput(connection, scene->sender));
}

void net_path(const struct net_scene *scene, const struct pane *pane)
{
	struct lines all = { .pane = pane }, shown = { pane, 0, pane->rows };

	draw_path(scene, &all); /* without room, to count */
	bool whole = all.row <= pane->rows;
	shown.room -= !whole;
	draw_path(scene, &shown);
	if (!whole && pane->rows > 0)
		pane_text(pane, NAME, pane->rows - 1, ROLE_DIM, "and %d more",
			all.row - shown.room);
}

/* ---- the phases ----------------------------------------------------- */

struct phase_line {
	int64_t t_ns;
	char words[64];
};

struct phase_lines {
	struct phase_line at[LINES_MOST];
	size_t count, all; /* `all`: with those that have no room */
};

static void add_phase(struct phase_lines *lines, int64_t t_ns,
	const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add_phase(struct phase_lines *lines, int64_t t_ns,
	const char *format, ...)
{
	struct phase_line *at;
	va_list list;

	if (t_ns == UNKNOWN_NS)
		return;
	lines->all++;
	if (lines->count == LINES_MOST)
		return;
	at = &lines->at[lines->count++];
	at->t_ns = t_ns;
	va_start(list, format);
	vsnprintf(at->words, sizeof at->words, format, list);
	va_end(list);
}

static const char *rule_of(enum net_phase phase)
{
	static const char *const rules[] = {
		[PHASE_UNNAMED] = "rounds continue",
		[PHASE_SLOW_START] = "slow start, x2 per RTT",
		[PHASE_RECOVERY] = "recovery, retransmits",
		[PHASE_TIME_OUT] = "time-out, restarts",
		[PHASE_PROBE] = "tail probe: end lost?",
		[PHASE_NEEDLESS] = "needless retx",
		[PHASE_AVOIDANCE] = "avoidance, grows slowly",
		[PHASE_WINDOW] = "receive window limits",
		[PHASE_SEND_BUFFER] = "send buffer limits",
		[PHASE_APPLICATION] = "application limits",
		[PHASE_PACED] = "paced at measured rate",
	};

	return rules[phase];
}

/* Adds a phase. After a loss, includes the new slow start threshold from the
 * kernel's samples. */
static void add_threshold(const struct net_scene *scene, int64_t t_ns,
	enum net_phase phase, struct phase_lines *lines)
{
	const struct tcpinfo_sample *sample;
	uint32_t mss = net_segment_bytes(scene);
	int64_t before = 0;
	bool lossy = phase == PHASE_RECOVERY || phase == PHASE_TIME_OUT;

	for (size_t i = 0; lossy && mss && (sample = net_sample(scene, &i));) {
		if (sample->t_ns < t_ns)
			before = sample->threshold_bytes;
		if (sample->t_ns < t_ns || !sample->threshold_bytes ||
			sample->threshold_bytes == before)
			continue;
		add_phase(lines, t_ns, "%s, ssthresh %lld",
			net_phase_name(phase),
			(long long)sample->threshold_bytes / mss);
		return;
	}
	add_phase(lines, t_ns, "%s", rule_of(phase));
}

/* Adds a line wherever the phase changes. */
static void add_round_phases(const struct net_scene *scene,
	struct phase_lines *lines)
{
	const struct rounds *rounds = net_rounds(scene);
	enum net_phase before = PHASE_UNNAMED;

	if (rounds->basis == ROUNDS_TOO_SHORT)
		return;
	for (uint32_t i = 0; i < rounds->count; i++) {
		enum net_phase phase = net_phase(scene, i);

		if (i && phase == before)
			continue;
		before = phase;
		add_threshold(scene, net_phase_start(scene, i), phase, lines);
	}
	if (rounds->left_out)
		add_phase(lines, rounds->at[rounds->count - 1].last_ns,
			"then %llu rounds not kept",
			(unsigned long long)rounds->left_out);
}

static void add_end(const struct net_scene *scene, struct phase_lines *lines)
{
	const struct teardown *teardown = &scene->connection->teardown;

	/* Lines of equal time keep this order. */
	for (int i = 0; i < 2; i++) {
		int side = teardown->first == 1 ? !i : i;

		if (teardown->leg[side].fins)
			add_phase(lines, teardown->leg[side].fin_ns,
				"the %s closes", net_side(scene, side));
	}
	if (teardown->reset != RESET_NONE)
		add_phase(lines, teardown->reset_ns, "reset by the %s",
			net_side(scene, teardown->reset_side));
}

static void sort(struct phase_lines *lines)
{
	for (size_t i = 1; i < lines->count; i++) {
		struct phase_line moved = lines->at[i];
		size_t k = i;

		for (; k && lines->at[k - 1].t_ns > moved.t_ns; k--)
			lines->at[k] = lines->at[k - 1];
		lines->at[k] = moved;
	}
}

/* Draws the round trips that files of two sizes need on this path. */
static void draw_costs(const struct net_scene *scene, struct lines *lines)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} files[] = { { "100 KB in", 100000 }, { "1 MB in", 1000000 } };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		unsigned rounds = net_rounds_for(scene->connection,
			scene->sender, files[i].bytes);

		if (rounds)
			line(lines, files[i].name, "%u RTT with connect",
				rounds);
	}
}

static void draw_exit(const struct net_scene *scene, struct lines *lines)
{
	const struct side *side = net_sending(scene);
	struct pane rest = pane_part(lines->pane, 1, lines->row, -1,
		lines->pane->rows - lines->row);

	if (side_exit(side).reason == EXIT_NONE ||
		side->rounds.basis == ROUNDS_TOO_SHORT)
		return;
	lines->row += pane_wrap(&rest, 0, ROLE_STRONG, side_exit_words(side));
}

static const char *connect_words(const struct connection *connection)
{
	int client = connection->client;

	if (!connection->handshake.complete)
		return "connection attempts";
	if (connection->side[client].retransmissions[RETRANSMIT_SYN])
		return "connect, SYN retx";
	if (connection->side[!client].retransmissions[RETRANSMIT_SYN])
		return "connect, SYN ACK retx";
	return handshake_path_ns(&connection->handshake) == UNKNOWN_NS ?
		"connect" :
		"connect, 1 RTT";
}

void net_phases(const struct net_scene *scene, const struct pane *pane)
{
	const struct connection *connection = scene->connection;
	struct phase_lines found = { .count = 0 };
	struct lines lines = { pane, 0, pane->rows };
	int time = net_time_columns(scene);

	const struct handshake *handshake = &connection->handshake;

	if (handshake->syn.count)
		add_phase(&found, handshake->syn.at[0].t_ns, "%s",
			connect_words(connection));
	add_round_phases(scene, &found);
	add_end(scene, &found);
	sort(&found);
	int most = pane->rows - 4;
	for (size_t i = 0; i < found.count && lines.row < most; i++) {
		struct pane at = pane_part(pane, 0, lines.row, time, 1);
		struct pane words = pane_part(pane, time + 1, lines.row, -1, 1);
		struct text text = { 0 };

		net_time(scene, found.at[i].t_ns, &text);
		pane_right(&at, 0, ROLE_DIM, text.chars);
		pane_wrap(&words, 0, ROLE_TEXT, found.at[i].words);
		text_free(&text);
		lines.row++;
	}
	if (found.all > (size_t)lines.row && lines.row < pane->rows)
		line(&lines, "", "and %zu more",
			found.all - (size_t)lines.row);
	draw_exit(scene, &lines);
	draw_costs(scene, &lines);
}
