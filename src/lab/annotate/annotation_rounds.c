/* The transfer: rounds and their growth, and why slow start ended. */
#include "annotation_internal.h"
#include "connection_list.h"

#include <stdio.h>

enum {
	ROUNDS_SHOWN = 24,
	BAR = 12,
	FIGURES = 16, /* columns of growth and bytes in flight */
};

/* ---- slow start -------------------------------------------------------- */

static uint64_t most_segments(const struct rounds *rounds, uint32_t shown)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < shown; i++)
		if (rounds->at[i].segments > most)
			most = rounds->at[i].segments;
	return most;
}

static void tell_round(const struct telling *telling, const struct side *side,
	uint32_t i, uint64_t most)
{
	const struct telling coarse = tell_coarse(telling);
	struct telling start = coarse;
	const struct rounds *rounds = &side->rounds;
	double growth = side_growth(side, i);
	const struct round *round = &rounds->at[i];
	struct text *text = telling->text;
	uint64_t bar = (round->segments * BAR + most - 1) / most;

	text_add(text, "  %5u ", i + 1);
	if (start.in_seconds)
		start.resolution_ns = 1000000; /* as the column is wide */
	tell_time(&start, round->start_ns, 12);
	text_add(text, " %8llu ", (unsigned long long)round->segments);
	text_pad(text, '#', bar);
	text_pad(text, ' ', BAR - bar);
	if (growth > 0)
		text_add(text, " x%4.2f", growth);
	else
		text_add(text, "      ");
	if (round->in_flight_bytes)
		text_add(text, " %9llu ",
			(unsigned long long)round->in_flight_bytes);
	else
		text_add(text, " %9s ", "-");
	tell_span(&coarse, round->rtt_ns, 11);
	if (round->retransmissions)
		text_add(text, " %u retx", round->retransmissions);
	else if (round->window_full)
		text_add(text, " full");
	else if (round->app_limited)
		text_add(text, " idle");
	else if (round->silent)
		text_add(text, " silent");
	text_add_char(text, '\n');
}

static void tell_basis(const struct telling *telling,
	const struct rounds *rounds, int sender)
{
	static const char *const sentences[] = {
		[ROUNDS_NONE] = "rounds are unknown: the round trip of the "
				"path is unknown",
		[ROUNDS_ECHO] = "rounds from timestamp echoes: exact at either "
			"end",
		[ROUNDS_ACK_CLOCK] =
			"rounds from acknowledgements, at the sender",
		[ROUNDS_ESTIMATED] =
			"rounds estimated from time: the data has no "
			"timestamps and is not known to be captured at its "
			"sender",
		[ROUNDS_TOO_SHORT] =
			"rounds and initial window are not observable: a round "
			"trip is too short to separate flights. An emulated "
			"link (host=link) makes them visible",
	};
	const struct connection *connection = telling->connection;
	enum rounds_basis basis = side_rounds_basis(connection, sender);
	const struct side *side = connection->side;
	bool lost = side[0].gap_bytes || side[1].gap_bytes;

	if (rounds->blurred && basis != rounds->basis)
		tell(telling, 4,
			"rounds estimated from round %u on: packets were "
			"recorded late",
			rounds->blurred);
	else if (!side_is_answered(connection, sender))
		tell(telling, 4,
			"rounds and initial window are unknown: the other "
			"direction is not in the capture");
	else if (basis == ROUNDS_ECHO && (lost || side[sender].recorded_late))
		tell(telling, 4,
			"rounds from timestamp echoes; packets %s their ends",
			lost ? "not captured may hide or shift" :
			       "recorded late may shift");
	else if (rounds->coarse || basis != rounds->basis)
		tell(telling, 4,
			"rounds are %s: the timestamps of the %s %stick too "
			"rarely for this round trip",
			rounds->coarse ? "unknown" : "estimated",
			tell_side(telling, side_peer(connection, sender)),
			rounds->coarse ? "" : "may ");
	else if (rounds->basis == ROUNDS_NONE &&
		connection->handshake.path_ns != UNKNOWN_NS)
		tell(telling, 4,
			"rounds are unknown: no new data is known to be sent "
			"after the handshake");
	else
		tell(telling, 4, "%s", sentences[rounds->basis]);
}

static void tell_initial(const struct telling *telling, int sender)
{
	static const char *const bounds[] = {
		[WINDOW_CUT_BY_APP] = "limited by the application",
		[WINDOW_CUT_BY_PEER] = "limited by the receive window",
		[WINDOW_CUT_BY_LOSS] = "lost packets hide its end",
		[WINDOW_NOT_GROWN] = "since the next round is not larger",
	};
	struct initial_window window =
		side_initial_window(telling->connection, sender);
	unsigned long long segments = window.segments;
	bool estimated = side_rounds_basis(telling->connection, sender) ==
		ROUNDS_ESTIMATED;
	/* A buffer that is full looks like an application that pauses. */
	bool buffered = side_exit(&telling->connection->side[sender]).reason ==
		EXIT_SEND_BUFFER;

	switch (window.state) {
	case WINDOW_WHOLE:
		tell(telling, 4, "initial window: %s%llu segment%s",
			estimated ? "about " : "", segments,
			segments == 1 ? "" : "s");
		break;
	case WINDOW_CUT_BY_APP:
	case WINDOW_CUT_BY_PEER:
	case WINDOW_CUT_BY_LOSS:
	case WINDOW_NOT_GROWN:
		tell(telling, 4, "initial window: at least %llu segment%s, %s",
			segments, segments == 1 ? "" : "s",
			window.state == WINDOW_CUT_BY_APP && buffered ?
				"probably limited by the send buffer" :
				bounds[window.state]);
		break;
	case WINDOW_RECORDED_LATE:
		tell(telling, 4,
			"initial window: unknown, packets recorded late, "
			"reordered or not captured hide its end");
		break;
	case WINDOW_NOT_OBSERVABLE:
		tell(telling, 4,
			"initial window: unknown, no silence separates the "
			"first flight from the second");
		break;
	default:
		break;
	}
}

static void tell_exit(const struct telling *telling, const struct side *side)
{
	const struct slow_start_exit end = side_exit(side);
	const struct rounds *rounds = &side->rounds;
	const char *words = side_exit_words(side);
	struct text flight = { 0 };

	if (end.reason == EXIT_SEND_BUFFER && end.round <= rounds->count)
		text_add(&flight, ", each of %llu bytes",
			(unsigned long long)rounds->at[end.round - 1].bytes);
	if (end.in_flight_bytes)
		text_add(&flight, ", at most %llu bytes in flight until then",
			(unsigned long long)end.in_flight_bytes);
	if (end.reason == EXIT_NONE || end.reason == EXIT_END_OF_DATA)
		tell(telling, 4, "%s", words);
	else
		tell(telling, 4, "%s (round %u, seen at packet %llu%s)", words,
			end.round, (unsigned long long)end.evidence,
			text_chars(&flight));
	text_free(&flight);
}

static uint32_t rounds_shown(const struct telling *telling,
	const struct rounds *rounds)
{
	bool all = telling->layout->verbose || rounds->count < ROUNDS_SHOWN;

	return all ? rounds->count : ROUNDS_SHOWN;
}

/* Away from the sender, two columns of the rounds have another meaning. */
static void tell_columns(const struct telling *telling,
	const struct rounds *rounds, int sender)
{
	if (rounds->basis == ROUNDS_ECHO &&
		!side_is_near(telling->connection, sender))
		tell(telling, 4,
			"not captured at the sender: in flight includes data "
			"already selectively acknowledged, and a round trip "
			"includes the sender's wait for its application");
}

static void tell_rounds(const struct telling *telling, int sender)
{
	const struct side *side = &telling->connection->side[sender];
	const struct rounds *rounds = &side->rounds;
	uint32_t shown = rounds_shown(telling, rounds);
	uint64_t most = most_segments(rounds, shown);

	tell_basis(telling, rounds, sender);
	if (rounds->basis == ROUNDS_TOO_SHORT || !rounds->count ||
		!side_is_answered(telling->connection, sender))
		return;
	text_add(telling->text, "\n  %5s%13s %8s %*s%12s\n", "round", "start",
		"segments", BAR + FIGURES, "grew in flight, B", "round trip");
	for (uint32_t i = 0; i < shown; i++)
		tell_round(telling, side, i, most);
	if (shown < rounds->count)
		tell(telling, 4, "and %u more, see -v", rounds->count - shown);
	tell_columns(telling, rounds, sender);
	if (rounds->left_out)
		tell(telling, 4, "%llu later rounds were not kept",
			(unsigned long long)rounds->left_out);
	tell_initial(telling, sender);
	tell_exit(telling, side);
}

static void add_share(struct text *line, const char *name, double share)
{
	if (share >= 0.005)
		text_add(line, "%s %s %.0f %%", line->length ? "," : "", name,
			share * 100);
}

/* Writes what limited the transfer for most of its time. */
static void tell_limit(const struct telling *telling, const struct rounds *of)
{
	struct transfer_time time;
	struct text shares = { 0 };

	connection_time(telling->connection, &time);
	add_share(&shares, "receive window full", time.receiver);
	add_share(&shares, "application idle", time.application);
	add_share(&shares, "with loss or a queue", time.network);
	if (time.limit == LIMIT_UNKNOWN && shares.length)
		tell(telling, 4, "most of the time has no visible limit:%s",
			shares.chars);
	else if (time.limit != LIMIT_UNKNOWN)
		tell(telling, 4, "%slimited mostly by the %s%s%s%s%s",
			time.limit == LIMIT_SEND_BUFFER ? "probably " : "",
			limit_words(time.limit), shares.length ? ":" : "",
			text_chars(&shares),
			shares.length ? " of the time" : "",
			of->left_out ? " in the rounds kept" : "");
	text_free(&shares);
}

/* ---- one direction ----------------------------------------------------- */

/* Before they leave the sender, the card splits what it was given; everywhere
 * else they were merged. */
static const char *offload_words(const struct connection *connection,
	int sender)
{
	if (connection->tap == TAP_LOOPBACK)
		return "which loopback does not split";
	return side_is_near(connection, sender) ?
		"split by the network card" :
		"merged by a host or its network card";
}

static void tell_direction(const struct telling *telling, int sender)
{
	const struct side *side = &telling->connection->side[sender];
	struct text line = { 0 };

	text_add(&line, "%llu bytes in %llu packet%s",
		(unsigned long long)side->payload_bytes,
		(unsigned long long)side->frames, side->frames == 1 ? "" : "s");
	if (side->mss_bytes && side->segments != side->frames)
		text_add(&line, " (%llu segment%s)",
			(unsigned long long)side->segments,
			side->segments == 1 ? "" : "s");
	if (side->mss_bytes)
		text_add(&line, ", at most %u bytes of data in a segment",
			side->mss_bytes);
	if (side->super_frames)
		text_add(&line,
			"; %llu packet%s larger than a segment, %s",
			(unsigned long long)side->super_frames,
			side->super_frames == 1 ? " is" : "s are",
			offload_words(telling->connection, sender));
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
	tell_limit(telling, &connection->side[sender].rounds);
	if (other == sender || !connection->side[other].frames)
		return;
	text_add(telling->text, "\n  data from the %s\n",
		tell_side(telling, other));
	tell_direction(telling, other);
}
