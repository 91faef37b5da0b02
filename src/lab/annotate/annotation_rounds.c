/* The transfer: rounds with their growth, why slow start ended, what was lost,
 * and what happened, packet by packet. */
#include "annotation_internal.h"

#include <stdio.h>

enum { ROUNDS_SHOWN = 24, EVENTS_SHOWN = 40, BAR = 12 };

/* A table of many times has no room for nanoseconds: --json has them. */
static struct telling to_microseconds(const struct telling *telling)
{
	struct telling coarse = *telling;

	if (coarse.resolution_ns < 1000)
		coarse.resolution_ns = 1000;
	return coarse;
}

/* ---- slow start -------------------------------------------------------- */

static uint64_t most_segments(const struct rounds *rounds)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < rounds->count && i < ROUNDS_SHOWN; i++)
		if (rounds->at[i].segments > most)
			most = rounds->at[i].segments;
	return most;
}

static void tell_round(const struct telling *telling,
	const struct rounds *rounds, uint32_t i, uint64_t most)
{
	const struct telling coarse = to_microseconds(telling);
	const struct round *round = &rounds->at[i];
	struct text *text = telling->text;
	uint64_t bar = (round->segments * BAR + most - 1) / most;

	text_add(text, "  %5u ", i + 1);
	tell_time(&coarse, round->start_ns, 12);
	text_add(text, " %8llu ", (unsigned long long)round->segments);
	text_pad(text, '#', bar);
	text_pad(text, ' ', BAR - bar);
	if (i && rounds->at[i - 1].bytes)
		text_add(text, " x%4.2f",
			(double)round->bytes / (double)rounds->at[i - 1].bytes);
	else
		text_add(text, "      ");
	if (round->in_flight_bytes)
		text_add(text, " %9llu ",
			(unsigned long long)round->in_flight_bytes);
	else
		text_add(text, " %9s ", "-");
	tell_span(&coarse, round->rtt_ns, 11);
	if (round->retransmissions)
		text_add(text, " %u again", round->retransmissions);
	else if (round->window_full)
		text_add(text, " full");
	else if (round->app_limited)
		text_add(text, " idle");
	text_add_char(text, '\n');
}

static void tell_basis(const struct telling *telling,
	const struct rounds *rounds)
{
	static const char *const sentences[] = {
		[ROUNDS_NONE] = "rounds are unknown: the capture point is "
				"unknown",
		[ROUNDS_ECHO] = "rounds from timestamp echoes: exact at either "
			"end",
		[ROUNDS_ACK_CLOCK] =
			"rounds from acknowledgements, at the sender",
		[ROUNDS_ESTIMATED] =
			"rounds estimated from time: the data has no "
			"timestamps and was not captured at its sender",
		[ROUNDS_TOO_SHORT] =
			"rounds and initial window are not observable: a round "
			"trip is shorter than sending a flight. An emulated "
			"link (host=link) makes them visible",
	};

	tell(telling, 4, "%s", sentences[rounds->basis]);
}

static void tell_initial(const struct telling *telling, int sender)
{
	struct initial_window window =
		side_initial_window(telling->connection, sender);
	unsigned long long segments = window.segments;

	switch (window.state) {
	case WINDOW_WHOLE:
		tell(telling, 4, "initial window: %llu segments", segments);
		break;
	case WINDOW_CUT_BY_APP:
		tell(telling, 4,
			"initial window: at least %llu segment%s, limited by "
			"the application",
			segments, segments == 1 ? "" : "s");
		break;
	case WINDOW_CUT_BY_PEER:
		tell(telling, 4,
			"initial window: at least %llu segment%s, limited by "
			"the receive window",
			segments, segments == 1 ? "" : "s");
		break;
	case WINDOW_CUT_BY_LOSS:
		tell(telling, 4,
			"initial window: at least %llu segment%s, lost packets "
			"hide its end",
			segments, segments == 1 ? "" : "s");
		break;
	default:
		break;
	}
}

static void tell_exit(const struct telling *telling,
	const struct rounds *rounds)
{
	static const char *const sentences[EXIT_REASONS] = {
		[EXIT_NONE] = "slow start continued to the end of the capture",
		[EXIT_LOSS] = "slow start ended by loss: a segment was "
			      "retransmitted",
		[EXIT_ECN] = "slow start ended by a congestion mark (ECN)",
		[EXIT_WINDOW] = "slow start ended at the receive window",
		[EXIT_APPLICATION] = "slow start ended: the application had no "
				     "more data to send",
		[EXIT_HYSTART] = "slow start ended early, without loss: two "
				 "rounds did not grow (HyStart, or pacing)",
		[EXIT_HYSTART_DELAY] =
			"slow start ended early, without loss: round trips "
			"grew longer (HyStart, delay)",
		[EXIT_HYSTART_TRAIN] =
			"slow start ended early, without loss: one long train "
			"of ACKs (HyStart, ACK train)",
		[EXIT_PACING] = "start-up ended: the paced rate stopped "
				"growing",
		[EXIT_END_OF_DATA] = "slow start continued to the end of the "
				     "data",
		[EXIT_UNKNOWN] = "slow start ended for an unknown reason",
	};
	const struct slow_start_exit *end = &rounds->exit;

	if (end->reason == EXIT_NONE || end->reason == EXIT_END_OF_DATA)
		tell(telling, 4, "%s", sentences[end->reason]);
	else
		tell(telling, 4,
			"%s (round %u, packet %llu, at most %llu bytes in "
			"flight until then)",
			sentences[end->reason], end->round,
			(unsigned long long)end->evidence,
			(unsigned long long)end->in_flight_bytes);
}

static void tell_rounds(const struct telling *telling, int sender)
{
	const struct rounds *rounds = &telling->connection->side[sender].rounds;
	uint64_t most = most_segments(rounds);

	tell_basis(telling, rounds);
	if (rounds->basis == ROUNDS_TOO_SHORT || !rounds->count)
		return;
	text_add(telling->text, "\n  %5s%13s %8s %-*s %5s%10s%12s\n", "round",
		"start", "segments", BAR, "", "grew", "in flight",
		"round trip");
	for (uint32_t i = 0; i < rounds->count && i < ROUNDS_SHOWN; i++)
		tell_round(telling, rounds, i, most);
	if (rounds->count > ROUNDS_SHOWN)
		tell(telling, 4, "and %llu more rounds",
			(unsigned long long)(rounds->count - ROUNDS_SHOWN +
				rounds->left_out));
	tell_initial(telling, sender);
	tell_exit(telling, rounds);
}

/* ---- one direction ----------------------------------------------------- */

static void tell_direction(const struct telling *telling, int sender)
{
	const struct side *side = &telling->connection->side[sender];
	struct text line = { 0 };

	text_add(&line, "%llu bytes in %llu packet%s",
		(unsigned long long)side->payload_bytes,
		(unsigned long long)side->frames, side->frames == 1 ? "" : "s");
	if (side->segments != side->frames)
		text_add(&line, " (%llu segments)",
			(unsigned long long)side->segments);
	if (side->mss_bytes)
		text_add(&line, ", at most %u bytes of data in a segment",
			side->mss_bytes);
	if (side->super_frames)
		text_add(&line,
			"; %llu packet%s larger than a segment, split by the "
			"network card",
			(unsigned long long)side->super_frames,
			side->super_frames == 1 ? " is" : "s are");
	tell(telling, 4, "%s", line.chars);
	text_free(&line);
}

void tell_transfer(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	int sender = connection_sender(connection);
	int other = side_peer(connection, sender);

	text_add(telling->text, "\n  data from the %s\n",
		tell_side(telling, sender));
	if (!connection->side[sender].frames) {
		tell(telling, 4, "none in the capture");
		return;
	}
	tell_direction(telling, sender);
	tell_rounds(telling, sender);
	if (other == sender || !connection->side[other].frames)
		return;
	text_add(telling->text, "\n  data from the %s\n",
		tell_side(telling, other));
	tell_direction(telling, other);
}

/* ---- losses ------------------------------------------------------------ */

static void add_count(struct text *line, uint64_t count, const char *one,
	const char *many)
{
	if (count)
		text_add(line, "%s%llu %s", line->length ? ", " : "",
			(unsigned long long)count, count == 1 ? one : many);
}

static void add_kinds(struct text *line, const struct side *side)
{
	static const char *const names[RETRANSMISSIONS] = { "by time-out",
		"as tail probe", "fast", "by RACK", "in recovery",
		"for the third time", "needlessly", "for unknown reasons" };
	const char *before = " (";

	for (int i = 0; i < RETRANSMISSIONS; i++) {
		if (!side->retransmissions[i])
			continue;
		text_add(line, "%s%llu %s", before,
			(unsigned long long)side->retransmissions[i], names[i]);
		before = ", ";
	}
	if (side->retransmitted_segments)
		text_add_char(line, ')');
}

/* What was sent again and lost again never came by. */
static void tell_least(const struct telling *telling, int sender)
{
	const struct connection *connection = telling->connection;

	if (connection->side[sender].retransmitted_segments &&
		connection->tap != TAP_UNKNOWN &&
		!side_is_near(connection, sender))
		tell(telling, 6,
			"not captured at the sender: there may be more "
			"retransmissions");
}

static void tell_side_losses(const struct telling *telling, int sender)
{
	const struct connection *connection = telling->connection;
	const struct side *side = &connection->side[sender];
	const struct side *peer =
		&connection->side[side_peer(connection, sender)];
	struct text line = { 0 };

	add_count(&line, side->retransmitted_segments, "retransmission",
		"retransmissions");
	add_kinds(&line, side);
	add_count(&line, side->reordered, "packet reordered",
		"packets reordered");
	add_count(&line, peer->duplicate_acks, "duplicate ACK",
		"duplicate ACKs");
	add_count(&line, peer->sack_acks, "ACK with new SACK ranges",
		"ACKs with new SACK ranges");
	add_count(&line, peer->dsacks, "DSACK", "DSACKs");
	add_count(&line, side->gaps, "gap", "gaps");
	if (side->gaps_open)
		text_add(&line,
			" (%llu acknowledged but not captured: the capture, "
			"not the network, lost %llu bytes)",
			(unsigned long long)side->gaps_open,
			(unsigned long long)side->gap_bytes);
	add_count(&line, peer->zero_windows, "zero window", "zero windows");
	add_count(&line, side->zero_window_probes, "zero-window probe",
		"zero-window probes");
	add_count(&line, side->keepalives, "keep-alive", "keep-alives");
	if (line.length)
		tell(telling, 4, "%s: %s", tell_side(telling, sender),
			line.chars);
	tell_least(telling, sender);
	text_free(&line);
}

void tell_losses(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	size_t before;

	text_add(telling->text, "\n  losses\n");
	before = telling->text->length;
	tell_side_losses(telling, connection->client);
	if (!connection->self_connect)
		tell_side_losses(telling, !connection->client);
	if (telling->text->length == before)
		tell(telling, 4,
			"none: 0 retransmissions, 0 reordered, 0 gaps");
}

/* ---- events ------------------------------------------------------------ */

static const char *const event_words[EVENT_KINDS] = {
	[EVENT_SYN_AGAIN] = "SYN retransmitted",
	[EVENT_SYNACK_AGAIN] = "SYN/ACK retransmitted",
	[EVENT_SYN_MISMATCH] = "unexpected SYN",
	[EVENT_RETRANSMISSION] = "retransmitted",
	[EVENT_REORDERED] = "late, not retransmitted: reordered",
	[EVENT_GAP] = "gap before this segment",
	[EVENT_CAPTURE_GAP] = "acknowledged, not captured",
	[EVENT_THIRD_DUPLICATE_ACK] = "third duplicate ACK",
	[EVENT_DSACK] = "received twice (DSACK)",
	[EVENT_ZERO_WINDOW] = "receive window closed",
	[EVENT_ZERO_WINDOW_PROBE] = "zero-window probe",
	[EVENT_WINDOW_OPEN] = "receive window reopened",
	[EVENT_WINDOW_FULL] = "receive window full",
	[EVENT_KEEPALIVE] = "keep-alive",
	[EVENT_IDLE_RESTART] = "resumes after a long silence",
	[EVENT_ECN_ECHO] = "reports a congestion mark (ECE)",
	[EVENT_CWR] = "has reduced its window (CWR)",
	[EVENT_MTU] = "a router requests smaller packets",
	[EVENT_FIN_EARLY] = "FIN before the handshake completed",
	[EVENT_FIN_AGAIN] = "FIN retransmitted",
	[EVENT_RESET] = "reset",
	[EVENT_WSCALE_CLAMPED] = "window scale above 14",
	[EVENT_EXIT] = "slow start ended",
};

static void tell_event(const struct telling *telling,
	const struct tcp_event *event)
{
	const struct telling coarse = to_microseconds(telling);
	const struct connection *connection = telling->connection;
	const struct side *side = &connection->side[event->side];
	const char *why = NULL;

	if (event->kind == EVENT_RETRANSMISSION)
		why = retransmission_name((enum retransmission)event->why);
	if (event->kind == EVENT_EXIT)
		why = exit_name((enum exit_reason)event->why);
	tell_time(&coarse, event->t_ns, 14);
	text_add(telling->text, " %6llu  %s: %s",
		(unsigned long long)event->number,
		tell_side(telling, event->side), event_words[event->kind]);
	if (why)
		text_add(telling->text, " (%s)", why);
	if (event->kind == EVENT_MTU)
		text_add(telling->text, ", MTU %llu",
			(unsigned long long)event->from);
	else if (event->to > event->from && event->kind != EVENT_WINDOW_OPEN &&
		event->kind != EVENT_WINDOW_FULL)
		text_add(telling->text, ", %lld..%lld",
			(long long)side_offset(side, event->from),
			(long long)side_offset(side, event->to));
	text_add_char(telling->text, '\n');
}

void tell_events(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	uint32_t count = connection->event_count;

	if (!count)
		return;
	text_add(telling->text, "\n  events        packet\n");
	for (uint32_t i = 0; i < count && i < EVENTS_SHOWN; i++)
		tell_event(telling, &connection->events[i]);
	if (count > EVENTS_SHOWN)
		tell(telling, 4, "and %llu more, see --json",
			(unsigned long long)(count - EVENTS_SHOWN +
				connection->events_left_out));
}
