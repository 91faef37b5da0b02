/*
 * Bytes that were acknowledged before they were recorded.
 *
 * A capture of several queues may record an acknowledgement before its data.
 * After LATE_NS the missing bytes are reported as lost by the capture. If data
 * still arrives for them, the report is withdrawn: it is their first copy in
 * this capture.
 */
#include "annotate_internal.h"

static void forget_oldest(struct ranges *unseen)
{
	uint32_t half = unseen->count / 2;

	ranges_prune(unseen, ranges_at(unseen, half)->from, NULL);
}

/* `range` is a hole, or has no time. */
static void add(struct step *step, struct byte_range range)
{
	struct side *sender = step->peer;
	/* A direction that was not captured has no gaps. */
	bool gap = !range.skipped && sender->packets;

	range.t_ns = step->packet->t_ns;
	range.number = step->packet->number;
	range.times = !gap;
	sender->gap_bytes += range.to - range.from;
	sender->gaps_open++;
	sender->gaps += gap;
	step->facts->gaps += gap;
	step->sighting->marks |= MARK_CAPTURE_GAP;
	if (sender->unseen.count == RANGES_MAX)
		forget_oldest(&sender->unseen);
	if (!ranges_insert(&sender->unseen, step->store, &range)) {
		sender->ranges_lost++;
		step->facts->left_out++;
	}
}

void unseen_before(struct step *step, uint64_t from, uint64_t to, int64_t t_ns)
{
	struct side *self = step->self;
	const struct byte_range range = {
		.from = from,
		.to = to,
		.t_ns = t_ns,
		.number = step->packet->number,
		.times = 1,
	};

	if (ranges_overlap(&self->unseen, from, to) ||
		!ranges_insert(&self->unseen, step->store, &range))
		return;
	self->gap_bytes += to - from;
	self->gaps_open++;
}

/* The acknowledgement of a hole ends the reports of its loss. */
static enum retransmission kind_of(const struct step *step,
	const struct byte_range *hole)
{
	struct step as_sender = *step;

	as_sender.self = step->peer;
	as_sender.side = step_peer(step);
	as_sender.from = hole->from;
	return losses_kind(&as_sender, hole->to);
}

void unseen_acked(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;
	struct ranges *holes = &sender->holes;
	uint64_t highest = side_highest(sender);

	for (uint32_t i = 0; i < holes->count; i++) {
		struct byte_range hole = *ranges_at(holes, i);

		if (hole.from >= ack)
			break;
		if (hole.to > ack)
			hole.to = ack;
		hole.why = (uint8_t)kind_of(step, &hole);
		add(step, hole);
	}
	ranges_prune(holes, ack, NULL);
	if (ack > highest)
		add(step,
			(struct byte_range){
				.from = highest,
				.to = ack,
				.echoed = step->packet->options.present &
					OPTION_TIMESTAMPS,
				.tsval = step->packet->options.tsecr,
			});
}

uint64_t unseen_taken(struct step *step, uint64_t to, struct byte_range *first)
{
	struct side *self = step->self;
	struct ranges *unseen = &self->unseen;
	uint32_t before = unseen->count, i = ranges_find(unseen, step->from);

	if (i == before || ranges_at(unseen, i)->from >= to)
		return 0;
	*first = *ranges_at(unseen, i);
	bool counted = !first->times;
	for (; i < before && ranges_at(unseen, i)->from < to; i++)
		event_withdraw(step, ranges_at(unseen, i), to);
	uint64_t bytes = ranges_remove(unseen, step->store, step->from, to);
	uint64_t added = (uint64_t)unseen->count - before;
	self->gap_bytes -= bytes;
	self->gaps_open += added;
	if (counted) {
		self->gaps += added;
		step->facts->gaps += added;
	}
	return bytes;
}

void unseen_forget(struct step *step, uint64_t below)
{
	struct side *self = step->self;
	uint64_t ended = 0;

	for (uint32_t i = 0; i < self->unseen.count; i++) {
		const struct byte_range *range = ranges_at(&self->unseen, i);
		bool counted = range->to <= below && !range->times;

		self->gaps -= counted;
		step->facts->gaps -= counted;
	}
	self->gap_bytes -= ranges_prune(&self->unseen, below, &ended);
	self->gaps_open -= ended;
}

/* Joins a range with the one before it if they touch, and returns true. So a
 * direction that was not captured is one gap. */
static bool join(struct step *step, int of, uint32_t i)
{
	struct side *side = &step->connection->side[of];
	const struct byte_range whole = *ranges_at(&side->unseen, i);
	struct byte_range *before = i ? ranges_at(&side->unseen, i - 1) : NULL;

	if (!before || before->to != whole.from ||
		before->skipped != whole.skipped)
		return false;
	event_extend(step, of, before, whole.to);
	before->to = whole.to;
	before->echoed = whole.echoed;
	before->tsval = whole.tsval;
	ranges_drop(&side->unseen, i);
	side->gaps_open--;
	side->gaps -= !whole.times;
	step->facts->gaps -= !whole.times;
	return true;
}

void unseen_claim(struct step *step, int i)
{
	struct side *side = &step->connection->side[i];
	struct ranges *unseen = &side->unseen;

	if (!unseen->count ||
		ranges_at(unseen, unseen->count - 1)->to <= side->unseen_told)
		return;
	uint32_t k = ranges_find(unseen, side->unseen_told);
	while (k < unseen->count) {
		const struct byte_range range = *ranges_at(unseen, k);

		if (step->packet->t_ns - range.t_ns <= LATE_NS)
			break;
		side->unseen_told = range.to;
		if (!join(step, i, k) && side->packets)
			event_add_of(step, i, EVENT_CAPTURE_GAP, 0, &range);
		k = ranges_find(unseen, side->unseen_told);
	}
}
