/* The titles of the Net screen's panes, and what is on their right. */
#include "amounts.h"
#include "annotate.h"
#include "read_again.h"
#include "view_net.h"

static void say_ends(const struct net_scene *scene, struct text *text)
{
	const struct connection *connection = scene->connection;

	text_add(text, "%s to %s",
		endpoint_text(&connection->end[connection->client]).chars,
		endpoint_text(&connection->end[!connection->client]).chars);
}

static void say_goodput(const struct net_scene *scene, struct text *text)
{
	double goodput = net_goodput(scene->connection, scene->sender);

	if (!(goodput > 0))
		return;
	text_add(text, "goodput ");
	amount_short(text, UNIT_BITS_PER_S, goodput);
}

/* Explains the letters that the plot contains. */
static void say_signs(const struct net_scene *scene, struct text *text)
{
	const struct connection *connection = scene->connection;
	const struct side *side = net_sending(scene);
	const struct side *peer =
		&connection->side[side_peer(connection, scene->sender)];
	const struct {
		uint64_t count;
		const char *words;
	} signs[] = { { side_resent_data(side), "x retransmitted" },
		{ side->reordered + side->unclear, "r reordered or late" },
		{ peer->duplicate_acks, "d duplicate ACK" } };

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (signs[i].count)
			text_add(text, "%s%s", text->length ? ", " : "",
				signs[i].words);
}

static void say_packets(const struct net_scene *scene, struct text *text)
{
	if (scene->packets)
		text_add(text, "%zu of %zu", scene->packet + 1, scene->packets);
}

static void say_rounds_kept(const struct net_scene *scene, struct text *text)
{
	const struct rounds *rounds = net_rounds(scene);

	if (rounds->left_out)
		text_add(text, "%s%u of %llu rounds kept",
			text->length ? ", " : "", rounds->count,
			(unsigned long long)rounds_all(rounds));
}

void net_say_thinned(const struct net_scene *scene, int place,
	struct text *text)
{
	const unsigned places = 1u << NET_SEQUENCE | 1u << NET_WINDOW |
		1u << NET_RTT | 1u << NET_RATE | 1u << NET_PACKETS;
	const struct connection *connection = scene->connection;
	const struct lab *lab = scene->screen->lab;

	if (place == NET_ROUNDS)
		say_rounds_kept(scene, text);
	if (!net_is_thinned(scene) || !(places & 1u << place))
		return;
	if (text->length)
		text_add(text, ", ");
	if (scene->source.kind == NET_FILE && read_again_is_due(lab))
		text_add(text, "reading its packets: %.0f %%",
			100 * read_again_share(&lab->capture_file));
	else
		text_add(text, "%zu of %llu packets kept%s", scene->packets,
			(unsigned long long)(connection->packets +
				connection->duplicates),
			scene->source.kind == NET_FILE &&
					read_again_failed(lab) ?
				", reading again failed" :
				"");
}

static void say_events(const struct net_scene *scene, struct text *text)
{
	const struct connection *connection = scene->connection;

	if (connection->event_count)
		text_add(text, "%zu of %u", scene->event + 1,
			connection->event_count);
	if (connection->events_left_out)
		text_add(text, ", %llu later events not kept",
			(unsigned long long)connection->events_left_out);
}

/* Writes the source of the window's line, or why there is none. */
static void say_control(const struct net_scene *scene, struct text *text)
{
	const struct tcpinfo_path *path = net_told(scene);
	size_t i = 0;

	if (net_sample(scene, &i))
		text_add(text, "window: TCP_INFO%s%s",
			path && *path->congestion ? ", " : "",
			path ? path->congestion : "");
	else if (scene->connection->tap != TAP_UNKNOWN &&
		!side_is_near(scene->connection, scene->sender))
		text_add(text, "not captured at the sender: more is in flight");
	else
		text_add(text, "the packets do not show cwnd");
}

static void say_round_trips(const struct net_scene *scene, struct text *text)
{
	const struct rtt *rtt = &net_sending(scene)->rtt;

	if (!rtt->samples)
		return;
	text_add(text, "least ");
	net_span(scene, rtt->least_ns, text);
	text_add(text, ", %llu samples", (unsigned long long)rtt->samples);
}

/* Writes the place in the list and its filter: "2 of 3, port=443", and of the
 * table what its least known column counts. */
static void say_list(const struct net_scene *scene, struct text *text)
{
	const struct annotator *annotator = scene->source.annotator;
	unsigned long long forgotten =
		annotator ? annotator_facts(annotator)->forgotten : 0;

	bool any = connection_filter_any(&scene->options->only);

	if (!scene->options->lanes && !forgotten && !any)
		text_add(text, "retx: client+server, ");
	text_add(text, "%zu of %zu", scene->row + 1, scene->row_count);
	if (forgotten)
		text_add(text, ", %llu earlier not kept", forgotten);
	if (any) {
		text_add(text, ", ");
		connection_filter_write(&scene->options->only, text);
	}
}

/* Then the numbers are not those of the file. */
static bool is_sorted(const struct net_scene *scene)
{
	const struct annotator *annotator = scene->source.annotator;

	return annotator && annotator_facts(annotator)->stamps_sorted;
}

void net_title(const struct net_scene *scene, int place,
	struct text *title, struct text *right)
{
	static const char *const titles[NET_PLACES] = {
		[NET_HANDSHAKE] = "handshake",
		[NET_ROUNDS] = "segments per round trip",
		[NET_SEQUENCE] = "sequence against time",
		[NET_WINDOW] = "congestion window and in flight",
		[NET_RTT] = "round trips against time",
		[NET_RATE] = "throughput against time",
		[NET_PACKETS] = "packets",
		[NET_EVENTS] = "events",
		[NET_PATH] = "path",
		[NET_CONNECTIONS] = "connections",
	};

	text_add(title, "%s", titles[place]);
	if ((place == NET_PACKETS || place == NET_EVENTS) && is_sorted(scene))
		text_add(title, ", numbered by time");
	else if (place == NET_ROUNDS)
		text_add(title, ", %s sends", net_side(scene, scene->sender));
	else if (place == NET_CONNECTIONS)
		text_add(title, "%s by %s%s",
			scene->options->lanes ? " on one time axis" : "",
			order_name(scene->options->order),
			scene->options->reversed ? ", reversed" : "");
	if (place == NET_HANDSHAKE)
		say_ends(scene, right);
	else if (place == NET_ROUNDS)
		say_goodput(scene, right);
	else if (place == NET_SEQUENCE && scene->packets)
		say_signs(scene, right);
	else if (place == NET_WINDOW)
		say_control(scene, right);
	else if (place == NET_RTT)
		say_round_trips(scene, right);
	else if (place == NET_RATE)
		say_goodput(scene, right);
	else if (place == NET_CONNECTIONS)
		say_list(scene, right);
	else if (place == NET_PACKETS)
		say_packets(scene, right);
	else if (place == NET_EVENTS)
		say_events(scene, right);
	net_say_thinned(scene, place, right);
}
