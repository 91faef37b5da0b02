/*
 * Where one round ends and the next begins, when packets between them are lost;
 * and the initial window, which is the first round up to there.
 *
 * What is lost between two rounds counts to the earlier one (rounds.c). Not to
 * the initial window: what the sender's tap saw sent later is taken off again,
 * and elsewhere it may end anywhere in what was lost.
 */
#include "annotate_internal.h"

/* The first data that was seen opened the first round, and is not the first
 * that was sent: so what was skipped is of that too. Numbers that are missing
 * besides may be of a whole flight. */
void edges_front(struct step *step)
{
	struct rounds *rounds = &step->self->rounds;

	rounds->edge_unknown = step->self->numbering.lost;
	rounds->at[0].first -= step->gap_bytes;
	rounds_gap(step);
}

/* So many bytes, of what goes to the first round, may be of the second: what
 * was skipped between them, and what echoes nothing that could tell. */
void edges_between(struct step *step, uint64_t bytes)
{
	struct rounds *rounds = &step->self->rounds;

	if (!bytes)
		return;
	rounds->edge_unknown = true;
	rounds->edge_bytes += bytes;
	rounds->edge_segments += side_segments(step->self, bytes);
}

/* Has the receiver said that it has something behind a position? Who cannot
 * select says so by duplicates, and goes on to recover. */
static bool has_behind(const struct step *step, uint64_t position)
{
	const struct side *self = step->self;
	const struct ranges *sacked = &self->sacked;

	if (sacked->count)
		return ranges_at(sacked, sacked->count - 1)->to > position;
	if (self->dupacks)
		return true;
	return !(step->peer->offer.options.present & OPTION_SACK_PERMITTED) &&
		self->recover > position;
}

/* Round i began behind `to`. */
static void move_edge(struct rounds *rounds, const struct side *self,
	uint32_t i, uint64_t to)
{
	struct round *last = &rounds->at[i], *before = last - 1;
	uint64_t bytes = to - last->first;

	if (bytes > last->bytes)
		bytes = last->bytes;
	uint64_t segments = side_segments(self, bytes);
	if (segments > last->segments)
		segments = last->segments;
	before->bytes += bytes;
	before->segments += segments;
	last->bytes -= bytes;
	last->segments -= segments;
	last->first += bytes;
	if (i == 1) {
		rounds->edge_bytes += bytes;
		rounds->edge_segments += segments;
	}
}

static void move_edges(struct side *self, uint32_t i, uint64_t to)
{
	struct rounds *rounds = &self->rounds;
	const struct round *last = &rounds->at[i];

	move_edge(rounds, self, i, to);
	/* What lies behind that may have been sent again before. */
	uint32_t k = ranges_find(&self->again, last->first);
	while (k < self->again.count &&
		ranges_at(&self->again, k)->from <= last->first &&
		last->bytes) {
		move_edge(rounds, self, i, ranges_at(&self->again, k)->to);
		k++;
	}
}

/* From here to there was sent again, while other data had arrived from behind
 * it: a round may have lost its beginning. */
void edges_again(struct step *step, uint64_t from, uint64_t to)
{
	struct side *self = step->self;
	struct rounds *rounds = &self->rounds;

	if (rounds->basis != ROUNDS_ECHO || rounds->count < 2 ||
		!side_is_near(step->connection, step->side) ||
		!has_behind(step, to))
		return;
	for (uint32_t i = rounds->count; i-- > 1;) {
		if (rounds->at[i].first < from)
			break;
		if (rounds->at[i].first < to)
			move_edges(self, i, to);
	}
}

static enum initial_window_state window_state(const struct side *self,
	uint64_t bytes)
{
	const struct rounds *rounds = &self->rounds;
	const struct round *first = &rounds->at[0];

	if (first->window_full)
		return WINDOW_CUT_BY_PEER;
	if (rounds->edge_unknown)
		return WINDOW_CUT_BY_LOSS;
	if (rounds->count == 1 || first->app_limited ||
		bytes % (self->mss_bytes ? self->mss_bytes : 1))
		return WINDOW_CUT_BY_APP;
	return WINDOW_WHOLE;
}

struct initial_window side_initial_window(const struct connection *connection,
	int side)
{
	const struct side *self = &connection->side[side];
	const struct rounds *rounds = &self->rounds;
	struct initial_window window = { .state = WINDOW_UNKNOWN };

	if (rounds->basis == ROUNDS_TOO_SHORT)
		window.state = WINDOW_NOT_OBSERVABLE;
	else if (self->isn_known && rounds->count &&
		rounds->at[0].segments > rounds->edge_segments) {
		const struct round *first = &rounds->at[0];

		window.segments = first->segments - rounds->edge_segments;
		window.bytes = first->bytes - rounds->edge_bytes;
		window.state = window_state(self, window.bytes);
	}
	return window;
}
