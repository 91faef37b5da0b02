/* Where a side's stream begins. */
#include "annotate_internal.h"

/* Far from 0, so that data before the first packet has a position too. */
#define POSITION_BASE ((uint64_t)1 << 32)

static uint64_t position_start(uint32_t seq)
{
	return POSITION_BASE + seq;
}

/* Data of this side was acknowledged before the first packet of it was
 * recorded: the position of the acknowledgement is no sight of the data. */
static void acked_before(struct step *step, uint64_t from, uint64_t to)
{
	const struct side *self = step->self;

	if (to > self->next)
		to = self->next;
	if (!self->frames && !self->fin_seen && from < to)
		unseen_before(step, from, to, step->connection->first_ns);
}

/* What was acknowledged before the first packet of a side was sent before it,
 * perhaps before the capture began: it does not belong to the stream, nor does
 * the byte of a keep-alive. */
static void begin_here(struct step *step)
{
	struct side *self = step->self;
	uint64_t from = unwrap(side_highest(self), step->packet->seq);

	if (from + 1 == self->acked && step->packet->payload_bytes <= 1)
		from = self->acked;
	self->before = self->acked;
	unseen_forget(step, from);
	/* A packet without data was sent before what follows it. */
	acked_before(step, from,
		step->packet->payload_bytes ?
			from + step->packet->payload_bytes :
			self->next);
	self->first = from;
	if (self->next < from)
		self->next = from;
}

static int64_t begun_ns(const struct step *step)
{
	return step->self->first_data_ns != UNKNOWN_NS ?
		step->self->first_data_ns :
		step->connection->first_ns;
}

/* A SYN recorded late shows that data before `to`, the first that was recorded,
 * is missing. */
static void begin_missing(struct step *step, uint64_t to)
{
	struct side *self = step->self;
	uint64_t acked = self->acked_known ? self->acked : self->first;
	struct byte_range missing = {
		.from = acked > self->first ? acked : self->first,
		.to = to,
		.t_ns = begun_ns(step),
		.skipped = true,
		.skipped_ns = begun_ns(step),
		.tsval = self->first_tsval,
	};

	if (!self->frames && !self->fin_seen)
		return;
	if (self->first < missing.from && self->first < to)
		unseen_before(step, self->first,
			missing.from < to ? missing.from : to,
			step->packet->t_ns);
	if (missing.from < to &&
		ranges_insert(&self->holes, step->store, &missing)) {
		self->gaps++;
		step->facts->gaps++;
	}
}

void begin_self(struct step *step)
{
	struct side *self = step->self;
	const struct packet *packet = step->packet;
	bool syn = packet->flags & TCP_SYN;

	if (!self->started) {
		self->started = true;
		self->first = self->next = position_start(packet->seq) + syn;
	} else if (!self->placed && !syn && !(packet->flags & TCP_RST)) {
		begin_here(step);
	}
	self->placed |= !(packet->flags & TCP_RST);
	if (syn && !self->isn_known) {
		uint64_t first = self->first;

		self->isn_known = true;
		self->first = unwrap(first, packet->seq) + 1;
		begin_missing(step, first);
		acked_before(step, self->first, self->next);
		if (self->next < self->first)
			self->next = self->first;
	}
}

void begin_peer(struct step *step)
{
	struct side *peer = step->peer;

	if (peer->started || !(step->packet->flags & TCP_ACK))
		return;
	peer->started = true;
	peer->placed = step->packet->flags & TCP_SYN;
	peer->first = peer->next = position_start(step->packet->ack);
}

void begin_earlier(struct step *step)
{
	struct side *self = step->self;
	int64_t since_ns = begun_ns(step);
	const struct byte_range before = {
		.from = step->from,
		.to = self->first,
		.t_ns = since_ns,
		.skipped = true,
		.skipped_ns = since_ns,
		.tsval = self->first_tsval,
	};

	if (self->isn_known || step->from >= self->first ||
		(step->end < self->first &&
			step->packet->t_ns - since_ns > LATE_NS))
		return;
	if (!ranges_insert(&self->holes, step->store, &before))
		return;
	self->first = step->from;
	if (step->end < before.to) {
		self->gaps++;
		step->facts->gaps++;
	}
}
