/* Draws handshake and teardown of a connection as ladders. Time runs downwards,
 * and the client is on the left. The span on the right is the time since the
 * packet that a rung answers. */
#include "annotation_internal.h"

#include <stdio.h>
#include <string.h>

/* 15 columns hold times below 100 s with nanoseconds. */
enum { SHAFT = 30, SPAN = 15, TIME = SPAN + 1 };

struct rung {
	int64_t t_ns;
	uint64_t number;
	int side;
	const char *label;
	int64_t since_ns; /* UNKNOWN_NS: no span on the right */
};

/* Writes "  51.281 ms   #3  |--- ACK ------------------>|   0.427 ms". */
static void tell_rung(const struct telling *telling, const struct rung *rung,
	bool in_seconds)
{
	struct text *text = telling->text;
	bool right = rung->side == telling->connection->client;
	char label[SHAFT];
	int length =
		snprintf(label, sizeof label, " %.*s ", SHAFT - 8, rung->label);

	tell_time(telling, rung->t_ns, TIME);
	text_add(text, " %6llu  |%s%s", (unsigned long long)rung->number,
		right ? "---" : "<--", label);
	text_pad(text, '-', (size_t)(SHAFT - 4 - length));
	text_add(text, right ? ">|" : "-|");
	if (rung->since_ns != UNKNOWN_NS) {
		text_add(text, " ");
		tell_span_in(telling, rung->since_ns, SPAN, in_seconds);
	}
	text_add_char(text, '\n');
}

static void tell_head(const struct telling *telling, const char *name)
{
	text_add(telling->text, "\n  %-*s packet  client%*s\n", TIME - 2, name,
		SHAFT - 5, "server");
}

/* The rungs collected so far, in the order of the capture. */
struct rungs {
	struct rung at[4 * TRIES_MAX];
	size_t count;
};

static void add_rung(struct rungs *rungs, struct rung rung)
{
	size_t at = rungs->count++;

	for (; at && rungs->at[at - 1].number > rung.number; at--)
		rungs->at[at] = rungs->at[at - 1];
	rungs->at[at] = rung;
}

static void tell_ladder(const struct telling *telling,
	const struct rungs *rungs)
{
	bool in_seconds = false;

	for (size_t i = 0; i < rungs->count; i++)
		in_seconds |= rungs->at[i].since_ns >= LONG_SPAN_NS;
	for (size_t i = 0; i < rungs->count; i++)
		tell_rung(telling, &rungs->at[i], in_seconds);
}

/* ---- options ----------------------------------------------------------- */

static void tell_offer(const struct telling *telling, int side)
{
	const struct offer *offer = &telling->connection->side[side].offer;
	const struct tcp_options *options = &offer->options;
	struct text line = { 0 };

	if (!offer->seen)
		return;
	if (options->present & OPTION_MSS)
		text_add(&line, " MSS %u,", options->mss_bytes);
	if (options->present & OPTION_WSCALE)
		text_add(&line, " window scale %u (x %u),", options->wscale,
			1u << (options->wscale > 14 ? 14 : options->wscale));
	if (options->present & OPTION_SACK_PERMITTED)
		text_add(&line, " SACK,");
	if (options->present & OPTION_TIMESTAMPS)
		text_add(&line, " timestamps,");
	if (options->present & OPTION_FAST_OPEN)
		text_add(&line, " fast open,");
	if (options->present & OPTION_MPTCP)
		text_add(&line, " MPTCP,");
	if (offer->ecn || offer->accurate_ecn)
		text_add(&line, " %sECN,",
			offer->accurate_ecn ? "accurate " : "");
	if (offer->payload_bytes)
		text_add(&line, " %llu bytes of data in the SYN,",
			(unsigned long long)offer->payload_bytes);
	if (options->state == OPTIONS_TRUNCATED)
		text_add(&line, " further options cut off by the capture,");
	if (options->state == OPTIONS_INVALID)
		text_add(&line, " further options invalid,");
	if (!line.length)
		text_add(&line, " no options,");
	line.chars[line.length - 1] = '\0';
	tell(telling, 4, "%s offers:%s", tell_side(telling, side), line.chars);
	text_free(&line);
	if (options->present & OPTION_WSCALE && options->wscale > 14)
		tell(telling, 4,
			"warning: window scale %u is treated as 14, the "
			"maximum (RFC 7323)",
			options->wscale);
}

/* ---- handshake --------------------------------------------------------- */

static void add_tries(struct rungs *rungs, const struct tries *tries,
	const char *const names[2], const struct leg *leg)
{
	for (uint32_t i = 0; i < tries->count && i < TRIES_MAX; i++) {
		const struct try *try = &tries->at[i];

		add_rung(rungs,
			(struct rung){ try->t_ns, try->number, try->side,
				names[tries_again(tries, i)],
				leg && leg->to == try->number ? leg->took_ns :
								UNKNOWN_NS });
	}
}

static void tell_missing(const struct telling *telling)
{
	const struct connection *connection = telling->connection;

	if (connection->continued)
		tell(telling, 4,
			"forgotten, with the packets before: only %u connections "
			"are explained at a time. This is how it continued",
			CONNECTIONS_MAX);
	else if (connection->role == ROLE_GUESSED)
		tell(telling, 4,
			"not in the capture, which begins mid-connection; the "
			"client is guessed from the ports");
	else if (connection->teardown.reset == RESET_REFUSED)
		tell(telling, 4, "refused: a reset before any answer");
	else if (connection->seen & 2 && connection->seen & (8 | 16))
		tell(telling, 4, "its third packet is not in the capture");
	else
		tell(telling, 4, "not completed in the capture");
}

static void tell_leg(const struct telling *telling, const struct leg *leg,
	const char *name)
{
	struct text span = { 0 };

	if (leg->state == LEG_AMBIGUOUS) {
		add_span(telling, leg->least_ns, &span);
		tell(telling, 4,
			"%s: ambiguous, sent more than once and the answered "
			"copy is unknown (Karn); %s from the last copy",
			name, span.chars);
	} else if (leg->state == LEG_OUT_OF_ORDER) {
		tell(telling, 4,
			"%s: unknown, a reply was captured before its request",
			name);
	} else if (leg->state == LEG_UNTIMED) {
		tell(telling, 4, "%s: unknown, a timestamp is invalid", name);
	}
	text_free(&span);
}

/* The time that connecting lost because a packet was sent more than once. */
static void tell_waited(const struct telling *telling)
{
	struct text span = { 0 };
	struct handshake_wait wait =
		handshake_wait(&telling->connection->handshake);

	if (wait.ns <= 0)
		return;
	add_span(telling, wait.ns, &span);
	tell(telling, 4,
		"the %s was retransmitted: connecting %stook %s longer than "
		"the legs",
		wait.syn ? "SYN" : "SYN/ACK", wait.certain ? "" : "probably ",
		span.chars);
	text_free(&span);
}

/* Explains the two legs of the handshake. Their meaning depends on where the
 * packets were captured. */
static void tell_meaning(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	const struct handshake *handshake = &connection->handshake;
	struct text path = { 0 };

	tell_waited(telling);
	tell_leg(telling, &handshake->a, "SYN to SYN/ACK");
	tell_leg(telling, &handshake->b, "SYN/ACK to ACK");
	if (handshake->twin && connection->points == POINTS_ONE)
		tell(telling, 4,
			"packet %llu is the same SYN in another VLAN: if both "
			"are one connection, the first leg is ambiguous, since "
			"it is unknown which of them was answered",
			(unsigned long long)handshake->twin);
	add_span(telling, handshake->path_ns, &path);
	if (handshake->simultaneous)
		tell(telling, 4,
			"simultaneous open: each end sent a SYN before it "
			"received one");
	else if (handshake->a.state != LEG_KNOWN ||
		handshake->b.state != LEG_KNOWN)
		;
	else if (handshake->path_ns == UNKNOWN_NS)
		tell(telling, 4,
			"the round trip of the path is unknown: the handshake "
			"took longer");
	else if (connection->tap == TAP_SERVER)
		tell(telling, 4,
			"captured at the server: the second leg is the round "
			"trip of the path, %s with the first%s",
			path.chars,
			handshake->ack_with_data ?
				", unless the client waited for the data that "
				"its ACK carries" :
				"");
	else if (connection->tap == TAP_UNKNOWN)
		tell(telling, 4, "the round trip of the path is %s",
			path.chars);
	else if (connection->tap == TAP_MIDDLE)
		tell(telling, 4,
			"captured in mid-path, one leg on each side: the round "
			"trip of the path is %s",
			path.chars);
	else
		tell(telling, 4,
			"connect() waits for the SYN/ACK, the first leg; the "
			"round trip of the path is %s, and accept() can return "
			"only after the third packet",
			path.chars);
	text_free(&path);
}

static void tell_rungs(const struct telling *telling)
{
	static const char *const syn[] = { "SYN", "SYN retransmitted" };
	static const char *const synack[] = { "SYN, ACK",
		"SYN, ACK retransmitted" };
	const struct connection *connection = telling->connection;
	const struct handshake *handshake = &connection->handshake;
	bool crossed = handshake->simultaneous;
	struct rungs rungs = { 0 };

	add_tries(&rungs, &handshake->syn, syn, NULL);
	add_tries(&rungs, &handshake->syn_other, syn, &handshake->a);
	add_tries(&rungs, &handshake->synack, synack,
		crossed ? &handshake->b : &handshake->a);
	if (handshake->complete)
		add_rung(&rungs,
			(struct rung){ handshake->ack_ns, handshake->ack_number,
				handshake->ack_side,
				handshake->ack_with_data ? "ACK with data" :
							   "ACK",
				crossed ? UNKNOWN_NS : handshake->b.took_ns });
	tell_ladder(telling, &rungs);
}

void tell_handshake(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	const struct handshake *handshake = &connection->handshake;

	tell_head(telling, "handshake");
	tell_rungs(telling);
	if (!handshake->complete)
		tell_missing(telling);
	tell_meaning(telling);
	tell_offer(telling, connection->client);
	if (!connection->self_connect)
		tell_offer(telling, !connection->client);
}

/* ---- the end ----------------------------------------------------------- */

/* The time from a FIN to its answer; unknown if the answer was recorded
 * first. */
static int64_t span_between(int64_t from_ns, int64_t to_ns)
{
	return to_ns >= from_ns ? to_ns - from_ns : UNKNOWN_NS;
}

static void add_close(const struct connection *connection, int side,
	struct rungs *rungs)
{
	const struct close_leg *leg = &connection->teardown.leg[side];
	int peer = side_peer(connection, side);
	const struct close_leg *other = &connection->teardown.leg[peer];
	bool rides = leg->ack_number && leg->ack_number == other->fin_number;

	if (!leg->fins)
		return;
	bool answers = other->fins && other->ack_number == leg->fin_number;
	add_rung(rungs,
		(struct rung){ leg->fin_ns, leg->fin_number, side,
			answers ? "FIN, ACK" : "FIN",
			answers ? span_between(other->fin_ns, leg->fin_ns) :
				  UNKNOWN_NS });
	if (leg->ack_number && !rides)
		add_rung(rungs,
			(struct rung){ leg->ack_ns, leg->ack_number, peer,
				"ACK",
				span_between(leg->fin_ns, leg->ack_ns) });
}

/* Until the last try: no later packet of the connection tells how long the
 * capture waited for its answer. */
static void tell_silence(const struct telling *telling, const char *sentence)
{
	struct text line = { 0 };

	text_add(&line, "%s ", sentence);
	add_span(telling, telling->connection->teardown.unanswered_ns, &line);
	tell(telling, 4, "%s", text_chars(&line));
	text_free(&line);
}

static void tell_close(const struct telling *telling)
{
	static const char *const sentences[CLOSES] = {
		[CLOSE_NONE] = "no teardown in the capture",
		[CLOSE_ORDERLY] = "orderly: both sides sent a FIN",
		[CLOSE_SIMULTANEOUS] =
			"simultaneous close: the FINs crossed",
		[CLOSE_HALF] = "half closed: only one FIN in the capture",
		[CLOSE_RESET] = "reset, not closed",
		[CLOSE_REFUSED] = "connection refused",
		[CLOSE_UNANSWERED] = "the last packets were not answered in",
		[CLOSE_TIMEOUT] =
			"timed out: the last packets were not answered in",
	};
	const struct connection *connection = telling->connection;
	const struct teardown *teardown = &connection->teardown;
	enum close_kind kind = connection_close(connection);
	bool half = teardown->first >= 0 && kind == CLOSE_NONE;
	bool failed = kind == CLOSE_UNANSWERED || kind == CLOSE_TIMEOUT;
	bool ordered = kind == CLOSE_ORDERLY && teardown->first >= 0 &&
		!connection->self_connect;
	/* A reset by either side ends TIME_WAIT (RFC 1337). */
	bool waits = teardown->reset == RESET_NONE || teardown->reset_ignored;

	if (ordered)
		tell(telling, 4, "%s; the %s closed first%s", sentences[kind],
			tell_side(telling, teardown->first),
			waits ? " and holds the address pair in TIME_WAIT" :
				"");
	else if (half)
		tell(telling, 4,
			"the %s sent a FIN; the end of the other direction is "
			"not in the capture",
			tell_side(telling, teardown->first));
	else if (failed)
		tell_silence(telling, sentences[kind]);
	else
		tell(telling, 4, "%s", sentences[kind]);
	if (teardown->half_close_bytes)
		tell(telling, 4,
			"half close: %llu bytes came after the other side's "
			"FIN",
			(unsigned long long)teardown->half_close_bytes);
}

/* A capture shows what was in flight, but not what the application had left
 * unread. */
static const char *abort_words(const struct connection *connection)
{
	const struct teardown *teardown = &connection->teardown;

	if (connection->role != ROLE_GUESSED && !(connection->seen & (4 | 8)))
		return "aborted before the connection was established";
	if (!teardown->reset_unacked_known)
		return "aborted";
	return teardown->reset_unacked_bytes ?
		"aborted, with unacknowledged data" :
		"aborted; all data was acknowledged";
}

static void tell_reset(const struct telling *telling)
{
	static const char *const sentences[RESETS] = {
		[RESET_NONE] = "",
		[RESET_REFUSED] = "before the connection was established: "
			"refused",
		[RESET_ABORT] = "aborted",
		[RESET_AFTER_FIN] = "after a FIN: aborted, or a segment "
				    "reached a closed socket",
		[RESET_SUSPICIOUS] =
			"suspicious: outside the window, or its sender "
			"continued; possibly forged by a third host",
	};
	const struct teardown *teardown = &telling->connection->teardown;
	bool aborted = teardown->reset == RESET_ABORT;

	if (teardown->reset == RESET_NONE)
		return;
	tell(telling, 4, "reset by the %s: %s%s%s%s",
		tell_side(telling, teardown->reset_side),
		aborted ? abort_words(telling->connection) :
			  sentences[teardown->reset],
		*teardown->reset_text ? " \"" : "",
		teardown->reset_text, *teardown->reset_text ? "\"" : "");
}

void tell_teardown(const struct telling *telling)
{
	const struct connection *connection = telling->connection;
	const struct teardown *teardown = &connection->teardown;
	struct rungs rungs = { 0 };

	add_close(connection, 0, &rungs);
	if (!connection->self_connect)
		add_close(connection, 1, &rungs);
	if (teardown->reset != RESET_NONE)
		add_rung(&rungs,
			(struct rung){ teardown->reset_ns,
				teardown->reset_number, teardown->reset_side,
				"RST", UNKNOWN_NS });
	if (rungs.count)
		tell_head(telling, "end");
	else
		text_add(telling->text, "\n  end\n");
	tell_ladder(telling, &rungs);
	tell_close(telling);
	tell_reset(telling);
}
