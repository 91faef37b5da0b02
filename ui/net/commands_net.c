/* Verbs of the Net screen. */
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "annotation_text.h"
#include "commands_internal.h"
#include "view_net.h"

enum { CLOSER_MOST = 12 };

/* ---- moving --------------------------------------------------------- */

static size_t step(size_t at, int steps, size_t count)
{
	long to = (long)at + steps;

	if (!count || to < 0)
		return 0;
	return to < (long)count ? (size_t)to : count - 1;
}

/* Selects an event and its packet. */
static void select_event(struct net_scene *scene, size_t event)
{
	const struct tcp_event *at = &scene->connection->events[event];
	size_t packet = net_packet_numbered(scene, at->number);
	struct text text = { 0 };

	if (scene->packets)
		net_select(scene,
			packet < scene->packets ? packet : scene->packets - 1);
	scene->options->event = event;
	scene->options->event_walked = true;
	event_text(scene->connection, at, at, &text);
	screen_say(scene->screen, ROLE_TEXT, "packet %llu: %s",
		(unsigned long long)at->number, text.chars);
	text_free(&text);
}

static void move_round(struct net_scene *scene, int steps)
{
	struct net_options *options = scene->options;
	size_t count = net_rounds(scene)->count;

	options->round = options->round_walked ?
		step(options->round, steps, count) :
		scene->source.live && count ? count - 1 :
					      0;
	options->round_walked = true;
}

/* The next event: after the selected one, or from the selected packet on. */
static void move_event(struct net_scene *scene, int steps)
{
	const struct net_options *options = scene->options;
	size_t count = scene->connection->event_count;
	bool before = !options->event_walked && steps > 0;

	if (count)
		select_event(scene, step(scene->event, steps - before, count));
}

/* Selects the packet that opens the next round, or the one before. */
static void move_to_round(struct net_scene *scene, int steps)
{
	long at = (long)scene->packet, by = steps < 0 ? -1 : 1;

	if (!scene->packets) {
		move_round(scene, steps);
		return;
	}
	do
		at += by;
	while (at >= 0 && at < (long)scene->packets &&
		!net_opens_round(scene, net_packet(scene, (size_t)at)));
	if (at >= 0 && at < (long)scene->packets)
		net_select(scene, (size_t)at);
}

static void choose_connection(struct net_scene *scene, size_t index)
{
	struct net_options *options = scene->options;

	options->connection = index;
	options->chosen = true;
	options->walked = options->round_walked = false;
	options->event_walked = false;
	options->packet = options->round = 0;
	options->mark = 0;
	options->closer = 0;
	net_enter(scene->screen);
}

static void choose_row(struct net_scene *scene, int steps)
{
	size_t row = step(scene->row, steps, scene->row_count);

	choose_connection(scene, scene->rows[row].index);
}

void net_move(struct screen *screen, int steps)
{
	struct net_scene scene;

	net_open(&scene, screen);
	if (!scene.connection)
		return;
	switch ((enum net_place)screen->focus[VIEW_NET]) {
	case NET_PACKETS:
		net_select(&scene, step(scene.packet, steps, scene.packets));
		break;
	case NET_EVENTS:
		move_event(&scene, steps);
		break;
	case NET_ROUNDS:
		move_round(&scene, steps);
		break;
	case NET_SEQUENCE:
	case NET_WINDOW:
	case NET_RTT:
	case NET_RATE:
		move_to_round(&scene, steps);
		break;
	default:
		choose_row(&scene, steps);
		break;
	}
}

/* ---- verbs ---------------------------------------------------------- */

static enum outcome nothing_here(struct reply *reply)
{
	return reply_fail(reply, STATUS_USAGE,
		"no packets here: `annotate FILE` opens a capture");
}

/* Checks the number in "packet 3", "packet to 40" and "connection to 2". */
static int check_place(const struct call *call, struct error *error)
{
	const char *number = call->arg[call->count - 1];
	char *end;
	long value = strtol(number, &end, 10);
	bool to = call->count == 2;

	if (to && strcmp(call->arg[0], "to") != 0) {
		error_set(error, STATUS_USAGE,
			"unknown word %s: expected `%s STEPS` or `%s to "
			"NUMBER`",
			text_quoted(call->arg[0]).chars, call->command->name,
			call->command->name);
		return call_fault(call, 0, 0, error);
	}
	if (end != number && !*end && labs(value) <= 1 << 30 &&
		(!to || value > 0))
		return 0;
	error_set(error, STATUS_USAGE, "%s is not a whole number%s",
		text_quoted(number).chars, to ? " from 1" : "");
	return call_fault(call, call->count - 1, 0, error);
}

static bool is_end_word(const char *word)
{
	return !strcmp(word, "first") || !strcmp(word, "last");
}

static int check_packet(const struct call *call, struct error *error)
{
	if (call->count == 1 && is_end_word(call->arg[0]))
		return 0;
	return check_place(call, error);
}

static enum outcome exec_packet(const struct call *call, struct reply *reply)
{
	struct net_scene scene;
	const char *word = call->arg[call->count - 1];
	int value = (int)strtol(word, NULL, 10);

	net_open(&scene, screen_of(call));
	if (!scene.packets)
		return nothing_here(reply);
	if (is_end_word(word)) {
		net_select(&scene, *word == 'f' ? 0 : scene.packets - 1);
		return OUTCOME_DONE;
	}
	if (call->count == 2)
		return net_select_number(&scene, (uint64_t)value,
			       &reply->error) ?
			OUTCOME_FAILED :
			OUTCOME_DONE;
	net_select(&scene, step(scene.packet, value, scene.packets));
	return OUTCOME_DONE;
}

static bool is_plot(int place)
{
	return place >= NET_SEQUENCE && place <= NET_RATE;
}

/* Places that show the selected packet keep the focus. */
static bool shows_packet(int place)
{
	return is_plot(place) || place == NET_PACKETS || place == NET_EVENTS;
}

static enum outcome exec_event(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct net_scene scene;
	int value = (int)strtol(call->arg[call->count - 1], NULL, 10);

	net_open(&scene, screen);
	if (!scene.connection)
		return nothing_here(reply);
	if (!scene.connection->event_count)
		return reply_fail(reply, STATUS_USAGE,
			"this connection has no events: no loss, no full "
			"window, no reset");
	if (!shows_packet(screen->focus[VIEW_NET]))
		screen->focus[VIEW_NET] = NET_EVENTS;
	if (call->count == 2)
		select_event(&scene,
			step(0, value - 1, scene.connection->event_count));
	else
		move_event(&scene, value);
	return OUTCOME_DONE;
}

static enum outcome exec_decode(const struct call *call, struct reply *reply)
{
	struct net_scene scene;
	struct text title = { 0 }, text = { 0 };

	net_open(&scene, screen_of(call));
	if (!scene.packets)
		return nothing_here(reply);
	const struct logged *logged = net_packet(&scene, scene.packet);
	text_add(&title, "packet %llu",
		(unsigned long long)logged->packet.number);
	net_decode(&scene, logged, &text);
	screen_open_page(screen_of(call), title.chars, text.chars);
	text_free(&title);
	text_free(&text);
	return OUTCOME_DONE;
}

static enum outcome exec_connection(const struct call *call,
	struct reply *reply)
{
	struct net_scene scene;

	net_open(&scene, screen_of(call));
	if (!scene.connection)
		return nothing_here(reply);
	if (scene.count == 1)
		return reply_fail(reply, STATUS_USAGE,
			"there is only one connection");
	int value = (int)strtol(call->arg[call->count - 1], NULL, 10);
	if (call->count == 2)
		choose_connection(&scene,
			net_connection_numbered(&scene.source,
				(uint64_t)value));
	else
		choose_row(&scene, value);
	return OUTCOME_DONE;
}

static int read_filter(const struct call *call,
	struct connection_filter *filter, struct error *error)
{
	*filter = (struct connection_filter){ 0 };
	for (size_t i = 0; i < call->count; i++)
		if (connection_filter_read(filter, call->arg[i], error))
			return call_fault(call, i, 0, error);
	return 0;
}

static int check_only(const struct call *call, struct error *error)
{
	struct connection_filter filter;

	return read_filter(call, &filter, error);
}

static enum outcome nothing_matches(const struct net_scene *scene,
	struct reply *reply)
{
	const struct annotator *annotator = scene->source.annotator;
	unsigned long long forgotten =
		annotator ? annotator_facts(annotator)->forgotten : 0;

	if (forgotten)
		return reply_fail(reply, STATUS_USAGE,
			"no listed connection has such an end: %llu earlier "
			"ones are not kept, `annotate FILE host=.. port=..` "
			"keeps those chosen",
			forgotten);
	return reply_fail(reply, STATUS_USAGE,
		"no connection of this capture has such an end: the list is "
		"unchanged");
}

/* A filter that nothing matches is refused: the screen would be empty. */
static enum outcome exec_only(const struct call *call, struct reply *reply)
{
	struct screen *screen = screen_of(call);
	struct net_options *options = net_options(screen);
	struct connection_filter before;
	struct net_scene scene;

	net_open(&scene, screen);
	before = options->only;
	if (!scene.connection)
		return nothing_here(reply);
	if (read_filter(call, &options->only, &reply->error))
		return OUTCOME_FAILED;
	net_open(&scene, screen);
	if (!scene.connection) {
		options->only = before;
		return nothing_matches(&scene, reply);
	}
	screen->focus[VIEW_NET] = NET_CONNECTIONS;
	choose_connection(&scene, scene.index);
	return OUTCOME_DONE;
}

static const char *const filter_words[] = { "host=", "port=", NULL };
static const char *const words[] = { "zoom", "clock", "mark", "closer", "wider",
	"whole", "follow", "other", "sort", "reverse", "plot",
	"lanes", "back", NULL };

static enum outcome set_mark(struct net_scene *scene, struct reply *reply)
{
	struct net_options *options = scene->options;

	if (!scene->packets)
		return nothing_here(reply);
	uint64_t number = net_packet(scene, scene->packet)->packet.number;
	options->mark = options->mark == number ? 0 : number;
	if (options->mark)
		screen_say(scene->screen, ROLE_TEXT,
			"times in the list count from packet %llu",
			(unsigned long long)number);
	return OUTCOME_DONE;
}

/* Switches between the file and the run. */
static void show_other(struct net_scene *scene)
{
	unsigned serial = scene->source.serial;

	scene->options->sources.other = !scene->options->sources.other;
	net_enter(scene->screen);
	net_open(scene, scene->screen);
	if (scene->source.serial == serial)
		screen_say(scene->screen, ROLE_TEXT,
			"no other packets: `annotate FILE` opens a capture, "
			"`run net.slowstart` records one");
}

/* Moves to the next plot, or from elsewhere to the plot shown last. */
static void show_plot(struct net_scene *scene)
{
	int *place = &scene->screen->focus[VIEW_NET];

	if (!is_plot(*place))
		*place = (int)scene->options->plot;
	else
		*place = *place == NET_RATE ? NET_SEQUENCE : *place + 1;
}

/* Switches between the table and the time axis, or goes to the time axis. */
static void show_lanes(struct net_scene *scene)
{
	int *place = &scene->screen->focus[VIEW_NET];

	scene->options->lanes =
		*place != NET_CONNECTIONS || !scene->options->lanes;
	*place = NET_CONNECTIONS;
}

/* Closes what was opened last: the single pane, the filter, the pane with the
 * focus, and at last the screen. */
static void go_back(struct net_scene *scene)
{
	struct net_options *options = scene->options;
	struct screen *screen = scene->screen;
	int *place = &screen->focus[VIEW_NET];

	if (!scene->connection)
		screen_view(screen, VIEW_LAB, -1);
	else if (options->zoomed)
		options->zoomed = false;
	else if (*place == NET_CONNECTIONS &&
		connection_filter_any(&options->only))
		options->only = (struct connection_filter){ 0 };
	else if (*place != NET_HANDSHAKE)
		*place = NET_HANDSHAKE;
	else
		screen_view(screen, VIEW_LAB, -1);
}

/* Orders the list, and selects its first row. */
static void sort_list(struct net_scene *scene, enum list_order order,
	bool reversed)
{
	scene->options->order = order;
	scene->options->reversed = reversed;
	net_open(scene, scene->screen);
	if (scene->connection)
		choose_connection(scene, scene->rows[0].index);
}

/* -1 shows the idle ends of a connection that has some. */
static int widest(const struct net_scene *scene)
{
	return scene->connection && net_idle_ns(scene->connection) > 0 ? -1 : 0;
}

static enum outcome exec_net(const struct call *call, struct reply *reply)
{
	const char *word = call->arg[0];
	struct net_scene scene;

	net_open(&scene, screen_of(call));
	struct net_options *options = scene.options;
	if (!strcmp(word, "zoom"))
		options->zoomed = !options->zoomed;
	else if (!strcmp(word, "clock"))
		options->clock = options->clock == NET_SINCE_START ?
			NET_TIME_OF_DAY :
			NET_SINCE_START;
	else if (!strcmp(word, "closer"))
		options->closer += options->closer < CLOSER_MOST;
	else if (!strcmp(word, "wider"))
		options->closer -= options->closer > widest(&scene);
	else if (!strcmp(word, "whole"))
		options->closer = 0;
	else if (!strcmp(word, "follow"))
		options->walked = options->round_walked = options->chosen =
			false;
	else if (!strcmp(word, "other"))
		show_other(&scene);
	else if (!strcmp(word, "plot"))
		show_plot(&scene);
	else if (!strcmp(word, "lanes"))
		show_lanes(&scene);
	else if (!strcmp(word, "sort"))
		sort_list(&scene, (options->order + 1) % LIST_ORDERS,
			options->reversed);
	else if (!strcmp(word, "reverse"))
		sort_list(&scene, options->order, !options->reversed);
	else if (!strcmp(word, "back"))
		go_back(&scene);
	else
		return set_mark(&scene, reply);
	return OUTCOME_DONE;
}

const struct command net_commands[] = {
	{ "packet", "[to] NUMBER|first|last",
		"select the packet NUMBER steps further, or with `to` packet "
		"NUMBER, or the first or last one",
		"packet to 40", 1, 2, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_packet, exec_packet },
	{ "event", "[to] NUMBER",
		"select the event NUMBER steps further, or with `to` event "
		"NUMBER",
		"event 1", 1, 2, ARGUMENT_TEXT, NULL, NULL, COMMAND_SCREEN,
		check_place, exec_event },
	{ "decode", "", "explain the selected packet", "decode", 0, 0,
		ARGUMENT_NONE, NULL, NULL, COMMAND_SCREEN, NULL, exec_decode },
	{ "connection", "[to] NUMBER",
		"show the connection NUMBER rows down in the list (-1: up), "
		"or with `to` connection NUMBER",
		"connection to 3", 1, 2, ARGUMENT_TEXT, NULL, NULL,
		COMMAND_SCREEN, check_place, exec_connection },
	{ "only", "[host=ADDRESS] [port=NUMBER]",
		"list only the connections with one end of this host and "
		"port; without words, all",
		"only port=443", 0, 2, ARGUMENT_WORD, filter_words, NULL,
		COMMAND_SCREEN, check_only, exec_only },
	{ "net", "zoom|clock|mark|closer|wider|whole|follow|other|sort|"
		"reverse|plot|lanes|back",
		"change how a connection is shown", "net zoom", 1, 1,
		ARGUMENT_WORD, words, NULL, COMMAND_SCREEN, check_word,
		exec_net },
	{ .name = NULL },
};
