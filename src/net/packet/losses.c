/* The cause of a retransmission, inferred from what the sender could know. */
#include "annotate_internal.h"

enum { THRESHOLD = 3, TICK_NS = 10000000 };

static const struct byte_range *sent_again(const struct side *self,
	uint64_t from, uint64_t to)
{
	uint32_t i = ranges_find(&self->again, from);

	if (i == self->again.count || ranges_at(&self->again, i)->from >= to)
		return NULL;
	return ranges_at(&self->again, i);
}

/* True if the receiver already had the data, as far as the tap shows. */
static bool is_needless(const struct step *step, uint64_t to)
{
	const struct side *self = step->self;

	/* A FIN at the position of the SYN is acknowledged together with the
	 * SYN. */
	if (self->acked_known && to <= self->acked && to > self->first)
		return true;
	return ranges_overlap(&self->sacked, step->from, to) == to - step->from;
}

static bool in_recovery(const struct side *self)
{
	return self->recover && self->acked < self->recover;
}

/* With the waits in queues that the sender knows too. */
static int64_t usual_rtt(const struct step *step)
{
	const struct rtt *rtt = &step->self->rtt;
	int64_t rtt_ns = rtt_best(step->connection, step->self);

	return rtt->samples && rtt->smoothed_ns > rtt_ns ? rtt->smoothed_ns :
							   rtt_ns;
}

/* The least silence before a timeout. The sender may estimate a shorter one
 * than the tap. But only a timer repeats the same bytes while nothing arrives,
 * and a tail loss probe does so only once. Reports of data behind the hole
 * request a repair, which on a long path comes after the least timeout of all:
 * Linux adds that time to the round trip. On a short path no repair takes as
 * long. */
static int64_t timeout_of(const struct step *step, bool repeated)
{
	const struct side *self = step->self;
	int64_t timeout_ns = rtt_timeout(step->connection, self);
	int64_t rtt_ns = usual_rtt(step);
	bool requested = self->sacked_bytes || self->dupacks >= THRESHOLD;

	if (repeated && self->unanswered)
		return TIMEOUT_LEAST_NS;
	if (repeated || !requested || rtt_ns < TIMEOUT_LEAST_NS / 2)
		return timeout_ns;
	return timeout_ns > rtt_ns + TIMEOUT_LEAST_NS ?
		timeout_ns :
		rtt_ns + TIMEOUT_LEAST_NS;
}

/* A timeout retransmits the oldest data. */
static bool is_timeout(const struct step *step, bool repeated)
{
	return step->from <= step->self->acked &&
		idle_before(step) >= timeout_of(step, repeated);
}

/* A tail loss probe retransmits the last data two round trips after the last
 * acknowledgement (RFC 8985). */
static bool is_tail_probe(const struct step *step, uint64_t to)
{
	const struct side *self = step->self;
	int64_t rtt_ns = rtt_best(step->connection, self);

	return self->acked_known && to >= self->next && rtt_ns != UNKNOWN_NS &&
		idle_before(step) > rtt_ns + rtt_ns / 2;
}

/* True if the silence before a time-out is also that of a tail loss probe: two
 * smoothed round trips, 200 ms for a delayed ACK if one segment is in flight
 * (RFC 8985, 7.2), and a tick of the sender's timer. A probe is sent once, and
 * only with SACK. The tap may know a shorter round trip than the sender, by
 * half. */
static bool may_be_probe(const struct step *step, uint64_t to)
{
	const struct offer *offer = &step->peer->offer;
	int64_t rtt_ns = usual_rtt(step);

	return rtt_ns != UNKNOWN_NS && to >= step->self->next &&
		!step->self->unanswered &&
		(!offer->seen ||
			offer->options.present & OPTION_SACK_PERMITTED) &&
		idle_before(step) <=
		3 * rtt_ns + TIMEOUT_LEAST_NS + TICK_NS;
}

enum retransmission losses_kind(const struct step *step, uint64_t to)
{
	const struct side *self = step->self;
	const struct byte_range *before = sent_again(self, step->from, to);
	uint64_t mss = self->mss_bytes ? self->mss_bytes :
					 ETHERNET_SEGMENT_BYTES;

	if (is_needless(step, to))
		return RETRANSMIT_SPURIOUS;
	if (is_timeout(step, before))
		return may_be_probe(step, to) ? RETRANSMIT_TIMER :
						RETRANSMIT_TIMEOUT;
	if (before && before->times >= 1 && in_recovery(self))
		return RETRANSMIT_AGAIN;
	if (in_recovery(self))
		return RETRANSMIT_RECOVERY;
	if (self->dupacks >= THRESHOLD || self->sacked_bytes >= THRESHOLD * mss)
		return RETRANSMIT_FAST;
	if (self->sacked_bytes)
		return RETRANSMIT_RACK;
	return !before && is_tail_probe(step, to) ? RETRANSMIT_TAIL_PROBE :
						    RETRANSMIT_UNKNOWN;
}

/* Stores the range, which then gives no round-trip sample. */
static void remember(struct step *step, uint64_t from, uint64_t to)
{
	struct side *self = step->self;
	const struct byte_range again = {
		.from = from > self->acked ? from : self->acked,
		.to = to,
		.t_ns = step->packet->t_ns,
		.number = step->packet->number,
		.times = 1,
	};

	struct byte_range *before =
		(struct byte_range *)sent_again(self, from, to);
	if (before)
		before->times = 2;
	else if (again.from < again.to &&
		!ranges_insert(&self->again, step->store, &again)) {
		self->ranges_lost++;
		step->facts->left_out++;
	}
	if (to > self->karn)
		self->karn = to;
}

static void begin_recovery(struct side *self, int64_t since_ns)
{
	if (!self->recover)
		self->recovery_since_ns = since_ns;
	self->recover = self->next;
}

void losses_perhaps(struct step *step, uint64_t to)
{
	struct side *self = step->self;

	if (to > self->karn)
		self->karn = to;
	if (!in_recovery(self))
		begin_recovery(self, step->packet->t_ns);
	self->sent_ns = step->packet->t_ns;
}

static uint64_t segments_of(uint64_t bytes, uint64_t mss)
{
	return (bytes + mss - 1) / mss;
}

/* The number of segments sent again. A retransmission may join the data of
 * several smaller ones, so their size does not count. Of the fragments of a
 * segment, the first counts it. */
static uint64_t segments_again(const struct step *step, uint64_t bytes)
{
	uint64_t before = packet_fragment_from(step->packet);
	uint64_t mss = step->self->mss_bytes;

	if (!mss || !bytes)
		return !before;
	return segments_of(before + bytes, mss) - segments_of(before, mss);
}

/* The time without an answer, from the first try to the latest one. */
static void add_silence(struct step *step)
{
	struct teardown *teardown = &step->connection->teardown;

	if (!step->self->unanswered)
		teardown->unanswered_ns = 0;
	add_span(&teardown->unanswered_ns,
		step->packet->t_ns - idle_before(step), step->packet->t_ns);
}

void losses_count(struct step *step, uint64_t to, uint64_t bytes)
{
	struct side *self = step->self;
	enum retransmission why = step->sighting->why;
	uint64_t payload_bytes = step->packet->payload_bytes;
	bool probe = why == RETRANSMIT_TAIL_PROBE || why == RETRANSMIT_SPURIOUS;
	bool fin = step->packet->flags & TCP_FIN && to == step->end;
	uint64_t data_bytes = bytes - (fin && bytes);
	uint64_t segments = segments_again(step, data_bytes);
	int64_t since_ns = step->packet->t_ns - idle_before(step);

	self->retransmitted_frames++;
	self->retransmitted_segments += segments;
	self->retransmitted_partly += bytes < payload_bytes;
	self->retransmitted_bytes += bytes;
	self->retransmissions[why] += segments;
	add_silence(step);
	self->unanswered++;
	self->expired += is_by_timer(why) ||
		why == RETRANSMIT_TAIL_PROBE || why == RETRANSMIT_FIN;
	remember(step, step->from, to);
	self->sent_ns = step->packet->t_ns;
	if (!payload_bytes) {
		self->fin_retransmissions++;
		return;
	}
	event_add(step, step->side, EVENT_RETRANSMISSION, why, step->from,
		to - fin);
	enum discard discard = window_again(step, to);
	edges_again(step, step->from, to);
	if (rounds_all(&self->rounds))
		round_open(&self->rounds)->retransmissions +=
			(uint32_t)segments;
	if (why != RETRANSMIT_SPURIOUS && discard != DISCARD_CERTAIN)
		reduction_add(step, to, bytes);
	if (is_by_timer(why) ||
		(!probe && !in_recovery(self) && why != RETRANSMIT_UNKNOWN))
		begin_recovery(self, since_ns);
	slowstart_again(step, to);
	if (why == RETRANSMIT_SPURIOUS)
		slowstart_spurious(step, to);
	else
		slowstart_loss(step, to, discard);
}
