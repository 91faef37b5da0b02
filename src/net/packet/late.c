/* Data below the highest position that was not captured before: sent again,
 * because its first copy was lost before the tap or by the capture, or only
 * overtaken or recorded late. And originals that come after their repeats. */
#include "annotate_internal.h"

/* True if the acknowledgement that was recorded before the packet may answer
 * it. */
static bool is_answered(const struct step *step, const struct filling *filling)
{
	return filling->unseen &&
		step->packet->t_ns - filling->hole.t_ns <= LATE_NS;
}

enum retransmission late_kind(const struct step *step,
	const struct filling *filling, uint64_t to)
{
	if (!step->packet->payload_bytes)
		return RETRANSMIT_FIN;
	if (filling->hole.skipped && is_answered(step, filling))
		return (enum retransmission)filling->hole.why;
	return losses_kind(step, to);
}

/* True if the packet and the one that skipped it have the same timestamp: they
 * were sent within one tick of the sender's clock. */
static bool has_equal_stamp(const struct step *step,
	const struct byte_range *hole)
{
	return hole->skipped && step_stamped(step) &&
		step->packet->options.tsval == hole->tsval;
}

/* True if the acknowledgement of the data echoes a timestamp that is not older:
 * the packet was sent before it. */
static bool is_echoed(const struct step *step, const struct byte_range *unseen)
{
	return unseen->echoed && step_stamped(step) &&
		timestamps_reach(unseen->tsval, step->packet->options.tsval);
}

/* If the round trip is unknown: a timer, after a second or more, sends again,
 * and may after less. A network hardly delays for as long.
 * Duplicates that requested the data prove nothing: it may have been overtaken
 * by three other packets. The first repair shows how long one may take. */
static enum late_verdict by_requests(struct step *step,
	const struct filling *filling, uint64_t to, int64_t waited_ns)
{
	struct side *self = step->self;
	enum retransmission why = late_kind(step, filling, to);

	if (is_by_timer(why))
		return LATE_AGAIN;
	if (waited_ns >= TIMEOUT_LEAST_NS)
		return LATE_UNCLEAR;
	if (self->repair_ns != UNKNOWN_NS && why == RETRANSMIT_RECOVERY)
		return waited_ns >= self->repair_ns / 2 ? LATE_UNCLEAR :
							  LATE_ONCE;
	/* They request the first hole only. */
	if (why != RETRANSMIT_FAST || step->from > self->acked)
		return LATE_ONCE;
	self->repair_ns = waited_ns;
	return LATE_UNCLEAR;
}

/* The report of a hole and its repair take a round trip, at any tap, however
 * many duplicate ACKs have passed by then. The known round trip may be too long
 * by a wait: data that took half of it may be the repair. So may data that a
 * network delayed, but no network is between a sender and its tap. On a short
 * path a delay may be longer than the round trip, but not than a timer. */
static enum late_verdict by_round_trip(const struct step *step,
	int64_t waited_ns, int64_t rtt_ns)
{
	bool near = side_is_near(step->connection, step->side);
	int64_t delay_ns = basis_is_short(step) ? TIMEOUT_LEAST_NS : rtt_ns;

	if (waited_ns < rtt_ns / 2)
		return LATE_ONCE;
	return waited_ns < delay_ns && !near ? LATE_UNCLEAR : LATE_AGAIN;
}

static bool is_in_recovery(enum retransmission why)
{
	return why == RETRANSMIT_RECOVERY || why == RETRANSMIT_AGAIN;
}

/* True if the receiver had reported a hole: away from the sender, the data may
 * be the repair, also if it comes within the time of a late recorder. */
static bool is_requested(const struct step *step, enum retransmission why)
{
	return !side_is_near(step->connection, step->side) &&
		(why == RETRANSMIT_FAST || why == RETRANSMIT_RACK ||
			is_in_recovery(why));
}

/* The order of sending supports what the times show, or doubts it, and never
 * disproves it: the packet was sent before, or after, the one that skipped it
 * or repeated it. */
static enum late_verdict by_order(const struct step *step,
	const struct byte_range *other, enum late_verdict verdict)
{
	int order = ids_order(step, other);

	if (order < 0)
		return verdict == LATE_AGAIN ? LATE_UNCLEAR : LATE_ONCE;
	return order > 0 && verdict == LATE_ONCE ? LATE_UNCLEAR : verdict;
}

/* By time. Packets with equal timestamps were sent within one tick: if the
 * delay is longer, it arose in the network, and if the tick is unknown, it may
 * have. But in recovery one acknowledgement can release new data and, after it,
 * lost data that nothing had skipped before: the network only spaces them. */
static enum late_verdict by_time(struct step *step,
	const struct filling *filling, uint64_t to)
{
	/* Data passes before its acknowledgement, however it is recorded. */
	int64_t passed_ns = is_answered(step, filling) ? filling->hole.t_ns :
							 step->packet->t_ns;
	int64_t waited_ns = passed_ns - filling->hole.skipped_ns;
	bool soon = waited_ns <= LATE_NS;
	int64_t rtt_ns = soon ? rtt_least(step->connection, step->self) :
				rtt_best(step->connection, step->self);
	bool equal = has_equal_stamp(step, &filling->hole);
	int64_t tick_ns = clock_tick_most(step->self);
	enum retransmission why = late_kind(step, filling, to);
	bool requested = is_requested(step, why);
	enum late_verdict verdict;

	if (equal && requested && is_in_recovery(why))
		return LATE_UNCLEAR;
	if ((soon && !requested) ||
		(equal && tick_ns != UNKNOWN_NS && waited_ns > tick_ns))
		return LATE_ONCE;
	if (rtt_ns == UNKNOWN_NS)
		verdict = by_requests(step, filling, to, waited_ns);
	else
		verdict = by_round_trip(step, waited_ns, rtt_ns);
	return verdict == LATE_AGAIN &&
			(soon || (equal && tick_ns == UNKNOWN_NS)) ?
		LATE_UNCLEAR :
		verdict;
}

/* The first sight of data that was acknowledged long ago: the recorder was
 * late, or the data was sent again and the capture lost the first copy. A
 * recorder is not late for as long as a timer. */
static enum late_verdict after_answer(const struct step *step,
	const struct byte_range *unseen)
{
	if (is_echoed(step, unseen))
		return LATE_ONCE;
	return step->packet->t_ns - unseen->t_ns < TIMEOUT_LEAST_NS ?
		LATE_UNCLEAR :
		LATE_AGAIN;
}

enum late_verdict late_judge(struct step *step, const struct filling *filling,
	uint64_t to)
{
	const struct byte_range *hole = &filling->hole;
	const struct packet *packet = step->packet;

	if (hole->skipped && packet->t_ns < hole->skipped_ns)
		return LATE_ONCE;
	if (hole->skipped && step_stamped(step) &&
		packet->options.tsval != hole->tsval)
		return timestamps_reach(packet->options.tsval, hole->tsval) ?
			LATE_AGAIN :
			LATE_ONCE;
	if (filling->unseen && !is_answered(step, filling) &&
		!has_equal_stamp(step, hole))
		return after_answer(step, hole);
	return hole->skipped ?
		by_order(step, hole, by_time(step, filling, to)) :
		LATE_ONCE;
}

/* ---- originals after their repeats -------------------------------------- */

enum { REPAIRED_MAX = 1000 };

void late_repaired(struct step *step, const struct filling *filling,
	uint64_t to, enum late_verdict verdict)
{
	struct ranges *repaired = &step->self->repaired;
	struct byte_range range = {
		.from = step->from,
		.to = to,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
		.tsval = step->packet->options.tsval,
		.skipped = step_stamped(step) &&
			!has_equal_stamp(step, &filling->hole),
		.times = verdict == LATE_AGAIN,
	};

	/* The capture lost what was acknowledged long before it was seen. */
	if (filling->unseen && !is_answered(step, filling))
		return;
	ids_stamp(step, &range);
	if (repaired->count == REPAIRED_MAX)
		ranges_drop(repaired, 0);
	ranges_remove(repaired, step->store, range.from, to);
	if (!ranges_insert(repaired, step->store, &range))
		step->self->ranges_lost++;
}

/* A timestamp before that of the repeat shows what was sent first, and so does
 * the order of sending. Without them only the silence of a time-out shows that
 * a packet was sent again, except at the sender's tap, where no network delays
 * it. */
static enum late_verdict judge_original(const struct step *step,
	const struct byte_range *repeat, enum retransmission why)
{
	bool stamped = step_stamped(step);

	if (stamped &&
		!timestamps_reach(step->packet->options.tsval, repeat->tsval))
		return LATE_ONCE;
	enum late_verdict verdict = !repeat->times ||
			(stamped && repeat->skipped) || is_by_timer(why) ||
			side_is_near(step->connection, step->side) ?
		LATE_AGAIN :
		LATE_UNCLEAR;
	return stamped ? verdict : by_order(step, repeat, verdict);
}

uint64_t late_original(struct step *step, uint64_t to, enum retransmission why,
	enum late_verdict *verdict)
{
	struct ranges *repaired = &step->self->repaired;
	uint32_t i = ranges_find(repaired, step->from);

	if (i == repaired->count || ranges_at(repaired, i)->from >= to)
		return 0;
	*verdict = judge_original(step, ranges_at(repaired, i), why);
	if (*verdict == LATE_AGAIN)
		return 0;
	slowstart_original(step->self, step->from, to);
	if (*verdict == LATE_ONCE)
		reduction_needless(step->self, step->from, to);
	return ranges_remove(repaired, step->store, step->from, to);
}
