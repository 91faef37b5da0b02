/* Values derived from a connection, and names of its enumerations. */
#include "connection.h"

#include <string.h>

bool connection_has_end(const struct connection *connection,
	const struct endpoint *wanted)
{
	size_t bytes = wanted->version == 6 ? 16 : 4;

	for (int side = 0; side < 2; side++) {
		const struct endpoint *end = &connection->end[side];

		if (wanted->version &&
			(end->version != wanted->version ||
				memcmp(end->address, wanted->address, bytes) !=
					0))
			continue;
		if (!wanted->port || end->port == wanted->port)
			return true;
	}
	return false;
}

bool side_is_answered(const struct connection *connection, int side)
{
	return connection->side[side_peer(connection, side)].packets > 0;
}

uint64_t side_stream_bytes(const struct side *side)
{
	uint64_t highest = side_highest(side);
	bool fin = side->fin_seen && highest > side->first;

	return side->started && highest - side->first > fin ?
		highest - side->first - fin :
		0;
}

bool side_lacks_end(const struct side *side)
{
	return side_highest(side) > side->next;
}

int64_t side_zero_window_ns(const struct connection *connection, int i)
{
	const struct side *side = &connection->side[i];
	int64_t sum_ns = side->zero_window_ns;

	if (side->zero_since_ns == UNKNOWN_NS ||
		side->zero_since_ns >= connection->last_ns ||
		!__builtin_add_overflow(sum_ns,
			connection->last_ns - side->zero_since_ns, &sum_ns))
		return sum_ns;
	return INT64_MAX;
}

int64_t side_full_open_ns(const struct side *side, int64_t end_ns)
{
	int64_t from_ns = side->full_since_ns;

	if (from_ns == UNKNOWN_NS)
		return 0;
	if (side->full_until_ns != UNKNOWN_NS && side->full_until_ns < end_ns)
		end_ns = side->full_until_ns;
	if (side->recover && side->recovery_since_ns < end_ns)
		end_ns = side->recovery_since_ns;
	if (side->recovered_ns != UNKNOWN_NS && side->recovered_ns > from_ns)
		from_ns = side->recovered_ns;
	return end_ns > from_ns ? end_ns - from_ns : 0;
}

static int64_t sum_of_spans(int64_t one_ns, int64_t two_ns)
{
	return one_ns > INT64_MAX - two_ns ? INT64_MAX : one_ns + two_ns;
}

int64_t side_full_ns(const struct side *side, uint32_t i, int64_t end_ns)
{
	int64_t full_ns = side->rounds.at[i].full_ns;
	int64_t open_ns = i + 1 == side->rounds.count + side->rounds.left_out ?
		side_full_open_ns(side, end_ns) :
		0;

	return sum_of_spans(full_ns, open_ns);
}

int64_t side_full_all_ns(const struct side *side, int64_t end_ns)
{
	return sum_of_spans(side->full_ns, side_full_open_ns(side, end_ns));
}

uint64_t side_in_flight(const struct side *side)
{
	uint64_t low = side->acked_known ? side->acked : side->first;
	uint64_t sent = side->next > low ? side->next - low : 0;

	return sent > side->sacked_bytes ? sent - side->sacked_bytes : 0;
}

uint64_t side_segment_bytes(const struct side *side)
{
	uint64_t most = side->mss_bytes;

	return side->largest_bytes && side->largest_bytes < most ?
		side->largest_bytes :
		most;
}

bool side_counts_packets(const struct side *side)
{
	return !side->mss_bytes &&
		side->largest_bytes > ETHERNET_SEGMENT_BYTES;
}

uint64_t side_segments(const struct side *side, uint64_t bytes, uint64_t frames)
{
	uint64_t size = side_segment_bytes(side);

	return size ? (bytes + size - 1) / size : frames;
}

uint64_t side_segments_about(const struct side *side, uint64_t bytes,
	uint64_t frames)
{
	uint64_t size = side_segment_bytes(side);

	if (!size)
		return frames;
	return bytes && bytes < size ? 1 : (bytes + size / 2) / size;
}

double side_growth(const struct side *side, uint32_t i)
{
	const struct round *round = i ? &side->rounds.at[i] : NULL;
	uint64_t size = side_segment_bytes(side);

	if (!round || !round[-1].bytes)
		return 0;
	uint64_t bytes = round->bytes > size ? round->bytes : size;
	uint64_t before = round[-1].bytes > size ? round[-1].bytes : size;
	return (double)bytes / (double)before;
}

bool side_is_near(const struct connection *connection, int side)
{
	switch (connection->tap) {
	case TAP_LOOPBACK:
		return true;
	case TAP_CLIENT:
		return side == connection->client;
	case TAP_SERVER:
		return side != connection->client;
	default:
		return false;
	}
}

enum rounds_basis side_rounds_basis(const struct connection *connection,
	int side)
{
	const struct rounds *rounds = &connection->side[side].rounds;
	bool late = connection->side[0].recorded_late ||
		connection->side[1].recorded_late;

	bool coarse = rounds->basis == ROUNDS_ECHO && rounds->vague;

	return coarse || (rounds->blurred && late) ? ROUNDS_ESTIMATED :
						     rounds->basis;
}

/* From the first of several tries to the one that a leg begins with, or 0. */
static int64_t tries_waited_ns(const struct tries *tries, const struct leg *leg)
{
	for (uint32_t i = 1; i < tries->count && i < TRIES_MAX; i++)
		if (tries->at[i].number == leg->from)
			return tries->at[i].t_ns - tries->at[0].t_ns;
	return 0;
}

const struct try *tries_last(const struct tries *tries)
{
	uint32_t kept = tries->count < TRIES_MAX ? tries->count : TRIES_MAX;

	return kept ? &tries->at[kept - 1] : NULL;
}

bool tries_again(const struct tries *tries, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (tries->at[k].side == tries->at[i].side)
			return true;
	return false;
}

/* True if it is unknown which SYN/ACK was answered. A client that sent its SYN
 * again after a SYN/ACK lacked that one. */
static bool is_answer_ambiguous(const struct handshake *handshake)
{
	const struct try *syn = tries_last(&handshake->syn);

	return handshake->b.state == LEG_AMBIGUOUS &&
		!(syn && syn->t_ns > handshake->synack.at[0].t_ns);
}

struct handshake_wait handshake_wait(const struct handshake *handshake)
{
	int64_t syn_ns = tries_waited_ns(&handshake->syn, &handshake->a);

	if (handshake->simultaneous)
		return (struct handshake_wait){ 0 };
	if (syn_ns > 0)
		return (struct handshake_wait){ .ns = syn_ns,
			.syn = true,
			.certain = handshake->a.state != LEG_AMBIGUOUS };
	return (struct handshake_wait){
		.ns = tries_waited_ns(&handshake->synack, &handshake->b),
		.certain = !is_answer_ambiguous(handshake),
	};
}

int64_t handshake_path_ns(const struct handshake *handshake)
{
	return handshake->a.state == LEG_AMBIGUOUS ||
			is_answer_ambiguous(handshake) ?
		UNKNOWN_NS :
		handshake->path_ns;
}

int connection_sender(const struct connection *connection)
{
	return connection->side[1].payload_bytes >
		connection->side[0].payload_bytes;
}

#define NAMES(function, type, count, ...)                               \
	const char *function(type value)                                \
	{                                                               \
		static const char *const names[] = { __VA_ARGS__ };     \
		_Static_assert(sizeof names / sizeof *names == (count), \
			"a word for each");                             \
		return (unsigned)value < (count) ? names[value] : "?";  \
	}

NAMES(event_name, enum event_kind, EVENT_KINDS, "syn_again", "synack_again",
	"syn_mismatch", "retransmission", "reordered", "gap", "capture_gap",
	"third_duplicate_ack", "dsack", "zero_window", "zero_window_probe",
	"window_open", "window_full", "keepalive", "idle_restart", "ecn_echo",
	"cwr", "mtu", "fin_early", "fin_again", "reset", "wscale_clamped",
	"slow_start_exit", "recorded_late", "beyond_window",
	"reordered_or_sent_again", "unsent_acknowledged")
NAMES(retransmission_name, enum retransmission, RETRANSMISSIONS, "timeout",
	"tail_probe", "timeout_or_tail_probe", "fast", "rack", "recovery",
	"again", "spurious", "unknown", "fin", "syn")
NAMES(exit_name, enum exit_reason, EXIT_REASONS, "none", "loss", "ecn",
	"receive_window", "application", "hystart", "hystart_delay",
	"hystart_train", "pacing", "end_of_data", "unknown",
	"send_buffer")
NAMES(close_name, enum close_kind, CLOSES, "none", "orderly", "simultaneous",
	"half", "reset", "refused", "unanswered", "timed_out")
NAMES(reset_name, enum reset_kind, RESETS, "none", "refused", "abort",
	"after_fin", "suspicious")
NAMES(tap_name, enum tap, TAP_LOOPBACK + 1, "unknown", "client", "server",
	"middle", "loopback")
NAMES(tap_basis_name, enum tap_basis, TAP_HOST + 1, "none", "told",
	"handshake_legs", "addresses", "host")
NAMES(points_name, enum tap_points, POINTS_KINDS, "one", "interfaces", "hops",
	"order")
NAMES(role_basis_name, enum role_basis, ROLE_GUESSED + 1, "syn", "synack",
	"guessed")
NAMES(rounds_basis_name, enum rounds_basis, ROUNDS_TOO_SHORT + 1, "none",
	"timestamp_echo", "ack_clock", "estimated", "too_short")
NAMES(initial_window_name, enum initial_window_state, INITIAL_WINDOW_STATES,
	"unknown", "whole", "cut_by_application", "cut_by_window",
	"cut_by_loss", "recorded_late", "not_observable", "not_grown")
NAMES(leg_state_name, enum leg_state, LEG_STATES, "known", "unseen",
	"ambiguous", "out_of_order", "untimed")
