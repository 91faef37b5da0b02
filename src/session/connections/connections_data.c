/* Annotated connections as JSON: data of each side, slow start, events. */
#include "connections_internal.h"

#include <math.h>

/* ---- the start of the transfer ----------------------------------------- */

static void add_round(cJSON *list, const struct connection *connection,
	const struct side *side, uint32_t i)
{
	const struct round *round = &side->rounds.at[i];
	cJSON *item = json_add_object(list, NULL);

	connections_add_time(item, "t_ns", connection, round->start_ns);
	json_add_signed(item, "took_ns", round->last_ns - round->start_ns);
	json_add_whole(item, "packet", round->number);
	json_add_signed(item, "offset", side_offset(side, round->first));
	json_add_whole(item, "bytes", round->bytes);
	json_add_whole(item, "segments", round->segments);
	json_add_whole(item, "frames", round->frames);
	if (side_growth(side, i) > 0)
		json_add_number(item, "growth", side_growth(side, i));
	else
		json_add_null(item, "growth");
	connections_add_known(item, "in_flight_bytes", round->in_flight_bytes);
	if (round->window_known)
		json_add_whole(item, "window_bytes", round->window_bytes);
	else
		json_add_null(item, "window_bytes");
	connections_add_ns(item, "rtt_ns", round->rtt_ns);
	json_add_whole(item, "rtt_samples", round->rtt_samples);
	json_add_whole(item, "retransmissions", round->retransmissions);
	json_add_bool(item, "window_full", round->window_full);
	json_add_signed(item, "window_full_ns",
		side_full_ns(side, i, connection->last_ns));
	json_add_bool(item, "app_limited", round->app_limited);
	json_add_signed(item, "idle_ns", round->idle_ns);
	json_add_bool(item, "silent", round->silent);
}

static void add_rounds(cJSON *to, const struct connection *connection,
	const struct side *side)
{
	const struct rounds *rounds = &side->rounds;
	int of = (int)(side - connection->side);
	bool answered = side_is_answered(connection, of);
	enum rounds_basis basis =
		answered ? side_rounds_basis(connection, of) : ROUNDS_NONE;

	json_add_text(to, "rounds_basis", rounds_basis_name(basis));
	cJSON *list = json_add_array(to, "rounds");
	/* Rounds that cannot be separated have no figures. */
	if (answered && basis != ROUNDS_TOO_SHORT)
		for (uint32_t i = 0; i < rounds->count; i++)
			add_round(list, connection, side, i);
	json_add_whole(to, "rounds_left_out", rounds->left_out);
}

static void add_initial_window(cJSON *to, const struct connection *connection,
	int sender)
{
	struct initial_window window = side_initial_window(connection, sender);
	cJSON *item = json_add_object(to, "iw");

	json_add_text(item, "state", initial_window_name(window.state));
	if (!window.segments) {
		json_add_null(item, "segments");
		json_add_null(item, "bytes");
		return;
	}
	json_add_whole(item, "segments", window.segments);
	json_add_whole(item, "bytes", window.bytes);
}

static void add_exit(cJSON *to, const struct connection *connection,
	const struct side *side)
{
	const struct slow_start_exit exit = side_exit(side), *end = &exit;
	cJSON *item = json_add_object(to, "exit");
	bool known = end->reason != EXIT_NONE &&
		side->rounds.basis != ROUNDS_TOO_SHORT;

	if (known) {
		json_add_text(item, "reason", exit_name(end->reason));
		json_add_text(item, "confidence",
			end->certain ? "certain" : "inferred");
		json_add_whole(item, "round", end->round);
		connections_add_time(item, "t_ns", connection, end->t_ns);
		json_add_whole(item, "in_flight_bytes", end->in_flight_bytes);
	} else {
		json_add_null(item, "reason");
		json_add_null(item, "confidence");
		json_add_null(item, "round");
		json_add_null(item, "t_ns");
		json_add_null(item, "in_flight_bytes");
	}
	json_add_bool(item, "discarded", known && end->discarded);
	json_add_bool(item, "flight_kept", known && end->flight_kept);
	json_add_bool(item, "hystart_possible", known && end->hystart);
	json_add_bool(item, "loss_unproven", known && end->unproven);
	json_add_bool(item, "capture_incomplete", known && end->incomplete);
	cJSON *evidence = json_add_array(item, "evidence");
	if (known && end->evidence)
		json_add_whole(evidence, NULL, end->evidence);
}

/* What limited the sender: the times at its own tap, since they are not visible
 * elsewhere, and shares as in the text. */
static void add_limits(cJSON *to, const struct connection *connection,
	int sender, const struct transfer_time *time)
{
	const struct side *side = &connection->side[sender];
	bool near = side_is_near(connection, sender);
	cJSON *item = json_add_object(to, "limits");

	connections_add_ns(item, "receive_window_ns",
		near ? side_full_all_ns(side, connection->last_ns) :
		       UNKNOWN_NS);
	connections_add_ns(item, "application_ns",
		near ? side->idle_ns : UNKNOWN_NS);
	json_add_signed(item, "zero_window_ns",
		side_zero_window_ns(connection, side_peer(connection, sender)));
	json_add_number(item, "receive_window_share",
		time->known ? time->receiver : NAN);
	json_add_number(item, "application_share",
		time->known ? time->application : NAN);
	json_add_number(item, "network_share",
		time->known ? time->network : NAN);
}

void connections_add_start(cJSON *to, const struct connection *connection,
	const struct transfer_time *time)
{
	int sender = connection_sender(connection);
	const struct side *side = &connection->side[sender];

	json_add_text(to, "sender", connections_side(connection, sender));
	add_initial_window(to, connection, sender);
	add_rounds(to, connection, side);
	add_exit(to, connection, side);
	add_limits(to, connection, sender, time);
}

void connections_add_resent(cJSON *to, uint64_t resent)
{
	if (resent == RESENT_UNKNOWN)
		json_add_null(to, "retransmissions");
	else
		json_add_whole(to, "retransmissions", resent);
}

/* ---- sides ------------------------------------------------------------- */

/* In a direction that was not captured, nothing is counted. */
static void add_counted(cJSON *to, const char *name, const struct side *side,
	uint64_t value)
{
	if (side->packets)
		json_add_whole(to, name, value);
	else
		json_add_null(to, name);
}

static void add_losses(cJSON *to, const struct side *side)
{
	cJSON *kinds = json_add_object(to, "retransmission_kinds");

	for (int i = 0; i < RETRANSMISSIONS; i++)
		add_counted(kinds, retransmission_name((enum retransmission)i),
			side, side->retransmissions[i]);
	add_counted(to, "retransmitted_frames", side,
		side->retransmitted_frames);
	add_counted(to, "retransmitted_partly", side,
		side->retransmitted_partly);
	add_counted(to, "retransmitted_bytes", side, side->retransmitted_bytes);
	add_counted(to, "fin_retransmissions", side, side->fin_retransmissions);
	add_counted(to, "reordered", side, side->reordered);
	add_counted(to, "recorded_late", side, side->recorded_late);
	add_counted(to, "reordered_or_sent_again", side, side->unclear);
	add_counted(to, "gaps", side, side->gaps);
	add_counted(to, "gaps_never_captured", side, side->gaps_open);
	add_counted(to, "gap_bytes", side, side->gap_bytes);
}

static void add_acks(cJSON *to, const struct side *side)
{
	add_counted(to, "duplicate_acks", side, side->duplicate_acks);
	add_counted(to, "sack_acks", side, side->sack_acks);
	add_counted(to, "dsacks", side, side->dsacks);
	add_counted(to, "ece_acks", side, side->ece_acks);
	add_counted(to, "cwr_packets", side, side->cwr_packets);
}

static void add_window(cJSON *to, const struct connection *connection, int i)
{
	const struct side *side = &connection->side[i];
	bool known = side->window_known && side->window_most_bytes;

	if (known) {
		json_add_whole(to, "window_least_bytes",
			side->window_least_bytes);
		json_add_whole(to, "window_most_bytes",
			side->window_most_bytes);
	} else {
		json_add_null(to, "window_least_bytes");
		json_add_null(to, "window_most_bytes");
	}
	add_counted(to, "window_updates", side, side->window_updates);
	add_counted(to, "window_fulls", side, side->window_fulls);
	add_counted(to, "beyond_window_packets", side, side->beyond_window);
	add_counted(to, "beyond_window_bytes", side, side->beyond_window_bytes);
	add_counted(to, "discarded_bytes", side, side->discarded_bytes);
	add_counted(to, "zero_windows", side, side->zero_windows);
	add_counted(to, "zero_window_acks", side, side->zero_window_acks);
	add_counted(to, "zero_window_ns", side,
		(uint64_t)side_zero_window_ns(connection, i));
	add_counted(to, "zero_window_probes", side, side->zero_window_probes);
	add_counted(to, "keepalives", side, side->keepalives);
}

static void add_rtt(cJSON *to, const struct side *side)
{
	cJSON *item = json_add_object(to, "rtt");
	bool any = side->rtt.samples;

	json_add_whole(item, "samples", side->rtt.samples);
	connections_add_ns(item, "least_ns", side->rtt.least_ns);
	connections_add_ns(item, "smoothed_ns",
		any ? side->rtt.smoothed_ns : UNKNOWN_NS);
}

static void add_side(cJSON *to, const struct connection *connection, int i)
{
	const struct side *side = &connection->side[i];
	cJSON *item = json_add_object(to, connections_side(connection, i));

	json_add_whole(item, "packets", side->packets);
	if (side->vlan && side->vlan != VLAN_UNSEEN)
		json_add_text(item, "vlan", vlan_text(side->vlan).chars);
	else
		json_add_null(item, "vlan");
	json_add_whole(item, "frames", side->frames);
	/* A packet may be several segments of an unknown size. */
	if (side->mss_bytes)
		json_add_whole(item, "segments", side->segments);
	else
		json_add_null(item, "segments");
	json_add_whole(item, "super_frames", side->super_frames);
	json_add_whole(item, "largest_bytes", side->largest_bytes);
	json_add_whole(item, "payload_bytes", side->payload_bytes);
	json_add_whole(item, "stream_bytes", side_stream_bytes(side));
	if (side->mss_bytes)
		json_add_whole(item, "mss_bytes", side->mss_bytes);
	else
		json_add_null(item, "mss_bytes");
	connections_add_known(item, "mtu_bytes", side->mtu_bytes);
	add_counted(item, "retransmissions", side,
		side->retransmitted_segments);
	add_losses(item, side);
	add_acks(item, side);
	add_window(item, connection, i);
	json_add_whole(item, "in_flight_most_bytes",
		side->in_flight_most_bytes);
	connections_add_time(item, "first_data_t_ns", connection,
		side->first_data_ns);
	connections_add_time(item, "last_data_t_ns", connection,
		side->last_data_ns);
	add_rtt(item, side);
}

void connections_add_sides(cJSON *to, const struct connection *connection)
{
	int client = connection->client;
	uint64_t resent[2];

	connection_resent_of(connection, resent);
	connections_add_resent(to, connection_resent_total(resent));
	cJSON *sides = json_add_object(to, "sides");
	add_side(sides, connection, client);
	add_side(sides, connection, !client);
}

/* ---- events ------------------------------------------------------------ */

static const char *why_of(const struct tcp_event *event)
{
	switch ((enum event_kind)event->kind) {
	case EVENT_RETRANSMISSION:
		return retransmission_name((enum retransmission)event->why);
	case EVENT_RESET:
		return reset_name((enum reset_kind)event->why);
	case EVENT_EXIT:
		return exit_name((enum exit_reason)event->why);
	default:
		return NULL;
	}
}

static bool has_range(const struct tcp_event *event)
{
	switch ((enum event_kind)event->kind) {
	case EVENT_RETRANSMISSION:
	case EVENT_REORDERED:
	case EVENT_RECORDED_LATE:
	case EVENT_UNCLEAR:
	case EVENT_BEYOND_WINDOW:
	case EVENT_GAP:
	case EVENT_CAPTURE_GAP:
	case EVENT_THIRD_DUPLICATE_ACK:
	case EVENT_DSACK:
	case EVENT_UNSENT_ACKED:
	case EVENT_ZERO_WINDOW_PROBE:
	case EVENT_WINDOW_FULL:
	case EVENT_KEEPALIVE:
	case EVENT_IDLE_RESTART:
	case EVENT_FIN_EARLY:
	case EVENT_FIN_AGAIN:
		return true;
	default:
		return false;
	}
}

static void add_event(cJSON *list, const struct connection *connection,
	const struct tcp_event *event)
{
	const struct side *side = &connection->side[event->side];
	const char *why = why_of(event);
	cJSON *item = json_add_object(list, NULL);

	connections_add_time(item, "t_ns", connection, event->t_ns);
	json_add_whole(item, "pkt", event->number);
	json_add_text(item, "kind", event_name((enum event_kind)event->kind));
	json_add_text(item, "dir", connections_side(connection, event->side));
	if (why)
		json_add_text(item, "detail", why);
	else
		json_add_null(item, "detail");
	/* A FIN may be at the number of the SYN. */
	bool range = has_range(event) && side_offset(side, event->from) >= 0;
	bool value =
		event->kind == EVENT_MTU || event->kind == EVENT_WSCALE_CLAMPED;
	connections_add_ns(item, "from",
		range ? side_offset(side, event->from) : UNKNOWN_NS);
	connections_add_ns(item, "to",
		range ? side_offset(side, event->to) : UNKNOWN_NS);
	connections_add_known(item, "value", value ? event->from : 0);
}

void connections_add_events(cJSON *to, const struct connection *connection)
{
	cJSON *list = json_add_array(to, "events");

	for (uint32_t i = 0; i < connection->event_count; i++)
		add_event(list, connection, &connection->events[i]);
	json_add_whole(to, "events_left_out", connection->events_left_out);
}
