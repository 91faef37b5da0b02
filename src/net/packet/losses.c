/* How a retransmission came about, by what the sender could know. */
#include "annotate_internal.h"

enum { THRESHOLD = 3 };

/* The last time these bytes may have left, or anything moved. */
static int64_t idle_of(const struct step *step)
{
	const struct side *self = step->self;
	int64_t since_ns = self->sent_ns;

	if (self->progress_ns != UNKNOWN_NS && self->progress_ns > since_ns)
		since_ns = self->progress_ns;
	return since_ns == UNKNOWN_NS ? 0 : step->packet->t_ns - since_ns;
}

static const struct byte_range *sent_again(const struct side *self,
	uint64_t from, uint64_t to)
{
	uint32_t i = ranges_find(&self->again, from);

	if (i == self->again.count || ranges_at(&self->again, i)->from >= to)
		return NULL;
	return ranges_at(&self->again, i);
}

/* The receiver had it, as far as the tap knows. */
static bool is_needless(const struct step *step, uint64_t to)
{
	const struct side *self = step->self;

	/* A FIN in the place of the SYN is acknowledged with that. */
	if (self->acked_known && to <= self->acked && to > self->first)
		return true;
	return ranges_overlap(&self->sacked, step->from, to) == to - step->from;
}

static bool in_recovery(const struct side *self)
{
	return self->recover && self->acked < self->recover;
}

/* A probe sends the tail again, two round trips after the last news (RFC 8985);
 * a timeout the oldest, after the timer. */
static enum retransmission by_timer(const struct step *step, uint64_t to)
{
	const struct side *self = step->self;
	int64_t idle_ns = idle_of(step);
	int64_t timeout_ns = rtt_timeout(step->connection, self);
	bool tail = to >= self->next, oldest = step->from <= self->acked;

	int64_t rtt_ns = rtt_best(step->connection, self);

	if (!self->acked_known)
		return RETRANSMIT_UNKNOWN;
	if (oldest && idle_ns >= timeout_ns)
		return RETRANSMIT_TIMEOUT;
	return tail && rtt_ns != UNKNOWN_NS && idle_ns > rtt_ns + rtt_ns / 2 ?
		RETRANSMIT_TAIL_PROBE :
		RETRANSMIT_UNKNOWN;
}

enum retransmission losses_kind(const struct step *step, uint64_t to)
{
	enum { FIN_TIMER_NS = 200000000 };
	const struct side *self = step->self;
	const struct byte_range *before = sent_again(self, step->from, to);
	uint64_t mss = self->mss_bytes ? self->mss_bytes : 1460;

	if (is_needless(step, to))
		return RETRANSMIT_SPURIOUS;
	/* A FIN with every acknowledgement: sooner than any timer. */
	if (step->packet->flags & TCP_FIN && !step->packet->payload_bytes)
		return idle_of(step) < FIN_TIMER_NS ? RETRANSMIT_FAST :
						      RETRANSMIT_TIMEOUT;
	if (idle_of(step) >= rtt_timeout(step->connection, self) &&
		step->from <= self->acked)
		return RETRANSMIT_TIMEOUT;
	if (before && before->times >= 1 && in_recovery(self))
		return RETRANSMIT_AGAIN;
	if (in_recovery(self))
		return RETRANSMIT_RECOVERY;
	if (self->dupacks >= THRESHOLD || self->sacked_bytes >= THRESHOLD * mss)
		return RETRANSMIT_FAST;
	if (self->sacked_bytes)
		return RETRANSMIT_RACK;
	return by_timer(step, to);
}

/* Remembers the range, and that no round trip can be told by it. */
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

void losses_count(struct step *step, uint64_t from, uint64_t to)
{
	struct side *self = step->self;
	enum retransmission why = step->sighting->why;
	bool fin = step->packet->flags & TCP_FIN;
	bool probe = why == RETRANSMIT_TAIL_PROBE || why == RETRANSMIT_SPURIOUS;
	uint64_t segments = side_segments(self, step->packet->payload_bytes);

	self->retransmitted_frames++;
	self->retransmitted_segments += segments;
	self->retransmitted_bytes += to - from;
	self->retransmissions[why] += segments;
	self->fin_retransmissions += fin && !step->packet->payload_bytes;
	self->unanswered++;
	event_add(step, step->side, EVENT_RETRANSMISSION, why, from, to);
	remember(step, from, to);
	if (step->packet->payload_bytes)
		edges_again(step, from, to);
	if (self->rounds.count)
		self->rounds.at[self->rounds.count - 1].retransmissions +=
			(uint32_t)segments;
	if (why == RETRANSMIT_TIMEOUT ||
		(!probe && !in_recovery(self) && why != RETRANSMIT_UNKNOWN))
		self->recover = self->next;
	if (why != RETRANSMIT_SPURIOUS && step->packet->payload_bytes)
		slowstart_loss(step);
	self->sent_ns = step->packet->t_ns;
}
