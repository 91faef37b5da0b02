/* Reads annotated connections from JSON. */
#include "connections_read.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "connection_filter.h"
#include "connections_kernel.h"
#include "json_internal.h"
#include "memory.h"

/* ---- values, with defaults for missing ones --------------------------- */

static const cJSON *get(const cJSON *from, const char *name)
{
	return cJSON_IsObject(from) ? json_find(from, name) : NULL;
}

static uint64_t whole(const cJSON *from, const char *name)
{
	uint64_t value = 0;
	const cJSON *item = get(from, name);

	return item && json_is_whole(item, &value) ? value : 0;
}

static uint32_t small(const cJSON *from, const char *name)
{
	uint64_t value = whole(from, name);

	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static int64_t number_of(const cJSON *item, int64_t missing)
{
	enum { BASE = 10 };
	double value = cJSON_IsNumber(item) ? item->valuedouble : 0;

	if (cJSON_IsString(item))
		return strtoll(item->valuestring, NULL, BASE);
	if (!cJSON_IsNumber(item) || !(value > -JSON_WHOLE_MAX) ||
		!(value < JSON_WHOLE_MAX))
		return missing;
	return (int64_t)value;
}

/* The file is not trusted: times are limited to the year 2116 and spans to 73
 * years, so that sums and differences do not overflow. */
enum { TIME_SHARE = 2, SPAN_SHARE = 4 };

static int64_t span(const cJSON *from, const char *name)
{
	int64_t span_ns = number_of(get(from, name), UNKNOWN_NS);

	return span_ns < -(INT64_MAX / SPAN_SHARE) ||
			span_ns > INT64_MAX / SPAN_SHARE ?
		UNKNOWN_NS :
		span_ns;
}

static int64_t stamp(const cJSON *from, const char *name)
{
	int64_t t_ns = number_of(get(from, name), 0);

	return t_ns < 0 || t_ns > INT64_MAX / TIME_SHARE ? 0 : t_ns;
}

/* A time, which in the file is relative to the first packet. */
static int64_t time_of(const cJSON *from, const char *name,
	const struct connection *connection)
{
	int64_t t_ns = span(from, name);

	return t_ns == UNKNOWN_NS ? UNKNOWN_NS : connection->first_ns + t_ns;
}

static bool is_true(const cJSON *from, const char *name)
{
	return cJSON_IsTrue(get(from, name));
}

static const char *word(const cJSON *from, const char *name)
{
	const cJSON *item = get(from, name);

	return cJSON_IsString(item) ? item->valuestring : "";
}

/* The enumerator with this name; the first one if the name is unknown. */
#define NAMED(from, member, function, type, count) \
	({ \
		const char *said = word((from), (member)); \
		int found = 0; \
		for (int at = 0; at < (int)(count); at++) \
			if (!strcmp(function((type)at), said)) \
				found = at; \
		(type) found; \
	})

static int side_of(const cJSON *from, const char *name)
{
	return strcmp(word(from, name), "server") == 0;
}

/* ---- handshake and end ---------------------------------------------- */

/* Older files do not state the sender, which is then `side`. */
static void read_tries(const cJSON *from, const char *name, int side,
	const struct connection *connection, struct tries *tries)
{
	const cJSON *item, *list = get(from, name);

	cJSON_ArrayForEach(item, list)
	{
		if (tries->count == TRIES_MAX)
			return;
		tries->at[tries->count++] = (struct try){
			.t_ns = time_of(item, "t_ns", connection),
			.number = whole(item, "packet"),
			.side = (uint8_t)(get(item, "dir") ?
				side_of(item, "dir") : side),
		};
	}
}

static void read_leg(const cJSON *item, struct leg *leg)
{
	*leg = (struct leg){
		.state = NAMED(item, "state", leg_state_name, enum leg_state,
			LEG_STATES),
		.took_ns = span(item, "took_ns"),
		.least_ns = span(item, "least_ns"),
		.from = whole(item, "from"),
		.to = whole(item, "to"),
	};
	if (!item)
		leg->state = LEG_UNSEEN;
}

static void read_handshake(const cJSON *item, struct connection *connection)
{
	struct handshake *handshake = &connection->handshake;
	int server = side_peer(connection, 0);

	handshake->complete = is_true(item, "complete");
	handshake->simultaneous = is_true(item, "simultaneous");
	read_tries(item, "syn", 0, connection, &handshake->syn);
	read_tries(item, "syn_other", server, connection, &handshake->syn_other);
	handshake->twin = whole(item, "syn_twin");
	handshake->twin_apart_ns = span(item, "syn_twin_apart_ns");
	read_tries(item, "synack", server, connection, &handshake->synack);
	handshake->ack_ns = time_of(item, "ack_t_ns", connection);
	handshake->ack_number = whole(item, "ack_packet");
	if (get(item, "ack_dir"))
		handshake->ack_side = side_of(item, "ack_dir");
	handshake->ack_with_data = is_true(item, "ack_with_data");
	read_leg(get(item, "syn_to_synack"), &handshake->a);
	read_leg(get(item, "synack_to_ack"), &handshake->b);
	handshake->path_ns = span(item, "path_rtt_ns");
}

static void read_offer(const cJSON *item, struct side *side)
{
	static const struct {
		const char *name;
		enum tcp_option option;
	} flags[] = { { "sack_permitted", OPTION_SACK_PERMITTED },
		{ "timestamps", OPTION_TIMESTAMPS },
		{ "fast_open", OPTION_FAST_OPEN }, { "mptcp", OPTION_MPTCP } };
	struct offer *offer = &side->offer;
	struct tcp_options *options = &offer->options;
	const char *state = word(item, "state");

	offer->seen = *state && strcmp(state, "unseen") != 0;
	side->isn_known = offer->seen;
	options->state = !strcmp(state, "truncated") ? OPTIONS_TRUNCATED :
		!strcmp(state, "invalid")            ? OPTIONS_INVALID :
						       OPTIONS_WHOLE;
	if (cJSON_IsNumber(get(item, "mss"))) {
		options->present |= OPTION_MSS;
		options->mss_bytes = (uint16_t)whole(item, "mss");
	}
	if (cJSON_IsNumber(get(item, "wscale"))) {
		options->present |= OPTION_WSCALE;
		options->wscale = (uint8_t)whole(item, "wscale");
	}
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (is_true(item, flags[i].name))
			options->present |= flags[i].option;
	offer->ecn = is_true(item, "ecn");
	offer->accurate_ecn = is_true(item, "accurate_ecn");
	offer->payload_bytes = whole(item, "syn_payload_bytes");
}

static void read_options(const cJSON *item, struct connection *connection)
{
	read_offer(get(item, "client"), &connection->side[0]);
	read_offer(get(item, "server"), &connection->side[1]);
	connection->scaling_known = cJSON_IsBool(get(item, "window_scaling"));
	connection->scaling = is_true(item, "window_scaling");
	connection->options_truncated = whole(item, "packets_truncated");
}

static void read_close(const cJSON *item, const struct connection *connection,
	struct close_leg *leg)
{
	*leg = (struct close_leg){
		.fin_ns = time_of(item, "fin_t_ns", connection),
		.fin_number = whole(item, "fin_packet"),
		.ack_ns = time_of(item, "ack_t_ns", connection),
		.ack_number = whole(item, "ack_packet"),
		.fins = small(item, "fins"),
	};
}

static void read_teardown(const cJSON *item, struct connection *connection)
{
	struct teardown *teardown = &connection->teardown;
	const cJSON *reset = get(item, "reset");
	const char *kind = word(item, "kind");

	teardown->first = cJSON_IsString(get(item, "first")) ?
		side_of(item, "first") :
		-1;
	read_close(get(item, "client"), connection, &teardown->leg[0]);
	read_close(get(item, "server"), connection, &teardown->leg[1]);
	teardown->half_close_bytes = whole(item, "half_close_bytes");
	teardown->crossed = !strcmp(kind, close_name(CLOSE_SIMULTANEOUS));
	teardown_restore(connection, kind);
	teardown->reset_ns = UNKNOWN_NS;
	if (!cJSON_IsObject(reset))
		return;
	teardown->reset =
		NAMED(reset, "kind", reset_name, enum reset_kind, RESETS);
	teardown->reset_side = side_of(reset, "by");
	teardown->reset_ns = time_of(reset, "t_ns", connection);
	teardown->reset_number = whole(reset, "packet");
	teardown->resets = small(reset, "resets");
	teardown->reset_unacked_known =
		cJSON_IsNumber(get(reset, "unacknowledged_bytes"));
	teardown->reset_unacked_bytes = whole(reset, "unacknowledged_bytes");
}

/* ---- data ----------------------------------------------------------- */

static void read_round(const cJSON *item, const struct connection *connection,
	struct round *round)
{
	int64_t took_ns = span(item, "took_ns");

	*round = (struct round){
		.start_ns = time_of(item, "t_ns", connection),
		.number = whole(item, "packet"),
		.first = (uint64_t)number_of(get(item, "offset"), 0),
		.bytes = whole(item, "bytes"),
		.segments = whole(item, "segments"),
		.frames = whole(item, "frames"),
		.in_flight_bytes = whole(item, "in_flight_bytes"),
		.window_bytes = whole(item, "window_bytes"),
		.window_known = cJSON_IsNumber(get(item, "window_bytes")),
		.rtt_ns = span(item, "rtt_ns"),
		.rtt_samples = small(item, "rtt_samples"),
		.retransmissions = small(item, "retransmissions"),
		.full_ns = span(item, "window_full_ns"),
		.window_full = is_true(item, "window_full"),
		.idle_ns = span(item, "idle_ns"),
		.app_limited = is_true(item, "app_limited"),
		.silent = is_true(item, "silent"),
	};
	/* Older files do not state parts of rounds. */
	if (round->full_ns == UNKNOWN_NS)
		round->full_ns = round->window_full ? INT64_MAX : 0;
	if (round->idle_ns == UNKNOWN_NS)
		round->idle_ns = INT64_MAX;
	if (round->start_ns == UNKNOWN_NS)
		round->start_ns = connection->first_ns;
	round->last_ns = round->start_ns + (took_ns > 0 ? took_ns : 0);
}

/* The difference between the first round and the initial window was lost at the
 * round's end. */
static void read_initial(const cJSON *iw, struct rounds *rounds)
{
	enum initial_window_state state =
		NAMED(iw, "state", initial_window_name,
			enum initial_window_state, INITIAL_WINDOW_STATES);
	uint64_t segments = whole(iw, "segments"), bytes = whole(iw, "bytes");
	struct round *first = rounds->at;

	rounds->blurred = state == WINDOW_RECORDED_LATE;
	if (!rounds->count || !segments || segments > first->segments ||
		bytes > first->bytes)
		return;
	first->window_over = state != WINDOW_CUT_BY_PEER;
	rounds->edge_bytes = first->bytes - bytes;
	if (state == WINDOW_CUT_BY_PEER)
		rounds->edge_known = first->first + bytes;
	if (state == WINDOW_CUT_BY_LOSS)
		rounds->edge_unknown_bytes = rounds->edge_bytes + 1;
}

static void read_rounds(const cJSON *from, const struct connection *connection,
	struct rounds *rounds)
{
	const cJSON *item, *list = get(from, "rounds");
	const cJSON *end = get(from, "exit");

	rounds->basis = NAMED(from, "rounds_basis", rounds_basis_name,
		enum rounds_basis, ROUNDS_TOO_SHORT + 1);
	rounds->left_out = whole(from, "rounds_left_out");
	cJSON_ArrayForEach(item, list)
	{
		if (rounds->count == ROUNDS_MAX)
			break;
		ARRAY_GROW(rounds->at, rounds->count);
		read_round(item, connection, &rounds->at[rounds->count++]);
	}
	read_initial(get(from, "iw"), rounds);
	rounds->exit = (struct slow_start_exit){
		.reason = NAMED(end, "reason", exit_name, enum exit_reason,
			EXIT_REASONS),
		/* See side_exit(). */
		.certain = !strcmp(word(end, "confidence"), "certain") ||
			is_true(end, "flight_kept") ||
			is_true(end, "hystart_possible") ||
			is_true(end, "loss_unproven") ||
			is_true(end, "capture_incomplete"),
		.hystart = is_true(end, "hystart_possible"),
		.unproven = is_true(end, "loss_unproven"),
		.incomplete = is_true(end, "capture_incomplete"),
		.discarded = is_true(end, "discarded"),
		.round = small(end, "round"),
		.t_ns = time_of(end, "t_ns", connection),
		.in_flight_bytes = whole(end, "in_flight_bytes"),
	};
	uint64_t packet = 0;
	const cJSON *evidence = cJSON_GetArrayItem(get(end, "evidence"), 0);
	if (evidence && json_is_whole(evidence, &packet))
		rounds->exit.evidence = packet;
}

static void read_side(const cJSON *item, const struct connection *connection,
	struct side *side)
{
	const cJSON *kinds = get(item, "retransmission_kinds");
	const cJSON *rtt = get(item, "rtt");
	int64_t zero_ns = span(item, "zero_window_ns");

	side->packets = whole(item, "packets");
	side->frames = whole(item, "frames");
	side->segments = whole(item, "segments");
	side->super_frames = whole(item, "super_frames");
	side->largest_bytes = whole(item, "largest_bytes");
	side->payload_bytes = whole(item, "payload_bytes");
	side->next = whole(item, "stream_bytes");
	side->started = side->next > 0;
	side->mss_bytes = small(item, "mss_bytes");
	side->mtu_bytes = small(item, "mtu_bytes");
	side->retransmitted_segments = whole(item, "retransmissions");
	for (int i = 0; i < RETRANSMISSIONS; i++)
		side->retransmissions[i] = whole(kinds,
			retransmission_name((enum retransmission)i));
	side->reordered = whole(item, "reordered");
	side->recorded_late = whole(item, "recorded_late");
	side->unclear = whole(item, "reordered_or_sent_again");
	side->gaps = whole(item, "gaps");
	side->ece_acks = whole(item, "ece_acks");
	side->beyond_window = whole(item, "beyond_window_packets");
	side->zero_windows = whole(item, "zero_windows");
	side->zero_window_ns = zero_ns > 0 ? zero_ns : 0;
	side->zero_since_ns = side->full_since_ns = UNKNOWN_NS;
	side->in_flight_most_bytes = whole(item, "in_flight_most_bytes");
	side->first_data_ns = time_of(item, "first_data_t_ns", connection);
	side->last_data_ns = time_of(item, "last_data_t_ns", connection);
	side->rtt.samples = whole(rtt, "samples");
	side->rtt.least_ns = span(rtt, "least_ns");
	side->rtt.smoothed_ns = span(rtt, "smoothed_ns");
	side->rtt.variation_ns = UNKNOWN_NS;
}

static uint8_t why_of(const cJSON *item, enum event_kind kind)
{
	if (kind == EVENT_RETRANSMISSION)
		return (uint8_t)NAMED(item, "detail", retransmission_name,
			enum retransmission, RETRANSMISSIONS);
	if (kind == EVENT_RESET)
		return (uint8_t)NAMED(item, "detail", reset_name,
			enum reset_kind, RESETS);
	if (kind == EVENT_EXIT)
		return (uint8_t)NAMED(item, "detail", exit_name,
			enum exit_reason, EXIT_REASONS);
	return 0;
}

static void read_events(const cJSON *from, struct connection *connection)
{
	const cJSON *item, *list = get(from, "events");

	cJSON_ArrayForEach(item, list)
	{
		enum event_kind kind = NAMED(item, "kind", event_name,
			enum event_kind, EVENT_KINDS);

		if (connection->event_count == EVENTS_MAX)
			break;
		ARRAY_GROW(connection->events, connection->event_count);
		connection->events[connection->event_count++] =
			(struct tcp_event){
				.t_ns = time_of(item, "t_ns", connection),
				.number = whole(item, "pkt"),
				.kind = (uint8_t)kind,
				.side = (uint8_t)side_of(item, "dir"),
				.why = why_of(item, kind),
				.from = (uint64_t)number_of(get(item, "from"),
					0),
				.to = (uint64_t)number_of(get(item, "to"), 0),
			};
	}
	connection->events_left_out = whole(from, "events_left_out");
}

/* ---- connections ------------------------------------------------------ */

static void read_connection(const cJSON *item, struct connection *connection)
{
	const cJSON *sides = get(item, "sides");
	int64_t took_ns = span(item, "took_ns");

	connection->number = whole(item, "number");
	endpoint_read(word(item, "client"), &connection->end[0]);
	endpoint_read(word(item, "server"), &connection->end[1]);
	connection->role = NAMED(item, "role", role_basis_name, enum role_basis,
		ROLE_GUESSED + 1);
	connection->tap =
		NAMED(item, "tap", tap_name, enum tap, TAP_LOOPBACK + 1);
	connection->tap_basis = NAMED(item, "tap_basis", tap_basis_name,
		enum tap_basis, TAP_HOST + 1);
	connection->points = NAMED(item, "points", points_name,
		enum tap_points, POINTS_KINDS);
	connection->mixed = is_true(item, "points_mixed");
	connection->self_connect = is_true(item, "self_connect");
	connection->port_reused = is_true(item, "port_reused");
	connection->continued = is_true(item, "continued");
	connection->first_ns = stamp(item, "start_ns");
	connection->last_ns =
		connection->first_ns + (took_ns > 0 ? took_ns : 0);
	connection->packets = whole(item, "packets");
	connection->duplicates = whole(item, "duplicates");
	connection->copies_apart_ns = (int64_t)whole(item, "copies_apart_ns");
	connection->stall_ns = (int64_t)whole(item, "stall_ns");
	connection->seen = small(item, "completeness");
	read_handshake(get(item, "handshake"), connection);
	read_options(get(item, "options"), connection);
	read_side(get(sides, "client"), connection, &connection->side[0]);
	read_side(get(sides, "server"), connection, &connection->side[1]);
	read_rounds(item, connection,
		&connection->side[side_of(item, "sender")].rounds);
	read_teardown(get(item, "teardown"), connection);
	read_events(item, connection);
}

void stored_connections_read(const char *json,
	struct stored_connections *stored)
{
	struct error error;
	cJSON *tree = json_parse(json, strlen(json), "connections", &error);
	const cJSON *item, *list = get(tree, "connections");

	*stored = (struct stored_connections){
		.resolution_ns = span(get(tree, "capture"), "ts_resolution_ns"),
	};
	tcpinfo_init(&stored->tcpinfo);
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsObject(item) || stored->count == CONNECTIONS_MAX)
			continue;
		ARRAY_GROW(stored->list, stored->count);
		struct connection *connection = &stored->list[stored->count++];
		memset(connection, 0, sizeof *connection);
		read_connection(item, connection);
	}
	connections_read_kernel(get(tree, "kernel"), stored->list,
		stored->count, &stored->tcpinfo);
	cJSON_Delete(tree);
}

void stored_connections_free(struct stored_connections *stored)
{
	for (size_t i = 0; i < stored->count; i++) {
		free(stored->list[i].events);
		free(stored->list[i].side[0].rounds.at);
		free(stored->list[i].side[1].rounds.at);
	}
	free(stored->list);
	tcpinfo_release(&stored->tcpinfo);
	*stored = (struct stored_connections){ .count = 0 };
}
