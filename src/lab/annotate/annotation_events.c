/* The events of a connection, equal ones folded. */
#include "annotation_internal.h"
#include "wrap.h"

enum { EVENTS_SHOWN = 40 };

static const char *const event_words[EVENT_KINDS] = {
	[EVENT_SYN_AGAIN] = "SYN retransmitted",
	[EVENT_SYNACK_AGAIN] = "SYN/ACK retransmitted",
	[EVENT_SYN_MISMATCH] = "unexpected SYN",
	[EVENT_RETRANSMISSION] = "retransmitted",
	[EVENT_REORDERED] = "late, not retransmitted: reordered or recorded late",
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
	[EVENT_ECN_ECHO] = "reports a congestion mark (ECN)",
	[EVENT_CWR] = "has reduced its window (CWR)",
	[EVENT_MTU] = "a router requests smaller packets",
	[EVENT_FIN_EARLY] = "FIN before the handshake completed",
	[EVENT_FIN_AGAIN] = "FIN retransmitted",
	[EVENT_RESET] = "reset",
	[EVENT_WSCALE_CLAMPED] = "window scale above 14",
	[EVENT_EXIT] = "slow start ended",
	[EVENT_RECORDED_LATE] = "recorded late",
	[EVENT_BEYOND_WINDOW] = "data beyond the advertised window",
	[EVENT_UNCLEAR] = "reordered, recorded late or twice, or retransmitted",
	[EVENT_UNSENT_ACKED] = "acknowledges data that was never sent",
};

static const char *const exit_causes[EXIT_REASONS] = {
	[EXIT_NONE] = "not in the capture",
	[EXIT_LOSS] = "loss",
	[EXIT_ECN] = "a congestion mark",
	[EXIT_WINDOW] = "the receive window",
	[EXIT_APPLICATION] = "the application",
	[EXIT_HYSTART] = "HyStart or pacing",
	[EXIT_HYSTART_DELAY] = "HyStart or pacing, after longer round trips",
	[EXIT_HYSTART_TRAIN] = "HyStart or pacing, after a train of ACKs",
	[EXIT_PACING] = "pacing",
	[EXIT_END_OF_DATA] = "the end of the data",
	[EXIT_UNKNOWN] = "cause unknown",
	[EXIT_SEND_BUFFER] = "the send buffer",
};

const char *tell_retransmission(enum retransmission which)
{
	static const char *const words[RETRANSMISSIONS] = { "by time-out",
		"as tail probe", "by time-out or as tail loss probe", "fast",
		"early", "in recovery", "for the third time or later",
		"needlessly", "for unknown reasons", "of the FIN", "of the SYN" };

	return words[which];
}

static void add_cause(const struct connection *connection,
	const struct tcp_event *event, struct text *text)
{
	const struct side *side = &connection->side[event->side];
	const struct slow_start_exit exit = side_exit(side), *end = &exit;
	bool needless = event->why == EXIT_LOSS && !end->certain &&
		!end->flight_kept && !end->hystart && !end->incomplete &&
		!end->unproven;

	if (event->kind == EVENT_RETRANSMISSION)
		text_add(text, " %s",
			tell_retransmission((enum retransmission)event->why));
	if (event->kind == EVENT_RESET && event->why == RESET_SUSPICIOUS)
		text_add(text, ", outside the window, or its sender continued");
	if (event->kind == EVENT_EXIT && needless)
		text_add(text, ": a %sretransmission",
			side->unclear ? "perhaps needless " : "needless ");
	else if (event->kind == EVENT_EXIT && side_exit_silent(side))
		text_add(text, " in a silence");
	else if (event->kind == EVENT_EXIT && end->discarded)
		text_add(text,
			": %sthe receiver discarded data beyond its window",
			end->unproven ? "loss, or " : "");
	else if (event->kind == EVENT_EXIT)
		text_add(text, ": %s%s",
			end->certain || event->why == EXIT_UNKNOWN ?
				"" :
				"probably ",
			exit_causes[event->why]);
}

/* A FIN has a sequence number, but it is not a byte of the stream. */
static bool concerns_bytes(enum event_kind kind)
{
	return kind != EVENT_WINDOW_OPEN && kind != EVENT_WINDOW_FULL &&
		kind != EVENT_FIN_EARLY && kind != EVENT_FIN_AGAIN;
}

/* Adds the bytes of the stream that events from `first` to `last` concern. */
static void add_range(const struct connection *connection,
	const struct tcp_event *first, const struct tcp_event *last,
	struct text *text)
{
	const struct side *side = &connection->side[first->side];
	uint64_t from = first->from, to = first->to;
	bool equal = true;

	for (const struct tcp_event *event = first + 1; event <= last;
		event++) {
		equal &= event->from == from && event->to == to;
		from = event->from < from ? event->from : from;
		to = event->to > to ? event->to : to;
	}
	if (first->kind == EVENT_MTU)
		text_add(text, ", MTU %llu", (unsigned long long)from);
	else if (to > from && concerns_bytes(first->kind))
		text_add(text, ", %sbytes %lld..%lld", equal ? "" : "within ",
			(long long)side_offset(side, from),
			(long long)side_offset(side, to));
	if (first->kind == EVENT_BEYOND_WINDOW)
		text_add(text, " (%llu bytes)", (unsigned long long)(to - from));
}

void event_text(const struct connection *connection,
	const struct tcp_event *first, const struct tcp_event *last,
	struct text *text)
{
	bool of_client = first->side == connection->client;
	/* These concern data of the one side, and the other side sends them. */
	bool by_other = first->kind == EVENT_THIRD_DUPLICATE_ACK ||
		first->kind == EVENT_DSACK ||
		first->kind == EVENT_UNSENT_ACKED;

	if (connection->self_connect)
		by_other = false;
	/* As in the sentence of the rounds. */
	bool unsure = first->kind == EVENT_EXIT && first->why == EXIT_UNKNOWN;
	text_add(text, "%s: %s", of_client != by_other ? "client" : "server",
		unsure ? "slow start may have ended" :
			 event_words[first->kind]);
	add_cause(connection, first, text);
	add_range(connection, first, last, text);
}

/* Writes `count` equal events as one line: kind, count, first and last time. */
static void tell_event(const struct telling *telling,
	const struct tcp_event *first, uint32_t count)
{
	struct telling coarse = tell_coarse(telling);
	const struct tcp_event *last = first + count - 1;
	struct text line = { 0 };
	int at = 14 + 1 + 6 + 2;

	tell_time(&coarse, first->t_ns, 14);
	text_add(telling->text, " %6llu  ", (unsigned long long)first->number);
	event_text(telling->connection, first, last, &line);
	if (count > 1) {
		text_add(&line, ", x%lu until packet %llu at ",
			(unsigned long)count, (unsigned long long)last->number);
		coarse.text = &line;
		tell_time(&coarse, last->t_ns, 0);
	}
	wrap_on(telling->text, line.chars, at, telling->layout->width);
	text_free(&line);
}

/* The number of equal events in a row, from event `i`. */
static uint32_t count_alike(const struct connection *connection, uint32_t i)
{
	const struct tcp_event *first = &connection->events[i];
	uint32_t count = 1;

	while (i + count < connection->event_count &&
		first[count].kind == first->kind &&
		first[count].side == first->side &&
		first[count].why == first->why &&
		(first->kind != EVENT_MTU || first[count].from == first->from))
		count++;
	return count;
}

void tell_events(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	bool all = telling->layout->verbose;
	uint32_t i = 0, lines = 0;

	if (!connection->event_count)
		return;
	text_add(telling->text, "\n  events        packet\n");
	while (i < connection->event_count && (all || lines < EVENTS_SHOWN)) {
		uint32_t count = all ? 1 : count_alike(connection, i);

		tell_event(telling, &connection->events[i], count);
		i += count;
		lines++;
	}
	if (i < connection->event_count)
		tell(telling, 4, "and %u more, see -v",
			connection->event_count - i);
	if (connection->events_left_out)
		tell(telling, 4, "%llu later events were not kept",
			(unsigned long long)connection->events_left_out);
}
