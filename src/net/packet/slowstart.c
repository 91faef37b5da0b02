/* Finds why the congestion window stopped doubling: at the first loss or mark,
 * or when two consecutive rounds did not grow. A full receive window ends slow
 * start, unless doubling continues when the window is wider. The thresholds of
 * HyStart are those of the Linux kernel (tcp_cubic.c) and RFC 9406. */
#include "annotate_internal.h"

#include <string.h>

#include "tcpinfo_log.h"

enum {
	SLOW_ROUNDS = 2,
	HYSTART_LEAST_SEGMENTS = 16,
	QUEUE_SAMPLES = 3, /* of a round, and such rounds, that show a queue: */
	QUEUE_ROUNDS = 2,  /* a single sample may be a late acknowledgement */
	DELAY_LEAST_NS = 4000000,
	DELAY_MOST_NS = 16000000,
	PROMPT_NS = 2000000, /* from an ACK to the data that it released; or */
	PROMPT_SHARE = 16,   /* this part of a round trip, if that is longer */
	SHORT_FRAMES = 2,
};

static void end_at(struct step *step, int side, enum exit_reason reason,
	bool certain)
{
	struct side *self = &step->connection->side[side];
	struct slow_start_exit *end = &self->rounds.exit;

	if (end->reason != EXIT_NONE || !self->rounds.count ||
		!side_is_answered(step->connection, side))
		return;
	*end = (struct slow_start_exit){
		.reason = reason,
		.certain = certain,
		.round = (uint32_t)rounds_all(&self->rounds),
		.evidence = step->packet->number,
		.t_ns = step->packet->t_ns,
		.in_flight_bytes = self->in_flight_most_bytes,
	};
	if (reason != EXIT_END_OF_DATA)
		event_add(step, side, EVENT_EXIT, reason, 0, 0);
}

/* True if a round grew by less than a quarter. */
static bool is_slow(const struct rounds *rounds, uint32_t i)
{
	return i && rounds->at[i].bytes * 4 < rounds->at[i - 1].bytes * 5;
}

/* Smaller growth than in any slow start (1.6 and more): the round was cut
 * short. */
static bool is_short(const struct rounds *rounds, uint32_t i)
{
	return i && rounds->at[i].bytes * 10 < rounds->at[i - 1].bytes * 16;
}

/* The first round that may contain the end of growth, from 0: the round before
 * the first slow one, unless it doubled. */
static uint32_t first_possible(const struct rounds *rounds, uint32_t slow)
{
	uint32_t i = slow - 1;
	bool doubled =
		i && rounds->at[i].bytes * 20 > rounds->at[i - 1].bytes * 39;

	return doubled ? slow : i;
}

static int64_t shorter(int64_t a_ns, int64_t b_ns)
{
	if (a_ns == UNKNOWN_NS || b_ns == UNKNOWN_NS)
		return a_ns == UNKNOWN_NS ? b_ns : a_ns;
	return a_ns < b_ns ? a_ns : b_ns;
}

/* The minimum round trip of the rounds before `before`. That of the handshake
 * is shorter on a slow path, since its packets are small. */
static int64_t base_rtt(const struct connection *connection,
	const struct rounds *rounds, uint32_t before)
{
	int64_t base_ns = UNKNOWN_NS;

	for (uint32_t i = 0; i < before; i++)
		base_ns = shorter(base_ns, rounds->at[i].rtt_ns);
	return base_ns == UNKNOWN_NS ? connection->handshake.path_ns : base_ns;
}

/* The increase of round trips that ends HyStart's slow start. */
static int64_t delay_of(int64_t base_ns)
{
	int64_t more_ns = base_ns / 8;

	if (more_ns < DELAY_LEAST_NS)
		return DELAY_LEAST_NS;
	return more_ns > DELAY_MOST_NS ? DELAY_MOST_NS : more_ns;
}

static bool is_delayed(int64_t rtt_ns, int64_t base_ns)
{
	return rtt_ns != UNKNOWN_NS && base_ns != UNKNOWN_NS &&
		rtt_ns >= base_ns + delay_of(base_ns);
}

bool round_is_delayed(const struct round *round, int64_t *base_ns)
{
	bool delayed = round->rtt_samples >= QUEUE_SAMPLES &&
		is_delayed(round->rtt_ns, *base_ns);

	*base_ns = shorter(*base_ns, round->rtt_ns);
	return delayed;
}

bool side_is_delayed(const struct connection *connection, int side)
{
	const struct rounds *rounds = &connection->side[side].rounds;
	int64_t base_ns = connection->handshake.path_ns;
	uint32_t delayed = 0;

	for (uint32_t i = 0; i < rounds->count; i++)
		delayed += round_is_delayed(&rounds->at[i], &base_ns);
	return side_is_near(connection, side) && delayed >= QUEUE_ROUNDS;
}

/* The criterion of HyStart that the acknowledgements of a round meet. */
static enum exit_reason sign_of(const struct connection *connection,
	const struct rounds *rounds, uint32_t i)
{
	const struct round *round = &rounds->at[i];
	int64_t base_ns = base_rtt(connection, rounds, i);

	if (round->rtt_samples >= EARLY_SAMPLES &&
		is_delayed(round->early_rtt_ns, base_ns))
		return EXIT_HYSTART_DELAY;
	return base_ns != UNKNOWN_NS && round->train_ns > base_ns / 2 ?
		EXIT_HYSTART_TRAIN :
		EXIT_HYSTART;
}

/* The end of growth by the criteria of HyStart. A round is sent while the data
 * of the previous one is acknowledged. */
static struct slow_start_exit hystart_end(const struct connection *connection,
	const struct rounds *rounds, uint32_t slow)
{
	uint32_t from = first_possible(rounds, slow);
	uint32_t to = is_short(rounds, slow - 1) ? slow - 1 : slow;

	for (uint32_t i = from; i <= to; i++) {
		enum exit_reason sign =
			i ? sign_of(connection, rounds, i - 1) : EXIT_HYSTART;

		if (sign != EXIT_HYSTART)
			return (struct slow_start_exit){ .reason = sign,
				.round = i + 1 };
	}
	return (struct slow_start_exit){ .reason = EXIT_HYSTART,
		.round = from + 1 };
}

/* True if the packet did not follow the acknowledgement that the sender last
 * knew: the application wrote only then, or the data is paced. Beside the
 * receiver, waiting in a queue of the path looks the same. */
static bool is_unprompted(const struct step *step)
{
	const struct side *self = step->self;
	int64_t rtt_ns = rtt_best(step->connection, self);

	if (!side_is_near(step->connection, step->side) ||
		rtt_ns == UNKNOWN_NS || self->progress_ns == UNKNOWN_NS)
		return false;
	int64_t prompt_ns = rtt_ns / PROMPT_SHARE;
	return step->packet->t_ns - self->progress_ns >
		(prompt_ns < PROMPT_NS ? PROMPT_NS : prompt_ns);
}

void slowstart_released(struct step *step, bool opened, struct sent *added)
{
	struct rounds *rounds = &step->self->rounds;
	uint64_t size = side_segment_bytes(step->self);

	added->after_short = !opened && rounds->short_before;
	added->unprompted_bytes = is_unprompted(step) ? added->bytes : 0;
	rounds->short_before = size && step->packet->payload_bytes % size;
}

/* True if the application wrote less in this round than the window allowed: in
 * pieces that are no whole segments, or when no acknowledgement released it. */
static bool is_written(const struct round *round, bool paced)
{
	return round->short_frames >= SHORT_FRAMES ||
		(!paced && round->unprompted_bytes * 2 > round->bytes);
}

/* True if the send buffer limits the rounds: the sender sends the whole buffer
 * in each round. Rounds within the usual initial window (RFC 6928) may be what
 * an application writes in a round trip. */
static bool fills_buffer(const struct step *step, uint32_t last)
{
	const struct side *side = step->self;
	const struct round *round = &side->rounds.at[last];
	uint64_t size = side_segment_bytes(side);
	int64_t rtt_ns = rtt_best(step->connection, side);

	/* The sender waits for the room that an acknowledgement makes. An
	 * application may wait longer. */
	if (!side_is_near(step->connection, step->side) &&
		rtt_ns != UNKNOWN_NS &&
		round->start_ns - round[-1].start_ns > rtt_ns / 4 * 5)
		return false;
	return size && round->bytes % size && round->bytes == round[-1].bytes &&
		round->bytes > INITIAL_SEGMENTS * size;
}

static bool is_paced(const struct step *step)
{
	const struct annotator_options *options = step->options;

	return options->paced ||
		(options->tcpinfo &&
			tcpinfo_is_paced(options->tcpinfo, step->connection));
}

/* The first of the rounds as long as round `last`, from 1. */
static uint32_t first_as_long(const struct rounds *rounds, uint32_t last)
{
	while (last && rounds->at[last - 1].bytes == rounds->at[last].bytes)
		last--;
	return last + 1;
}

/* Why rounds stopped growing, and in which they did. `slow`: the first slow
 * round, `last`: the last one, from 0. */
static struct slow_start_exit by_growth(const struct step *step, uint32_t slow,
	uint32_t last)
{
	const struct side *self = step->self;
	const struct rounds *rounds = &self->rounds;
	const struct round *round = &rounds->at[last];
	uint64_t size = side_segment_bytes(self);
	bool paced = is_paced(step);
	bool written = is_written(round, paced) && is_written(round - 1, paced);
	struct slow_start_exit end = {
		.reason = EXIT_UNKNOWN,
		.round = first_possible(rounds, slow) + 1,
	};

	/* Equal answers to requests look like a full send buffer. */
	bool asked = round->asked && round[-1].asked;
	if (!written && fills_buffer(step, last))
		return (struct slow_start_exit){ .reason = asked ?
				EXIT_APPLICATION :
				EXIT_SEND_BUFFER,
			.round = first_as_long(rounds, last) };
	if (basis_is_short(step))
		; /* a pause of the application may be too short to be seen */
	else if (paced)
		end.reason = EXIT_PACING;
	else if (written)
		end = (struct slow_start_exit){ .reason = EXIT_APPLICATION,
			.round = slow + 1 };
	else if (round->segments >= HYSTART_LEAST_SEGMENTS) {
		/* Estimated rounds do not show why growth stopped. */
		if (rounds->basis != ROUNDS_ESTIMATED)
			end = hystart_end(step->connection, rounds, slow);
	}
	/* The round contains all data if it ends with an incomplete segment. */
	else if (size && round->bytes % size)
		end.reason = EXIT_APPLICATION;
	return end;
}

/* Growth had stopped before round `last` ended. */
static void end_by_growth(struct step *step, uint32_t last)
{
	struct rounds *rounds = &step->self->rounds;
	uint32_t slow = last;

	if (rounds->exit.reason != EXIT_NONE ||
		!side_is_answered(step->connection, step->side))
		return;
	while (slow > 1 && is_slow(rounds, slow - 1))
		slow--;
	struct slow_start_exit end = by_growth(step, slow, last);
	const struct round *next = &rounds->at[end.round];
	end.evidence = next->number;
	end.t_ns = next->start_ns;
	for (uint32_t i = 0; i < end.round; i++)
		if (rounds->at[i].in_flight_bytes > end.in_flight_bytes)
			end.in_flight_bytes = rounds->at[i].in_flight_bytes;
	rounds->exit = end;
	event_add_of(step, step->side, EVENT_EXIT, end.reason,
		&(struct byte_range){ .t_ns = end.t_ns,
			.number = end.evidence });
}

/* True if a later round carried more than filled windows had allowed: either
 * without filling its window, or because the window grew by half. The last
 * data may be shorter than its window: it shows no growth. */
static bool has_resumed(const struct rounds *rounds)
{
	uint32_t last = rounds->count - 1;
	const struct round *round = &rounds->at[last];

	if (last < rounds->exit.round)
		return false;
	uint64_t most = slowstart_most_bytes(rounds);
	/* Two flights that nothing separates are no longer window. */
	uint64_t bytes = round->bytes;
	if (round->in_flight_bytes && round->in_flight_bytes < bytes)
		bytes = round->in_flight_bytes;
	if (!round->window_full)
		return bytes * 10 > greater(most, rounds->filled_bytes) * 11;
	uint64_t filled = greater(most,
		rounds->at[rounds->exit.round - 1].window_bytes);
	return bytes * 2 > most * 3 &&
		round->window_bytes * 2 > filled * 3;
}

/* Withdraws an end by the receive window: the receiver was late or its window
 * was still growing. The actual end of slow start comes later. */
static void withdraw_window(struct connection *connection, int side)
{
	struct rounds *rounds = &connection->side[side].rounds;

	for (uint32_t i = connection->event_count; i-- > 0;) {
		struct tcp_event *event = &connection->events[i];

		if (event->kind != EVENT_EXIT || event->side != side)
			continue;
		connection->event_count--;
		memmove(event, event + 1,
			(connection->event_count - i) * sizeof *event);
		break;
	}
	rounds->exit = (struct slow_start_exit){ 0 };
	rounds->slow_rounds = 0;
}

static void note_resumed(struct connection *connection, int side)
{
	struct rounds *rounds = &connection->side[side].rounds;

	if (rounds->exit.reason != EXIT_WINDOW)
		slowstart_resumed(connection, side);
	else if (has_resumed(rounds))
		withdraw_window(connection, side);
}

/* True if the sender knew of a loss when it sent the round: until the loss is
 * certain, a short round has no other meaning. */
static bool is_after_loss(const struct side *side, const struct round *round)
{
	return (side->sacked.count || side->dupacks) &&
		side->acked < round->first;
}

/* True if HyStart may have stopped the growth shortly before the end that is
 * seen: the congestion window of at most `most_bytes` was long enough, or is
 * unknown (0), and the acknowledgements meet a criterion, or are not visible
 * when the sender has them. */
static bool may_be_hystart(const struct step *step, uint64_t most_bytes)
{
	const struct side *self = step->self;
	const struct rounds *rounds = &self->rounds;
	uint64_t size = side_segment_bytes(self);
	bool met = is_delayed(self->rtt.last_ns,
		base_rtt(step->connection, rounds, rounds->count));

	if (is_paced(step) ||
		(most_bytes && most_bytes < HYSTART_LEAST_SEGMENTS * size))
		return false;
	for (uint32_t i = rounds->count; i-- > 0 && i + 2 >= rounds->count;)
		met |= sign_of(step->connection, rounds, i) != EXIT_HYSTART;
	return met || !side_is_near(step->connection, step->side);
}

/* Call when a round is complete and the next is about to open. */
void slowstart_round(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;
	uint32_t last = rounds->count - 1;
	const struct round *round = &rounds->at[last];

	if (rounds->left_out)
		return;
	note_resumed(step->connection, step->side);
	if (round->window_full)
		rounds->filled_bytes =
			greater(rounds->filled_bytes, round->bytes);
	if (rounds->exit.reason != EXIT_NONE ||
		is_after_loss(step->self, round))
		return;
	/* A flight that grew may be followed by a loss. */
	bool idle = round->app_limited ?
		last > 0 :
		round->silent && is_short(rounds, last);
	/* Around a repeat, a silence may be a wait for acknowledgements. */
	if (idle && !round->window_full && !round->retransmissions) {
		/* Away from the sender's tap this is only inferred from time.
		 * Linux lets the window grow to twice the flight. */
		end_at(step, step->side, EXIT_APPLICATION,
			side_is_near(step->connection, step->side) &&
				!may_be_hystart(step,
					2 * step->self->in_flight_most_bytes));
		return;
	}
	/* An answer as long as the window may have been all data there was. */
	bool seen = rounds->basis != ROUNDS_ESTIMATED && !rounds_asked(step);
	if (!is_slow(rounds, last)) {
		rounds->slow_rounds = 0;
		if (round->window_full &&
			(last ? round->bytes * 2 <
						rounds->at[last - 1].bytes * 3 :
				step->self->window_fulls &&
					!round->window_over))
			end_at(step, step->side, EXIT_WINDOW, seen);
		return;
	}
	if (round->window_full)
		end_at(step, step->side, EXIT_WINDOW, seen);
	else if (rounds->basis == ROUNDS_ESTIMATED && rounds->blurred == 1)
		; /* not even the first flight had a visible end */
	else if (++rounds->slow_rounds >= SLOW_ROUNDS)
		end_by_growth(step, last);
}

/* Call for a retransmission. If the window had stopped growing before, and the
 * open round has not grown, the cause was another one. */
void slowstart_loss(struct step *step, uint64_t to, enum discard discard)
{
	struct rounds *rounds = &step->self->rounds;

	note_resumed(step->connection, step->side);
	if (rounds->slow_rounds && rounds->count > 1 && !is_paced(step) &&
		is_slow(rounds, rounds->count - 1) &&
		rounds->at[rounds->count - 2].segments >=
			HYSTART_LEAST_SEGMENTS)
		end_by_growth(step, rounds->count - 2);
	else
		end_at(step, step->side, EXIT_LOSS, true);
	bool proven = discard == DISCARD_CERTAIN || slowstart_is_proven(step);
	if (proven && rounds->exit.round == rounds_all(rounds))
		rounds->exit.unproven = false;
	if (rounds->exit.evidence == step->packet->number) {
		rounds->exit.unproven = !proven;
		rounds->exit.from = step->from;
		rounds->exit.to = to;
		rounds->exit.discarded = discard == DISCARD_CERTAIN;
		rounds->exit.beyond = discard == DISCARD_POSSIBLE;
		rounds->exit.probe =
			step->sighting->why == RETRANSMIT_TAIL_PROBE;
		/* A paced sender need not answer a loss (BBR). */
		rounds->exit.hystart = is_paced(step) ||
			rounds_unprompted(rounds) ||
			may_be_hystart(step, step->self->in_flight_most_bytes);
	}
}

/* True if the sender knew that the data up to `to` was acknowledged. */
static bool is_known(const struct step *step, uint64_t to)
{
	const struct packet *packet = step->packet;
	const struct tcp_echo *echo =
		packet->options.present & OPTION_TIMESTAMPS ?
		echo_find(step->peer, packet->options.tsecr) :
		NULL;

	return side_is_near(step->connection, step->side) ||
		(echo && echo->acked >= to);
}

void slowstart_spurious(struct step *step, uint64_t to)
{
	if (is_known(step, to))
		return;
	slowstart_loss(step, to, DISCARD_NONE);
	slowstart_disproved(step->self, step->packet->number);
}

void slowstart_end(struct step *step, int side, enum exit_reason reason)
{
	note_resumed(step->connection, side);
	end_at(step, side, reason, true);
}
