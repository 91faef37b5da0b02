/* Sums of the packets of a round, and what reduced the congestion window in
 * it. */
#include "annotate_internal.h"

void round_count(const struct side *side, struct round *round)
{
	round->segments =
		side_segments_about(side, round->bytes, round->frames);
}

void round_add(struct round *round, const struct sent *added)
{
	round->last_ns = added->t_ns;
	round->bytes += added->bytes;
	round->frames++;
	round->short_frames += added->after_short;
	round->unprompted_bytes += added->unprompted_bytes;
	if (added->in_flight_bytes > round->in_flight_bytes)
		round->in_flight_bytes = added->in_flight_bytes;
}

/* ---- reductions -------------------------------------------------------- */

static struct reduction begin_reduction(const struct step *step, bool before)
{
	const struct side *self = step->self;
	const struct packet *packet = step->packet;
	uint64_t all = rounds_all(&self->rounds);

	return (struct reduction){
		.from = step->from,
		.number = packet->number,
		.oldest = self->acked,
		.stamped = self->acked_known && step->from <= self->acked &&
			packet->options.present & OPTION_TIMESTAMPS,
		.tsval = packet->options.tsval,
		.round = all ? (uint32_t)all - 1 : 0,
		.before = before,
		.recovery_ns = self->recovery_ns,
	};
}

void reduction_add(struct step *step, uint64_t to, uint64_t bytes)
{
	struct side *self = step->self;
	struct rounds *rounds = &self->rounds;
	struct reduction *reduction = &rounds->reduction;
	struct round *round = round_open(rounds);

	if (reduction->disproved && self->recover)
		self->recovery_since_ns = step->packet->t_ns;
	if (reduction->disproved || self->acked >= reduction->end)
		*reduction = begin_reduction(step, round && round->reduced);
	if (step->from < reduction->from)
		reduction->from = step->from;
	if (to > reduction->to)
		reduction->to = to;
	reduction->bytes += bytes;
	reduction->end = self->next;
	if (round)
		round->reduced = true;
}

/* Nothing was lost: the sender may restore its window. */
static void disprove(struct side *sender)
{
	struct rounds *rounds = &sender->rounds;
	struct reduction *reduction = &rounds->reduction;

	reduction->disproved = true;
	sender->recovery_ns = reduction->recovery_ns;
	for (uint32_t i = reduction->round; i < rounds->count; i++)
		rounds->at[i].reduced =
			i == reduction->round && reduction->before;
}

void reduction_needless(struct side *sender, uint64_t from, uint64_t to)
{
	struct reduction *reduction = &sender->rounds.reduction;

	if (from < reduction->from)
		from = reduction->from;
	if (to > reduction->to)
		to = reduction->to;
	if (from >= to || reduction->disproved)
		return;
	reduction->needless_bytes += to - from;
	if (reduction->needless_bytes >= reduction->bytes)
		disprove(sender);
}

void reduction_acked(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;
	struct reduction *reduction = &sender->rounds.reduction;
	const struct tcp_options *options = &step->packet->options;

	if (!reduction->stamped || ack <= reduction->oldest)
		return;
	reduction->stamped = false;
	if (!(options->present & OPTION_TIMESTAMPS))
		return;
	if (timestamps_reach(options->tsecr, reduction->tsval)) {
		slowstart_proved(sender, reduction->number);
		return;
	}
	if (!reduction->disproved)
		disprove(sender);
	slowstart_disproved(sender, reduction->number);
}

bool rounds_unprompted(const struct rounds *rounds)
{
	bool unprompted = false;

	for (uint32_t i = 1; i < rounds->count; i++)
		unprompted |= rounds->at[i].unprompted_bytes * 4 >
			rounds->at[i].bytes;
	return unprompted;
}
