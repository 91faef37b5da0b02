/* Assembles the Net screen. */
#include "view_net.h"

#include <string.h>

#include "annotate.h"

enum {
	BROAD = 110, /* from this many columns: a right column */
	RIGHT = 38,
	WIDE = 160,  /* from this many columns: two plots side by side */
	TALL = 34,   /* from this many rows: a third row of panes */
	TALLER = 52, /* from this many rows: a fourth */
	SMALL = 16,  /* below this many rows: a single pane */
	LADDER = 8,  /* rows of the handshake */
	LADDER_TALL = 12,
	ROUNDS_TALL = 14,
	SEQUENCE_TALLER = 16,
};

/* ---- layout --------------------------------------------------------- */

/* The panes by place, and the phases. An absent pane has no rows. */
struct net_panes {
	struct pane at[NET_PLACES], phases;
};

static int place_of(const struct screen *screen)
{
	return screen->focus[VIEW_NET];
}

/* Two panes: the handshake above, below it the place with the focus. */
static void lay_two(struct net_panes *panes, const struct pane *body, int place)
{
	int below = place == NET_HANDSHAKE ? NET_ROUNDS : place;

	panes->at[NET_HANDSHAKE] = pane_part(body, 0, 0, body->columns, LADDER);
	panes->at[below] =
		pane_part(body, 0, LADDER, body->columns, body->rows - LADDER);
}

/* Lays out the plots: both if there is room, else one. */
static void lay_plots(struct net_panes *panes, const struct pane *row, int plot)
{
	int half = row->columns / 2;

	if (row->columns < WIDE) {
		panes->at[plot] = *row;
		return;
	}
	/* The plots in pairs. */
	int left = plot < NET_RTT ? NET_SEQUENCE : NET_RTT;
	panes->at[left] = pane_part(row, 0, 0, half, row->rows);
	panes->at[left + 1] =
		pane_part(row, half, 0, row->columns - half, row->rows);
}

static bool is_plot(int place)
{
	return place >= NET_SEQUENCE && place <= NET_RATE;
}

static bool is_list(int place)
{
	return place == NET_PACKETS || place == NET_EVENTS ||
		place == NET_CONNECTIONS;
}

static void lay_many(struct net_panes *panes, const struct pane *body,
	int place, const struct net_options *options)
{
	int table =
		options && options->table ? (int)options->table : NET_PACKETS;
	int plot = options && options->plot ? (int)options->plot : NET_SEQUENCE;
	bool taller = body->rows >= TALLER;
	int third = LADDER_TALL + ROUNDS_TALL;
	int right = body->columns >= BROAD ? RIGHT : 0;
	int left = body->columns - right;
	bool path = place == NET_PATH && !right;
	int plots = taller ? SEQUENCE_TALLER : body->rows - third;
	struct pane row = pane_part(body, 0, third, body->columns, plots);

	panes->at[NET_HANDSHAKE] = pane_part(body, 0, 0, left, LADDER_TALL);
	panes->at[NET_ROUNDS] =
		pane_part(body, 0, LADDER_TALL, left, ROUNDS_TALL);
	if (right) {
		panes->at[NET_PATH] =
			pane_part(body, left, 0, right, LADDER_TALL);
		panes->phases =
			pane_part(body, left, LADDER_TALL, right, ROUNDS_TALL);
	}
	if (path || (is_list(place) && !taller))
		panes->at[place] = row;
	else
		lay_plots(panes, &row, is_plot(place) ? place : plot);
	if (taller)
		panes->at[is_list(place) ? place : table] =
			pane_part(body, 0, third + plots, body->columns,
				body->rows - third - plots);
}

static void lay_out(const struct screen *screen, const struct pane *body,
	struct net_panes *panes)
{
	const struct net_options *options = screen->kept[VIEW_NET];
	int place = place_of(screen);

	memset(panes, 0, sizeof *panes);
	if ((options && options->zoomed) || body->rows < SMALL)
		panes->at[place] = *body;
	else if (body->rows < TALL)
		lay_two(panes, body, place);
	else
		lay_many(panes, body, place, options);
}

int net_parts(const struct screen *screen, const struct pane *body,
	struct pane *parts)
{
	struct net_panes panes;

	lay_out(screen, body, &panes);
	memcpy(parts, panes.at, sizeof panes.at);
	parts[NET_PLACES] = panes.phases;
	return NET_PLACES + 1;
}

/* ---- drawing -------------------------------------------------------- */

/* Draws the path. Without a separate pane for the phases, draws them beside it,
 * if there is room. */
static void draw_path(const struct net_scene *scene, const struct pane *pane,
	bool alone)
{
	bool beside = pane->columns >= 2 * RIGHT - 2;
	int half = beside ? pane->columns / 2 : pane->columns;
	struct pane left = pane_part(pane, 0, 0, half, pane->rows);
	struct pane right =
		pane_part(pane, half, 0, pane->columns - half, pane->rows);

	net_path(scene, &left);
	if (alone && beside)
		net_phases(scene, &right);
}

static void draw_place(const struct net_scene *scene, int place,
	const struct pane *pane, bool alone)
{
	struct text title = { 0 }, right = { 0 };

	net_title(scene, place, &title, &right);
	if (place == NET_PATH && alone)
		text_add(&title, " and phases");
	if (text_columns(text_chars(&right)) + text_columns(title.chars) + 8 >
		pane->columns) {
		text_clear(&right);
		net_say_thinned(scene, place, &right);
	}
	if (text_columns(text_chars(&right)) + text_columns(title.chars) + 8 >
		pane->columns)
		text_clear(&right);
	struct pane inside = pane_frame(pane, title.chars, text_chars(&right));
	pane_spot_all(&inside, "focus %s", views[VIEW_NET].places[place].name);
	if (place == place_of(scene->screen)) {
		pane_role(pane, 2, 0, text_columns(title.chars) + 2,
			ROLE_SELECT);
		pane_cursor(pane, 3, 0);
	}
	if (place == NET_HANDSHAKE)
		net_handshake(scene, &inside);
	else if (place == NET_ROUNDS)
		net_draw_rounds(scene, &inside);
	else if (place == NET_SEQUENCE)
		net_sequence(scene, &inside);
	else if (place == NET_WINDOW)
		net_flight(scene, &inside);
	else if (place == NET_RTT)
		net_round_trips(scene, &inside);
	else if (place == NET_RATE)
		net_throughput(scene, &inside);
	else if (place == NET_PACKETS)
		net_list(scene, &inside);
	else if (place == NET_EVENTS)
		net_events(scene, &inside);
	else if (place == NET_CONNECTIONS && scene->options->lanes)
		net_lanes(scene, &inside);
	else if (place == NET_CONNECTIONS)
		net_all(scene, &inside);
	else
		draw_path(scene, &inside, alone);
	text_free(&title);
	text_free(&right);
}

/* Explains why a run that was to be captured has no packets. */
static void draw_why(const struct net_scene *scene, const struct pane *words)
{
	const struct results *results = scene->source.results;
	struct text text = { 0 };

	text_add_safe(&text, scene->source.name, strlen(scene->source.name));
	if (results && results->points[0].state == POINT_UNAVAILABLE)
		text_add(&text, " was not measured: ");
	else
		text_add(&text, "%s without packets.\n\nCapture is off: ",
			scene->source.live ? " is running" : " was measured");
	text_add_safe(&text, scene->source.why, strlen(scene->source.why));
	text_add_char(&text, '.');
	if (strstr(scene->source.why, "CAP_NET_RAW"))
		text_add(&text,
			"\n\nThe figures do not need packets and are in the "
			"Lab. On host=link no permission is needed.");
	int rows = pane_wrap(words, 0, ROLE_TEXT, text.chars) + 1;
	struct pane rest = pane_part(words, 0, rows + 1, words->columns,
		words->rows - rows - 1);
	if (net_flight_untold(scene, &rest))
		pane_chars(words, 0, rows, ROLE_STRONG,
			"The kernel's report on the last connection "
			"(TCP_INFO):");
	text_free(&text);
}

static void draw_nothing(const struct net_scene *scene, const struct pane *body)
{
	struct pane inside = pane_frame(body, "packets explained", NULL);
	struct pane words = pane_part(&inside, 1, 0, -1, inside.rows);

	if (scene->source.why) {
		draw_why(scene, &words);
		return;
	}
	if (scene->source.kind != NET_NOTHING) {
		pane_wrap(&words, 0, ROLE_TEXT,
			scene->source.live ?
				"No TCP packet yet." :
				"This capture contains no TCP connection.");
		return;
	}
	pane_wrap(&words, 0, ROLE_TEXT,
		"This screen explains TCP connections: handshake, slow start, "
		"losses.\n\n`run net.slowstart` measures a connection on an "
		"emulated link; Tab in the Lab leads to its form.\n"
		"\n`annotate FILE` opens a pcap or pcapng capture: press : and "
		"type the command. With capture permission, this makes a "
		"file:\n    tcpdump -w FILE tcp\n");
}

void net_draw(struct screen *screen, const struct pane *body)
{
	struct net_panes panes;
	struct net_scene scene;

	net_open(&scene, screen);
	if (!scene.connection) {
		draw_nothing(&scene, body);
		return;
	}
	lay_out(screen, body, &panes);
	/* The place with the focus is drawn last, so that the cursor stays
	 * there. */
	for (int i = 1; i <= NET_PLACES; i++) {
		int place = (place_of(screen) + i) % NET_PLACES;

		if (panes.at[place].rows > 2)
			draw_place(&scene, place, &panes.at[place],
				!panes.phases.rows);
	}
	if (panes.phases.rows > 2) {
		struct pane inside =
			pane_frame(&panes.phases, "phases", "rule of growth");
		net_phases(&scene, &inside);
	}
}

/* ---- functions for the row in views.h ------------------------------- */

static const char *last_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

/* The connections of the capture, also those that are not kept. */
static uint64_t found(const struct net_scene *scene)
{
	const struct annotator *annotator = scene->source.annotator;

	return annotator ? annotator_facts(annotator)->connections :
			   scene->count;
}

void net_add_state(const struct screen *screen, int room, struct text *text)
{
	/* The cast is safe: net_open() changes only data kept for drawing. */
	struct screen *own = (struct screen *)(uintptr_t)screen;
	struct net_scene scene;
	const char *name;

	net_open(&scene, own);
	name = last_name(scene.source.name);
	for (int way = 0; way < 4; way++) {
		text_clear(text);
		if (scene.source.kind == NET_NOTHING)
			return;
		if (way < 2)
			text_add_safe(text, name, strlen(name));
		if (scene.count > 1)
			text_add(text, "%s%s %llu of %llu", way < 2 ? "  " : "",
				way < 3 ? "connection" : "no.",
				(unsigned long long)scene.connection->number,
				(unsigned long long)found(&scene));
		if (way == 0 && scene.packets)
			text_add(text, "  %llu packet%s",
				(unsigned long long)scene.connection->packets,
				scene.connection->packets == 1 ? "" : "s");
		if (scene.source.live)
			text_add(text, "  live");
		if (text_columns(text_chars(text)) <= room)
			return;
	}
	text_clear(text);
}

void net_enter(struct screen *screen)
{
	struct net_scene scene;
	struct text text = { 0 };

	net_open(&scene, screen);
	/* While packets arrive, the status row shows the run's progress. */
	if (scene.source.live) {
		text_clear(&screen->message);
		return;
	}
	if (scene.source.kind == NET_NOTHING)
		text_add(&text, "No packets were captured and no file is "
			"open.");
	else if (scene.source.why)
		text_add(&text, "The last run was not captured.");
	else
		net_say(&scene, &text);
	screen_say(screen, ROLE_TEXT, "%s", text.chars);
	screen->message_read = true;
	text_free(&text);
}
