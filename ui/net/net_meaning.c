/* Explains in sentences how a connection opened and ended. */
#include "view_net.h"

static void say_not_opened(const struct connection *connection,
	struct text *text)
{
	if (connection->continued)
		text_add(text,
			"Forgotten, with the packets before: only %u "
			"connections are explained at a time. This is how it "
			"continued.",
			CONNECTIONS_MAX);
	else if (connection->role == ROLE_GUESSED)
		text_add(text,
			"The capture begins mid-connection: no handshake, and "
			"the client is guessed from the ports.");
	else if (connection->teardown.reset == RESET_REFUSED &&
		connection->teardown.reset_side == connection->client)
		text_add(text,
			"The client reset the connection before any answer.");
	else if (connection->teardown.reset == RESET_REFUSED)
		text_add(text, "Refused: no process listens on this port, or a "
			"firewall rejects it.");
	else
		text_add(text,
			"The handshake is not complete in this "
			"capture.");
}

/* Names the time that a retransmitted SYN or SYN/ACK cost, if any. */
static bool say_waited(const struct net_scene *scene,
	const struct handshake *handshake, struct text *text)
{
	struct handshake_wait wait = handshake_wait(handshake);

	if (wait.ns <= 0)
		return false;
	text_add(text, "Connecting %slost ", wait.certain ? "" : "probably ");
	net_span(scene, wait.ns, text);
	text_add(text, ": the %s was retransmitted.",
		wait.syn ? "SYN" : "SYN ACK");
	return true;
}

static void say_opening(const struct net_scene *scene, struct text *text)
{
	const struct connection *connection = scene->connection;
	const struct handshake *handshake = &connection->handshake;
	struct text path = { 0 };

	if (say_waited(scene, handshake, text))
		return;
	int64_t path_ns = handshake_path_ns(handshake);
	net_span(scene, path_ns, &path);
	if (handshake->simultaneous)
		text_add(text,
			"Simultaneous open: each end sent a SYN before it "
			"received one.");
	else if (connection->mixed)
		text_add(text,
			"Captured at several points that cannot be "
			"distinguished: its times are unknown.");
	else if (path_ns == UNKNOWN_NS &&
		handshake->a.state == LEG_KNOWN &&
		handshake->b.state == LEG_KNOWN)
		text_add(text,
			"The round trip of the path is unknown: the handshake "
			"took longer.");
	else if (path_ns == UNKNOWN_NS)
		text_add(text,
			"This handshake does not show the round trip.");
	else if (handshake->twin && connection->points == POINTS_ONE)
		text_add(text,
			"Packet %llu is the same SYN in another VLAN: either "
			"may have been answered.",
			(unsigned long long)handshake->twin);
	else if (connection->tap == TAP_SERVER) {
		text_clear(&path);
		net_span(scene, handshake->b.took_ns, &path);
		text_add(text,
			"Captured at the server: the round trip, %s, is from "
			"SYN ACK to ACK.",
			path.chars);
	} else if (connection->tap == TAP_MIDDLE)
		text_add(text,
			"Captured in mid-path: both legs together are the "
			"round trip, %s.",
			path.chars);
	else
		text_add(text,
			"Connecting took one round trip, %s, before the first "
			"data.",
			path.chars);
	if (connection->points != POINTS_ONE)
		text_add(text,
			" Packet %llu is the same SYN, captured at another "
			"point, which is listed too.",
			(unsigned long long)handshake->twin);
	text_free(&path);
}

int net_text_rows(const char *chars, int columns)
{
	size_t length;
	int rows = 0;

	while (text_line(&chars, columns, &length))
		rows++;
	return rows;
}

void net_say_meaning(const struct net_scene *scene, int columns, int rows,
	struct text *text)
{
	static const char *const ends[CLOSES] = {
		[CLOSE_ORDERLY] = "Both sides closed.",
		[CLOSE_SIMULTANEOUS] = "Both sides closed at once: the FINs "
			"crossed.",
		[CLOSE_HALF] = "Only one side closed.",
		[CLOSE_RESET] = "Ended by a reset.",
		[CLOSE_UNANSWERED] = "The last packets were not answered.",
		[CLOSE_TIMEOUT] = "Timed out: the last packets were not "
			"answered.",
	};
	const struct connection *connection = scene->connection;
	const char *more[] = { connection->self_connect ?
			"The socket is connected to itself." :
			NULL,
		ends[connection_close(connection)] };

	if (connection->handshake.complete)
		say_opening(scene, text);
	else
		say_not_opened(connection, text);
	int needed = net_text_rows(text_chars(text), columns);
	if (rows < needed)
		rows = needed;
	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		struct text longer = { 0 };

		if (!more[i])
			continue;
		text_add(&longer, "%s %s", text_chars(text), more[i]);
		if (net_text_rows(longer.chars, columns) <= rows)
			text_add(text, " %s", more[i]);
		text_free(&longer);
	}
}
