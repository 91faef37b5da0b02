/* Annotated connections as JSON: the capture, the handshake, the end. */
#include "connections_internal.h"

#include "connection_figures.h"
#include "connections_kernel.h"

void connections_add_ns(cJSON *to, const char *name, int64_t span_ns)
{
	if (span_ns == UNKNOWN_NS)
		json_add_null(to, name);
	else
		json_add_signed(to, name, span_ns);
}

void connections_add_time(cJSON *to, const char *name,
	const struct connection *connection, int64_t t_ns)
{
	connections_add_ns(to, name,
		t_ns == UNKNOWN_NS ? UNKNOWN_NS : t_ns - connection->first_ns);
}

void connections_add_known(cJSON *to, const char *name, uint64_t value)
{
	if (value)
		json_add_whole(to, name, value);
	else
		json_add_null(to, name);
}

const char *connections_side(const struct connection *connection, int side)
{
	return side == connection->client ? "client" : "server";
}

static void add_text_or_null(cJSON *to, const char *name, const char *chars)
{
	if (chars && *chars)
		json_add_text(to, name, chars);
	else
		json_add_null(to, name);
}

/* ---- the capture ------------------------------------------------------- */

static void add_classes(cJSON *to, const struct capture_facts *facts)
{
	static const char *const names[PACKET_CLASSES] = { "tcp",
		"icmp_too_big", "ip_fragments", "other", "truncated", "invalid",
		"unknown_link" };

	for (int i = 0; i < PACKET_CLASSES; i++)
		json_add_whole(to, names[i], facts->of_class[i]);
}

static void add_counts(cJSON *to, const struct capture_origin *origin)
{
	static const char *const names[] = { "ps_recv", "ps_drop",
		"ps_ifdrop" };
	const uint64_t values[] = { origin->received, origin->dropped,
		origin->interface_dropped };

	for (int i = 0; i < 3; i++)
		if (origin->counted)
			json_add_whole(to, names[i], values[i]);
		else
			json_add_null(to, names[i]);
}

/* The tap of all connections, if they have the same; else NULL. */
static const struct connection *common_tap(const struct annotator *annotator)
{
	const struct connection *first = NULL;

	for (size_t i = 0; i < annotator_count(annotator); i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);

		if (first && first->tap != connection->tap)
			return NULL;
		first = connection;
	}
	return first;
}

/* Of the first packet. */
static void add_link(cJSON *to, const struct capture_facts *facts)
{
	if (!facts->packets) {
		json_add_null(to, "linktype");
		json_add_null(to, "linktype_number");
		return;
	}
	add_text_or_null(to, "linktype", link_type_name(facts->link_type));
	json_add_whole(to, "linktype_number", facts->link_type);
}

/* Packets of other types than the first, and the last type that is not read. */
static void add_other_links(cJSON *to, const struct capture_facts *facts)
{
	bool any = facts->of_class[PACKET_UNKNOWN_LINK];

	json_add_whole(to, "linktype_others", facts->link_others);
	add_text_or_null(to, "unknown_link_type",
		any ? link_type_name(facts->link_unknown) : NULL);
	if (any)
		json_add_whole(to, "unknown_link_number", facts->link_unknown);
	else
		json_add_null(to, "unknown_link_number");
}

/* The member `capture`, without connections_left_out. */
cJSON *connections_capture_json(const struct annotator *annotator,
	const struct capture_origin *origin)
{
	const struct capture_facts *facts = annotator_facts(annotator);
	const struct connection *tapped = common_tap(annotator);

	json_use_memory();
	cJSON *to = cJSON_CreateObject();

	add_text_or_null(to, "file", origin->file);
	add_text_or_null(to, "interface", origin->interface);
	add_link(to, facts);
	add_other_links(to, facts);
	json_add_text(to, "tap", tapped ? tap_name(tapped->tap) : "unknown");
	json_add_text(to, "tap_basis",
		tapped ? tap_basis_name(tapped->tap_basis) : "none");
	connections_add_ns(to, "ts_resolution_ns",
		facts->packets ? facts->resolution_ns : UNKNOWN_NS);
	json_add_whole(to, "snaplen", origin->snap_bytes);
	json_add_whole(to, "packets", facts->packets);
	add_classes(to, facts);
	add_counts(to, origin);
	json_add_whole(to, "duplicates", facts->copies);
	json_add_whole(to, "repeats", facts->repeats);
	json_add_whole(to, "repeats_uncertain",
		facts->repeats - facts->copies - facts->bare);
	json_add_whole(to, "gaps", facts->gaps);
	json_add_whole(to, "cut", facts->cut);
	json_add_whole(to, "overlong", facts->overlong);
	json_add_whole(to, "options_truncated", facts->options_truncated);
	json_add_whole(to, "options_invalid", facts->options_invalid);
	json_add_whole(to, "vlan_packets", facts->vlan_packets);
	json_add_whole(to, "vlan_tags", facts->vlan_tags_most);
	json_add_whole(to, "pppoe_packets", facts->pppoe_packets);
	json_add_whole(to, "tunnel_packets", facts->tunnel_packets);
	json_add_whole(to, "ts_sorted", facts->stamps_sorted);
	json_add_whole(to, "ts_backwards", facts->stamps_backwards);
	json_add_whole(to, "ts_invalid", facts->stamps_invalid);
	json_add_whole(to, "connections", facts->connections);
	json_add_whole(to, "connections_forgotten", facts->forgotten);
	json_add_whole(to, "left_out", facts->left_out);
	json_add_bool(to, "damaged", facts->damaged);
	return to;
}

/* ---- handshake --------------------------------------------------------- */

static void add_tries(cJSON *to, const char *name,
	const struct connection *connection, const struct tries *tries)
{
	cJSON *list = json_add_array(to, name);

	for (uint32_t i = 0; i < tries->count && i < TRIES_MAX; i++) {
		cJSON *item = json_add_object(list, NULL);

		connections_add_time(item, "t_ns", connection,
			tries->at[i].t_ns);
		json_add_whole(item, "packet", tries->at[i].number);
		json_add_text(item, "dir",
			connections_side(connection, tries->at[i].side));
	}
}

static void add_leg(cJSON *to, const char *name, const struct leg *leg)
{
	cJSON *item = json_add_object(to, name);

	json_add_text(item, "state", leg_state_name(leg->state));
	connections_add_ns(item, "took_ns", leg->took_ns);
	connections_add_ns(item, "least_ns", leg->least_ns);
	connections_add_known(item, "from", leg->from);
	connections_add_known(item, "to", leg->to);
}

static void add_handshake(cJSON *to, const struct connection *connection)
{
	const struct handshake *handshake = &connection->handshake;
	cJSON *item = json_add_object(to, "handshake");

	json_add_bool(item, "complete", handshake->complete);
	json_add_bool(item, "simultaneous", handshake->simultaneous);
	add_tries(item, "syn", connection, &handshake->syn);
	add_tries(item, "syn_other", connection, &handshake->syn_other);
	connections_add_known(item, "syn_twin", handshake->twin);
	connections_add_ns(item, "syn_twin_apart_ns",
		handshake->twin ? handshake->twin_apart_ns : UNKNOWN_NS);
	add_tries(item, "synack", connection, &handshake->synack);
	connections_add_time(item, "ack_t_ns", connection, handshake->ack_ns);
	connections_add_known(item, "ack_packet", handshake->ack_number);
	json_add_text(item, "ack_dir",
		connections_side(connection, handshake->ack_side));
	json_add_bool(item, "ack_with_data", handshake->ack_with_data);
	add_leg(item, "syn_to_synack", &handshake->a);
	add_leg(item, "synack_to_ack", &handshake->b);
	connections_add_ns(item, "path_rtt_ns",
		handshake_path_ns(handshake));
}

/* ---- options ----------------------------------------------------------- */

static void add_option(cJSON *to, const char *name, const struct offer *offer,
	enum tcp_option option)
{
	bool has = offer->options.present & option;

	/* The option may be in the part that the capture cut off. */
	if (!has && (!offer->seen || offer->options.state != OPTIONS_WHOLE))
		json_add_null(to, name);
	else
		json_add_bool(to, name, has);
}

static void add_offer(cJSON *to, const char *name, const struct offer *offer)
{
	static const char *const states[] = { "whole", "truncated", "invalid" };
	cJSON *item = json_add_object(to, name);
	const struct tcp_options *options = &offer->options;

	json_add_text(item, "state",
		offer->seen ? states[options->state] : "unseen");
	if (options->present & OPTION_MSS)
		json_add_whole(item, "mss", options->mss_bytes);
	else
		json_add_null(item, "mss");
	if (options->present & OPTION_WSCALE)
		json_add_whole(item, "wscale", options->wscale);
	else
		json_add_null(item, "wscale");
	if (options->present & OPTION_WSCALE)
		json_add_whole(item, "wscale_used",
			options->wscale > 14 ? 14 : options->wscale);
	else
		json_add_null(item, "wscale_used");
	add_option(item, "sack_permitted", offer, OPTION_SACK_PERMITTED);
	add_option(item, "timestamps", offer, OPTION_TIMESTAMPS);
	add_option(item, "fast_open", offer, OPTION_FAST_OPEN);
	add_option(item, "mptcp", offer, OPTION_MPTCP);
	json_add_bool(item, "ecn", offer->ecn);
	json_add_bool(item, "accurate_ecn", offer->accurate_ecn);
	json_add_whole(item, "syn_payload_bytes", offer->payload_bytes);
}

static void add_options(cJSON *to, const struct connection *connection)
{
	int client = connection->client;
	cJSON *item = json_add_object(to, "options");

	add_offer(item, "client", &connection->side[client].offer);
	add_offer(item, "server", &connection->side[!client].offer);
	if (connection->scaling_known)
		json_add_bool(item, "window_scaling", connection->scaling);
	else
		json_add_null(item, "window_scaling");
	json_add_whole(item, "packets_truncated",
		connection->options_truncated);
}

/* ---- teardown ---------------------------------------------------------- */

static void add_close_leg(cJSON *to, const struct connection *connection,
	int side)
{
	const struct close_leg *leg = &connection->teardown.leg[side];
	cJSON *item = json_add_object(to, connections_side(connection, side));

	connections_add_time(item, "fin_t_ns", connection, leg->fin_ns);
	connections_add_known(item, "fin_packet", leg->fin_number);
	connections_add_time(item, "ack_t_ns", connection, leg->ack_ns);
	connections_add_known(item, "ack_packet", leg->ack_number);
	json_add_whole(item, "fins", leg->fins);
}

static void add_reset(cJSON *to, const struct connection *connection)
{
	const struct teardown *teardown = &connection->teardown;

	if (teardown->reset == RESET_NONE) {
		json_add_null(to, "reset");
		return;
	}
	cJSON *item = json_add_object(to, "reset");
	json_add_text(item, "kind", reset_name(teardown->reset));
	json_add_text(item, "by",
		connections_side(connection, teardown->reset_side));
	connections_add_time(item, "t_ns", connection, teardown->reset_ns);
	json_add_whole(item, "packet", teardown->reset_number);
	json_add_whole(item, "resets", teardown->resets);
	if (teardown->reset_unacked_known)
		json_add_whole(item, "unacknowledged_bytes",
			teardown->reset_unacked_bytes);
	else
		json_add_null(item, "unacknowledged_bytes");
	add_text_or_null(item, "text", teardown->reset_text);
}

static void add_teardown(cJSON *to, const struct connection *connection)
{
	const struct teardown *teardown = &connection->teardown;
	cJSON *item = json_add_object(to, "teardown");

	json_add_text(item, "kind", close_name(connection_close(connection)));
	add_text_or_null(item, "first",
		teardown->first < 0 ?
			NULL :
			connections_side(connection, teardown->first));
	add_close_leg(item, connection, connection->client);
	add_close_leg(item, connection, !connection->client);
	json_add_whole(item, "half_close_bytes", teardown->half_close_bytes);
	add_reset(item, connection);
}

/* The figures of a row of a list. */
static void add_transfer(cJSON *to, const struct connection *connection,
	const struct transfer_time *time)
{
	json_add_whole(to, "payload_bytes", connection_bytes(connection));
	connections_add_ns(to, "rtt_ns", connection_rtt(connection));
	add_text_or_null(to, "limit", limit_name(time->limit));
}

/* ---- documents -------------------------------------------------------- */

cJSON *connection_json(const struct connection *connection)
{
	const struct endpoint *end = connection->end;
	int client = connection->client;
	cJSON *to = cJSON_CreateObject();
	struct transfer_time time;

	connection_time(connection, &time);
	json_add_whole(to, "number", connection->number);
	json_add_text(to, "client", endpoint_text(&end[client]).chars);
	json_add_text(to, "server", endpoint_text(&end[!client]).chars);
	json_add_text(to, "role", role_basis_name(connection->role));
	json_add_text(to, "tap", tap_name(connection->tap));
	json_add_text(to, "tap_basis", tap_basis_name(connection->tap_basis));
	json_add_text(to, "points", points_name(connection->points));
	json_add_bool(to, "points_mixed", connection->mixed);
	json_add_bool(to, "self_connect", connection->self_connect);
	json_add_bool(to, "port_reused", connection->port_reused);
	json_add_bool(to, "continued", connection->continued);
	json_add_signed(to, "start_ns", connection->first_ns);
	json_add_signed(to, "took_ns",
		connection->last_ns - connection->first_ns);
	json_add_whole(to, "packets", connection->packets);
	json_add_whole(to, "duplicates", connection->duplicates);
	connections_add_ns(to, "copies_apart_ns",
		connection->copies_apart_ns ? connection->copies_apart_ns :
					      UNKNOWN_NS);
	connections_add_ns(to, "stall_ns",
		connection->stall_ns ? connection->stall_ns : UNKNOWN_NS);
	add_transfer(to, connection, &time);
	json_add_whole(to, "completeness", connection->seen);
	add_handshake(to, connection);
	add_options(to, connection);
	connections_add_start(to, connection, &time);
	connections_add_sides(to, connection);
	add_teardown(to, connection);
	connections_add_events(to, connection);
	json_add_null(to, "tcp_info_check");
	return to;
}

/* Adds the kernel's reports about the first `count` connections. */
static void write_kernel(const struct annotator *annotator,
	const struct capture_origin *origin, size_t count, struct text *text)
{
	bool any = false;

	text_add(text, "\n],\n\"kernel\":[");
	for (size_t i = 0; origin->tcpinfo && i < count; i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);
		cJSON *tree = connection_matches(connection, &origin->only) ?
			connection_kernel_json(origin->tcpinfo, connection) :
			NULL;

		if (!tree)
			continue;
		text_add(text, any ? ",\n" : "\n");
		json_print_line(tree, text);
		any = true;
	}
	text_add(text, "]}\n");
}

static void write_head(const struct annotator *annotator,
	const struct capture_origin *origin, size_t left_out, struct text *text)
{
	cJSON *capture = connections_capture_json(annotator, origin);

	json_add_whole(capture, "connections_left_out", left_out);
	text_add(text, "{\"schema\":\"benchtop.tcp/1\",\n\"capture\":");
	json_print_line(capture, text);
	text_add(text, ",\n\"connections\":[");
}

/* One connection at a time, because thousands of trees would need hundreds of
 * MB. Returns the number of connections that began within `most` bytes. */
static size_t write_list(const struct annotator *annotator,
	const struct connection_filter *only, size_t most, struct text *text)
{
	size_t i = 0, began = text->length;

	for (; i < annotator_count(annotator) && text->length - began < most;
		i++) {
		const struct connection *connection =
			annotator_connection(annotator, i);

		if (!connection_matches(connection, only))
			continue;
		text_add(text, text->length > began ? ",\n" : "\n");
		json_print_line(connection_json(connection), text);
	}
	return i;
}

size_t connections_write_within(const struct annotator *annotator,
	const struct capture_origin *origin, size_t bytes, struct text *text)
{
	json_use_memory();
	struct text list = { 0 };
	size_t count = write_list(annotator, &origin->only, bytes, &list);
	size_t left_out = annotator_count(annotator) - count;

	write_head(annotator, origin, left_out, text);
	text_add_chars(text, text_chars(&list), list.length);
	text_free(&list);
	write_kernel(annotator, origin, count, text);
	return left_out;
}

/* Without a limit, the list needs no memory of its own. */
void connections_write(const struct annotator *annotator,
	const struct capture_origin *origin, struct text *text)
{
	size_t count = annotator_count(annotator);

	json_use_memory();
	write_head(annotator, origin, 0, text);
	write_list(annotator, &origin->only, SIZE_MAX, text);
	write_kernel(annotator, origin, count, text);
}
