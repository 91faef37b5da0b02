/* Annotated connections as text: the capture, then the parts of each
 * connection. */
#include "annotation_internal.h"
#include "connection_list.h"
#include "duplicates.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "wrap.h"

enum { CONNECTIONS_SHOWN = 12 };

/* ---- parts ------------------------------------------------------------- */

void tell_span_in(const struct telling *telling, int64_t span_ns, int width,
	bool in_seconds)
{
	char chars[40];
	int digits = telling->resolution_ns >= 1000000 ? 0 :
		telling->resolution_ns >= 1000         ? 3 :
							 6;

	if (span_ns == UNKNOWN_NS)
		snprintf(chars, sizeof chars, "-");
	else if (in_seconds)
		snprintf(chars, sizeof chars, "%.*f s", digits + 3,
			(double)span_ns / 1e9);
	else
		snprintf(chars, sizeof chars, "%.*f ms", digits,
			(double)span_ns / 1e6);
	text_add(telling->text, "%*s", width, chars);
}

void tell_span(const struct telling *telling, int64_t span_ns, int width)
{
	tell_span_in(telling, span_ns, width, span_ns >= LONG_SPAN_NS);
}

void add_span(const struct telling *telling, int64_t span_ns,
	struct text *sentence)
{
	struct telling within = *telling;

	within.text = sentence;
	tell_span(&within, span_ns, 0);
}

void tell_time(const struct telling *telling, int64_t t_ns, int width)
{
	tell_span_in(telling,
		t_ns == UNKNOWN_NS ? UNKNOWN_NS :
				     t_ns - telling->connection->first_ns,
		width, telling->in_seconds);
}

void tell(const struct telling *telling, int indent, const char *format, ...)
{
	struct text sentence = { 0 };
	va_list args;

	va_start(args, format);
	text_vadd(&sentence, format, args);
	va_end(args);
	wrap(telling->text, sentence.chars, indent, telling->layout->width);
	text_free(&sentence);
}

struct telling tell_coarse(const struct telling *telling)
{
	struct telling coarse = *telling;

	if (coarse.resolution_ns < 1000)
		coarse.resolution_ns = 1000;
	return coarse;
}

const char *tell_side(const struct telling *telling, int side)
{
	return side == telling->connection->client ? "client" : "server";
}

/* ---- a connection ------------------------------------------------------ */

/* States that a connection was captured at several points of its path. */
static void tell_points(const struct telling *telling)
{
	static const char *const means[] = {
		[POINTS_INTERFACES] = "interface",
		[POINTS_HOPS] = "the hops left",
		[POINTS_ORDER] = "their order",
	};
	const struct connection *connection = telling->connection;
	const struct handshake *handshake = &connection->handshake;
	const struct try *syn = tries_last(&handshake->syn);
	struct text span = { 0 };

	if (connection->mixed) {
		tell(telling, 2,
			"packets stand twice, more than %d ms apart: captured "
			"at several points, or duplicated by the network. "
			"Round trips, rounds and what limits it are unknown. "
			"Of several points, annotate the file of each",
			DUPLICATES_POINTS_NS / 1000000);
	} else if (connection->points != POINTS_ONE && syn) {
		add_span(telling, handshake->twin_apart_ns, &span);
		tell(telling, 2,
			"captured at several points of the path, and listed "
			"for each: packet %llu is the same SYN, %s %s; packets "
			"are distinguished by %s",
			(unsigned long long)handshake->twin, span.chars,
			handshake->twin < syn->number ? "earlier" : "later",
			means[connection->points]);
		text_free(&span);
	}
}

static void tell_copies(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	struct text span = { 0 };

	if (!connection->duplicates)
		return;
	/* A network that duplicates packets does so with few of them. */
	if (connection->copies_apart_ns && !connection->mixed &&
		connection->duplicates * 2 >= connection->packets) {
		text_add(&span, ", up to ");
		add_span(telling, connection->copies_apart_ns, &span);
		text_add(&span,
			" apart: if that is at two points of the path, the "
			"times below are of either");
	}
	/* No network takes as short as a mirror port. */
	tell(telling, 2, "%llu packet%s captured twice%s and counted once%s",
		(unsigned long long)connection->duplicates,
		connection->duplicates == 1 ? "" : "s",
		connection->copies_apart_ns ? ", or duplicated by the network,"
					    : "",
		text_chars(&span));
	text_free(&span);
}

static void tell_stall(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	struct text span = { 0 };

	if (connection->stall_ns < STALL_LEAST_NS)
		return;
	add_span(telling, connection->stall_ns, &span);
	tell(telling, 2,
		connection->stall_answered ?
			"longest silence: %s until the server's data in packet "
			"%llu, the client's data acknowledged" :
			"longest stall: silent for %s until packet %llu, data "
			"unacknowledged",
		span.chars, (unsigned long long)connection->stall_number);
	text_free(&span);
}

static void tell_tap(const struct telling *telling)
{
	static const char *const places[] = {
		[TAP_UNKNOWN] = "capture point unknown",
		[TAP_CLIENT] = "captured at the client",
		[TAP_SERVER] = "captured at the server",
		[TAP_MIDDLE] = "captured in mid-path",
		[TAP_LOOPBACK] = "captured on loopback, both ends",
	};
	static const char *const bases[] = {
		[TAP_NOT_KNOWN] = "",
		[TAP_TOLD] = "",
		[TAP_LEGS] = ", inferred from the handshake",
		[TAP_ADDRESSES] = "",
		[TAP_HOST] = ", as other connections of that host",
	};
	static const char too_short[] = "capture point unknown: the handshake "
					"is too short to infer it";
	const struct connection *connection = telling->connection;

	if (!connection->tap && connection->tap_basis == TAP_LEGS)
		tell(telling, 2, "%s", too_short);
	else
		tell(telling, 2, "%s%s", places[connection->tap],
			bases[connection->tap_basis]);
	tell_points(telling);
	if (connection->self_connect)
		tell(telling, 2, "self-connect: the socket is connected to "
			"itself");
	if (connection->port_reused)
		tell(telling, 2,
			"port reused: an earlier connection had the same "
			"address pair");
	tell_copies(telling);
	tell_stall(telling);
}

static void add_vlan(const struct connection *connection, struct text *text)
{
	uint32_t vlan[2];

	connection_vlans(connection, vlan);
	if (vlan[0] != vlan[1])
		text_add(text, ", VLAN %s from the client, %s from the server",
			vlan[0] ? vlan_text(vlan[0]).chars : "none",
			vlan[1] ? vlan_text(vlan[1]).chars : "none");
	else if (vlan[0])
		text_add(text, ", VLAN %s", vlan_text(vlan[0]).chars);
}

static void tell_connection(const struct connection *connection,
	int64_t resolution_ns, const struct text_layout *layout,
	struct text *text)
{
	const struct telling telling = { connection, layout, resolution_ns,
		connection->last_ns - connection->first_ns >= LONG_SPAN_NS,
		text };
	int client = connection->client;
	struct text ends = { 0 };

	text_add(text, "\n%llu  ", (unsigned long long)connection->number);
	text_add(&ends, "%s -> %s",
		endpoint_text(&connection->end[client]).chars,
		endpoint_text(&connection->end[!client]).chars);
	add_vlan(connection, &ends);
	wrap_on(text, ends.chars, 3, layout->width);
	text_free(&ends);
	tell_tap(&telling);
	tell_handshake(&telling);
	tell_transfer(&telling);
	tell_losses(&telling);
	tell_events(&telling);
	tell_teardown(&telling);
}

/* ---- the capture ------------------------------------------------------- */

static void add_not_tcp(const struct capture_facts *facts, struct text *line)
{
	static const char *const words[PACKET_CLASSES][2] = {
		[PACKET_TOO_BIG] = { "ICMP \"too big\"", "ICMP \"too big\"" },
		[PACKET_FRAGMENT] = { "fragment without a TCP header",
			"fragments without a TCP header" },
		[PACKET_OTHER] = { "of another protocol", "of other protocols" },
		[PACKET_TRUNCATED] = { "cut off before its TCP header",
			"cut off before their TCP header" },
		[PACKET_INVALID] = { "invalid", "invalid" },
		[PACKET_UNKNOWN_LINK] = { "of a link type that is not read",
			"of link types that are not read" },
	};
	const char *unread = link_type_name(facts->link_unknown);

	for (int i = 0; i < PACKET_CLASSES; i++)
		if (words[i][0] && facts->of_class[i])
			text_add(line, "; %llu %s",
				(unsigned long long)facts->of_class[i],
				words[i][facts->of_class[i] > 1]);
	if (facts->of_class[PACKET_UNKNOWN_LINK])
		text_add(line, " (the last is %s, %u)",
			unread ? unread : "unknown", facts->link_unknown);
}

static void add_doubts(const struct capture_facts *facts, struct text *line)
{
	const struct {
		uint64_t count;
		const char *words;
	} doubts[] = {
		{ facts->cut, "not captured whole" },
		{ facts->tunnel_packets, "in tunnels" },
		{ facts->overlong,
			"with header lengths beyond their frames" },
		{ facts->options_truncated, "with TCP options cut off" },
		{ facts->options_invalid,
			"with invalid TCP options" },
		{ facts->copies, "identical to an earlier packet" },
		{ facts->repeats - facts->copies - facts->bare,
			"retransmitted or captured twice (same sender, IP "
			"identification if any, sequence number and length; "
			"ACKs without an identification are not counted)" },
		{ facts->stamps_sorted,
			"sorted by time, which the file has behind later ones "
			"(packet numbers are those after reordercap)" },
		{ facts->stamps_backwards, "with a timestamp before their "
			"predecessor's" },
		{ facts->stamps_invalid,
			"without a valid timestamp, replaced by the end of its "
			"second or by 0" },
		{ facts->left_out,
			"events, rounds or ranges not kept: too many" },
	};

	for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
		if (doubts[i].count)
			text_add(line, "; %llu %s",
				(unsigned long long)doubts[i].count,
				doubts[i].words);
}

static void add_link(const struct capture_facts *facts, struct text *line)
{
	const char *link = link_type_name(facts->link_type);

	text_add(line, ", %s", link ? link : "of unknown link type");
	if (facts->link_others)
		text_add(line, " (%llu of other link types)",
			(unsigned long long)facts->link_others);
	if (facts->vlan_packets)
		text_add(line, " with %u VLAN tag%s", facts->vlan_tags_most,
			facts->vlan_tags_most == 1 ? "" : "s");
	if (facts->pppoe_packets)
		text_add(line, "%s PPPoE",
			facts->vlan_packets ? " and" : " with");
}

static const char *resolution_words(const struct capture_facts *facts)
{
	return facts->resolution_ns == 1     ? "nanoseconds" :
		facts->resolution_ns == 1000 ? "microseconds" :
					       "whole milliseconds";
}

void annotation_capture(const struct annotator *annotator, const char *name,
	const struct text_layout *layout, struct text *text)
{
	const struct capture_facts *facts = annotator_facts(annotator);
	struct text line = { 0 }, safe = { 0 };

	text_add_safe(&safe, name, strlen(name));
	wrap(text, text_chars(&safe), 0, layout->width);
	text_free(&safe);
	text_add(&line, "%llu packet%s", (unsigned long long)facts->packets,
		facts->packets == 1 ? "" : "s");
	if (facts->packets) {
		add_link(facts, &line);
		text_add(&line, ", timestamps in %s", resolution_words(facts));
	}
	add_not_tcp(facts, &line);
	add_doubts(facts, &line);
	text_add(&line, "; %llu connection%s",
		(unsigned long long)facts->connections,
		facts->connections == 1 ? "" : "s");
	if (facts->damaged)
		text_add(&line, ", without the rest of a damaged file");
	if (facts->forgotten)
		text_add(&line,
			", %zu of them explained: those of host= and port=, "
			"then up to %d with retransmissions, then the latest",
			annotator_count(annotator), CONNECTIONS_RESENT_MAX);
	wrap(text, line.chars, 2, layout->width);
	text_free(&line);
}

void annotation_text(const struct annotator *annotator, const char *name,
	const struct connection_filter *only, const struct text_layout *layout,
	struct text *text)
{
	const struct capture_facts *facts = annotator_facts(annotator);
	size_t count = annotator_count(annotator), shown = 0, matching = 0;

	annotation_capture(annotator, name, layout, text);
	for (size_t i = 0; i < count; i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);

		if (!connection_matches(connection, only))
			continue;
		matching++;
		if (!layout->verbose && shown == CONNECTIONS_SHOWN)
			continue;
		tell_connection(connection, facts->resolution_ns, layout, text);
		shown++;
	}
	if (matching > shown)
		text_add(text,
			"\nand %zu more connection%s, see -v or --summary\n",
			matching - shown, matching - shown == 1 ? "" : "s");
}
