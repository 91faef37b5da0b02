/* Finds the phases of a connection from its rounds and events. */
#include <math.h>
#include <string.h>

#include "view_net.h"

/* ---- of a round ----------------------------------------------------- */

static enum net_phase lossy(unsigned kinds)
{
	const unsigned fast = 1u << RETRANSMIT_FAST | 1u << RETRANSMIT_RACK |
		1u << RETRANSMIT_RECOVERY | 1u << RETRANSMIT_AGAIN;

	if (kinds & 1u << RETRANSMIT_TIMEOUT)
		return PHASE_TIME_OUT;
	if (kinds & (1u << RETRANSMIT_TAIL_PROBE | 1u << RETRANSMIT_TIMER) &&
		!(kinds & fast))
		return PHASE_PROBE;
	return PHASE_RECOVERY;
}

static enum net_phase after(enum exit_reason reason, const struct round *round)
{
	switch (reason) {
	case EXIT_WINDOW:
		return PHASE_WINDOW;
	case EXIT_SEND_BUFFER:
		return PHASE_SEND_BUFFER;
	case EXIT_APPLICATION:
		return round->app_limited ? PHASE_APPLICATION : PHASE_UNNAMED;
	case EXIT_PACING:
		return PHASE_PACED;
	case EXIT_UNKNOWN:
		return PHASE_UNNAMED;
	default:
		return PHASE_AVOIDANCE;
	}
}

/* The state while the rounds are examined in order. */
struct walk {
	const struct connection *connection;
	int sender;
	uint32_t event; /* the next event to examine */
	bool lost;      /* a round had retransmissions */
	bool starts;    /* slow start again, after a time-out */
};

/* The packet that ends round i; of the last one that is kept, unknown. */
static uint64_t end_of(const struct rounds *rounds, uint32_t i)
{
	return i + 1 < rounds->count ? rounds->at[i + 1].number : UINT64_MAX;
}

/* The segments that a retransmission contains. */
static uint64_t segments_in(const struct tcp_event *event,
	const struct side *side)
{
	uint64_t bytes = event->to - event->from, most = side->mss_bytes;

	return bytes && most ? (bytes + most - 1) / most : 1;
}

/* The kinds of retransmission that occurred while a round was open, as bits.
 * The round counts them, since the packet that ends it may not be kept. */
static unsigned kinds_in(struct walk *walk, uint32_t i)
{
	const struct connection *connection = walk->connection;
	const struct side *side = &connection->side[walk->sender];
	const struct rounds *rounds = &side->rounds;
	uint64_t from = rounds->at[i].number;
	uint64_t to = end_of(rounds, i), segments = 0;
	bool last = rounds->left_out && i + 1 == rounds->count;
	unsigned kinds = 0;

	for (; walk->event < connection->event_count; walk->event++) {
		const struct tcp_event *event =
			&connection->events[walk->event];

		if (event->number >= to ||
			(last && segments >= rounds->at[i].retransmissions))
			break;
		if (event->kind != EVENT_RETRANSMISSION ||
			event->side != walk->sender || event->number < from)
			continue;
		kinds |= 1u << event->why;
		segments += segments_in(event, side);
	}
	return kinds;
}

static enum net_phase phase_of(struct walk *walk, uint32_t i)
{
	const struct side *side = &walk->connection->side[walk->sender];
	const struct rounds *rounds = &side->rounds;
	const struct round *round = &rounds->at[i];
	const struct slow_start_exit exit = side_exit(side), *end = &exit;
	bool ended =
		end->reason != EXIT_NONE && end->reason != EXIT_END_OF_DATA;
	unsigned kinds = kinds_in(walk, i);

	if (kinds == 1u << RETRANSMIT_SPURIOUS)
		return PHASE_NEEDLESS;
	if (round->retransmissions) {
		enum net_phase phase = lossy(kinds);

		walk->lost = true;
		walk->starts = phase == PHASE_TIME_OUT;
		return phase;
	}
	walk->starts =
		walk->starts && i && round->bytes >= round[-1].bytes * 3 / 2;
	if (walk->starts)
		return PHASE_SLOW_START;
	if ((!ended && !walk->lost) || (ended && i + 1 <= end->round))
		return side->isn_known ? PHASE_SLOW_START : PHASE_UNNAMED;
	if (walk->lost)
		return end->flight_kept ? PHASE_UNNAMED : PHASE_AVOIDANCE;
	return after(end->reason, round);
}

void net_find_phases(const struct connection *connection, int sender,
	uint8_t *phases)
{
	struct walk walk = { .connection = connection, .sender = sender };

	for (uint32_t i = 0; i < connection->side[sender].rounds.count; i++)
		phases[i] = (uint8_t)phase_of(&walk, i);
}

bool net_is_data_again(const struct tcp_event *event)
{
	return event->kind == EVENT_RETRANSMISSION &&
		event->why != RETRANSMIT_FIN;
}

/* Does a phase of its round begin with this event? */
static bool begins(const struct tcp_event *event, enum net_phase phase)
{
	if (!net_is_data_again(event))
		return false;
	if (phase == PHASE_TIME_OUT)
		return event->why == RETRANSMIT_TIMEOUT;
	return phase == PHASE_RECOVERY || phase == PHASE_PROBE ||
		phase == PHASE_NEEDLESS;
}

int64_t net_phase_start(const struct net_scene *scene, uint32_t i)
{
	const struct connection *connection = scene->connection;
	const struct rounds *rounds = net_rounds(scene);
	const struct round *round = &rounds->at[i];
	enum net_phase phase = net_phase(scene, i);

	for (uint32_t k = 0; k < connection->event_count; k++) {
		const struct tcp_event *event = &connection->events[k];

		if (begins(event, phase) && event->side == scene->sender &&
			event->number >= round->number &&
			event->number < end_of(rounds, i))
			return event->t_ns;
	}
	return round->start_ns;
}

const char *net_phase_name(enum net_phase phase)
{
	static const char *const names[] = {
		[PHASE_UNNAMED] = "",
		[PHASE_SLOW_START] = "slow start",
		[PHASE_RECOVERY] = "recovery",
		[PHASE_TIME_OUT] = "time-out",
		[PHASE_PROBE] = "tail probe",
		[PHASE_NEEDLESS] = "needless",
		[PHASE_AVOIDANCE] = "avoidance",
		[PHASE_WINDOW] = "window limits",
		[PHASE_SEND_BUFFER] = "send buffer limits",
		[PHASE_APPLICATION] = "application limits",
		[PHASE_PACED] = "paced",
	};

	return names[phase];
}

/* ---- of the whole connection ---------------------------------------- */

int64_t net_smoothed_rtt(const struct connection *connection,
	const struct side *side)
{
	return side->rtt.samples ? side->rtt.smoothed_ns :
				   handshake_path_ns(&connection->handshake);
}

/* What was not acknowledged may not have arrived. */
static uint64_t arrived_bytes(const struct side *side)
{
	uint64_t left = side->acked_known && side->next > side->acked ?
		side->next - side->acked :
		0;

	return side->payload_bytes > left ? side->payload_bytes - left : 0;
}

double net_goodput(const struct connection *connection, int sender)
{
	const struct side *side = &connection->side[sender];
	int64_t rtt_ns = net_smoothed_rtt(connection, side);
	int64_t took_ns = side->last_data_ns - side->first_data_ns;
	uint64_t bytes = arrived_bytes(side);

	if (!side_is_answered(connection, sender))
		return 0;
	/* The last data is delivered when its ACK is back. */
	if (rtt_ns != UNKNOWN_NS)
		took_ns += rtt_ns;
	if (side->first_data_ns == UNKNOWN_NS || took_ns <= 0)
		return 0;
	return (double)bytes * 8e9 / (double)took_ns;
}

double net_rate_most(const struct connection *connection, int sender)
{
	const struct rounds *rounds = &connection->side[sender].rounds;
	double most = 0;

	if (rounds->basis == ROUNDS_TOO_SHORT)
		return 0;
	/* The ACKs of a round arrive while the next round is open, so that
	 * round's length is the time of its delivery. If the next round has
	 * retransmissions, the data was not all delivered then. */
	for (uint32_t i = 0; i + 2 < rounds->count; i++) {
		const struct round *round = &rounds->at[i];
		double took_s =
			(double)(round[2].start_ns - round[1].start_ns) / 1e9;

		if (took_s > 0 && !round[1].retransmissions)
			most = fmax(most, (double)round->bytes / took_s);
	}
	/* The mean can exceed these rounds by the last two, which are not
	 * judged. */
	return most * 8 < net_goodput(connection, sender) ? 0 : most;
}

unsigned net_rounds_for(const struct connection *connection, int sender,
	uint64_t bytes)
{
	const struct side *side = &connection->side[sender];
	const struct rounds *rounds = &side->rounds;
	uint64_t sum = 0;

	if (!side->isn_known || rounds->basis == ROUNDS_TOO_SHORT ||
		arrived_bytes(side) < bytes)
		return 0;
	for (uint32_t i = 0; i < rounds->count; i++) {
		sum += rounds->at[i].bytes;
		if (sum >= bytes)
			return i + 2;
	}
	return 0;
}

/* ---- in sentences --------------------------------------------------- */

static void say_no_rounds(const struct net_scene *scene, struct text *text)
{
	const struct connection *connection = scene->connection;
	const struct side *side = net_sending(scene);

	if (connection->teardown.reset == RESET_REFUSED &&
		connection->teardown.reset_side != connection->client)
		text_add(text,
			"Refused: a reset (RST) came instead of an "
			"answer.");
	else if (!side->frames && connection->handshake.complete)
		text_add(text, "A connection without data.");
	else if (!side->frames)
		text_add(text, "No connection and no data.");
	else if (side->rounds.basis == ROUNDS_TOO_SHORT)
		text_add(text,
			"A round trip is too short to separate flights: slow "
			"start is not observable.%s",
			scene->source.kind == NET_RUN ? " Use host=link." : "");
	else if (!side_is_answered(connection, scene->sender))
		text_add(text,
			"Rounds are unknown: the other direction is not in "
			"the capture.");
	else
		text_add(text, "Rounds are not distinguishable.");
}

/* Writes how many segments a side retransmitted, and which had no data: "18 (1
 * SYN/ACK, 2 FIN)". */
static void add_resent(const struct connection *connection, int sender,
	struct text *text)
{
	const struct side *side = &connection->side[sender];
	const struct {
		enum retransmission why;
		const char *name;
	} bare[] = { { RETRANSMIT_SYN,
			     sender == connection->client ? "SYN" : "SYN/ACK" },
		{ RETRANSMIT_FIN, "FIN" } };
	const char *before = " (";

	text_add(text, "%llu",
		(unsigned long long)side->retransmitted_segments);
	for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
		uint64_t times = side->retransmissions[bare[i].why];

		if (!times)
			continue;
		text_add(text, "%s%llu %s", before, (unsigned long long)times,
			bare[i].name);
		before = ", ";
	}
	if (before[0] == ',')
		text_add_char(text, ')');
}

static void add_loss(const struct connection *connection, struct text *text)
{
	const char *before = " Retransmitted: ";

	for (int i = 0; i < 2; i++) {
		int sender = i ? !connection->client : connection->client;

		if (!connection->side[sender].retransmitted_segments)
			continue;
		text_add(text, "%s%s ", before, i ? "server" : "client");
		add_resent(connection, sender, text);
		before = ", ";
	}
	text_add(text, before[0] == ',' ? "." : " No retransmission.");
}

void net_say(const struct net_scene *scene, struct text *text)
{
	const struct rounds *rounds;

	if (!scene->connection) {
		text_add(text, "No connection to show.");
		return;
	}
	rounds = net_rounds(scene);
	if (!rounds->count || rounds->basis == ROUNDS_TOO_SHORT ||
		rounds->basis == ROUNDS_NONE) {
		say_no_rounds(scene, text);
		if (scene->connection->side[0].retransmitted_segments ||
			scene->connection->side[1].retransmitted_segments)
			add_loss(scene->connection, text);
		return;
	}
	const struct slow_start_exit exit = side_exit(net_sending(scene));
	/* The pane beside names the other causes: this is one line. */
	const char *words = exit.hystart || exit.unproven ?
		"loss may have ended slow start" :
		side_exit_words(net_sending(scene));
	bool ended =
		exit.reason != EXIT_NONE && exit.reason != EXIT_END_OF_DATA;
	if (ended)
		text_add(text, "Round %u: %s.", exit.round, words);
	else
		text_add(text, "%llu round%s: %s.",
			(unsigned long long)rounds_all(rounds),
			rounds_all(rounds) == 1 ? "" : "s", words);
	add_loss(scene->connection, text);
}
