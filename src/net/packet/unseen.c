/*
 * Bytes that were acknowledged before they were recorded.
 *
 * A capture of several queues may record an acknowledgement before its data, by
 * up to LATE_NS. Only after that time are the missing bytes reported as lost by
 * the capture. Their range is still kept: data that arrives later is the first
 * copy in this capture.
 */
#include "annotate_internal.h"

static void forget_oldest(struct ranges *unseen)
{
	uint32_t half = unseen->count / 2;

	ranges_prune(unseen, ranges_at(unseen, half)->from, NULL);
}

static void add(struct step *step, uint64_t from, uint64_t to, bool hole)
{
	struct side *sender = step->peer;
	/* A direction that was not captured has no gaps. */
	bool gap = !hole && sender->packets;
	const struct byte_range range = {
		.from = from,
		.to = to,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
		.times = !gap,
	};

	sender->gap_bytes += to - from;
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

void unseen_acked(struct step *step, uint64_t ack)
{
	struct side *sender = step->peer;
	struct ranges *holes = &sender->holes;
	uint64_t highest = side_highest(sender);

	for (uint32_t i = 0; i < holes->count; i++) {
		const struct byte_range *hole = ranges_at(holes, i);

		if (hole->from >= ack)
			break;
		add(step, hole->from, hole->to < ack ? hole->to : ack, true);
	}
	ranges_prune(holes, ack, NULL);
	if (ack > highest)
		add(step, highest, ack, false);
}

uint64_t unseen_taken(struct step *step, uint64_t to, bool *recent)
{
	struct side *self = step->self;
	struct ranges *unseen = &self->unseen;
	uint64_t bytes = ranges_overlap(unseen, step->from, to);

	if (!bytes)
		return 0;
	const struct byte_range first =
		*ranges_at(unseen, ranges_find(unseen, step->from));
	uint64_t before = unseen->count;
	*recent = step->packet->t_ns - first.t_ns <= LATE_NS;
	ranges_remove(unseen, step->store, step->from, to);
	self->gap_bytes -= bytes;
	self->gaps_open += unseen->count - before;
	if (*recent && !first.times) {
		self->gaps += unseen->count - before;
		step->facts->gaps += unseen->count - before;
	}
	return bytes;
}

/* Joins a range with the one before it if they touch. So a direction that was
 * not captured is one gap. */
static void join(struct step *step, struct side *side, uint32_t i)
{
	const struct byte_range whole = *ranges_at(&side->unseen, i);

	if (!i || ranges_at(&side->unseen, i - 1)->to != whole.from)
		return;
	ranges_at(&side->unseen, i - 1)->to = whole.to;
	ranges_drop(&side->unseen, i);
	side->gaps_open--;
	side->gaps -= !whole.times;
	step->facts->gaps -= !whole.times;
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
		if (side->packets)
			event_add_of(step, i, EVENT_CAPTURE_GAP, &range);
		join(step, side, k);
		k = ranges_find(unseen, side->unseen_told);
	}
}
