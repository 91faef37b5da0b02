/*
 * How a side numbers its packets of IPv4, and what missing numbers say.
 *
 * A sender that counts the packets of a connection (Linux does: one number for
 * each segment; RFC 6864 allows it) tells the far tap how many it missed. Where
 * the numbers that are missing are of packets behind all that was seen, what
 * comes there later was sent before, though none of its copies arrived:
 *
 *   - Everything seen was acknowledged and the sender was silent until a timer
 *     of its own could expire. A tail probe (RFC 8985) sends the highest: of
 *     what it skips each segment had a number, and one is left. After a timeout
 *     comes the oldest, and one number was the probe's.
 *   - Right after the highest that was seen the sender went back to the oldest
 *     hole: nothing had been sent again until then, so that what is missing in
 *     between was new.
 */
#include "annotate_own.h"

enum {
	STEADY = 8, /* in a row, to believe that it counts */
	NEAR = 4096,
	TIMEOUTS = 3, /* a probe that was lost, and the timeout after it */
};

static bool is_fin(const struct step *step)
{
	return step->packet->flags & TCP_FIN;
}

/* Whether all that this side may have sent but data is known to have arrived:
 * a number that is missing was of data then. */
static bool only_data(const struct step *step)
{
	const struct side *peer = step->peer;

	return peer->acked_known && peer->acked == peer->next &&
		peer->zero_since_ns == UNKNOWN_NS;
}

static bool is_by_timer(const struct step *step)
{
	const struct side *self = step->self;
	int64_t rtt_ns = rtt_best(step->connection, self);

	if (!self->acked_known || self->acked != self->next ||
		self->idle_since_ns == UNKNOWN_NS || rtt_ns == UNKNOWN_NS)
		return false;
	int64_t silent_ns = step->packet->t_ns - self->idle_since_ns;
	return silent_ns > rtt_ns + rtt_ns / 2 &&
		silent_ns < TIMEOUTS * rtt_timeout(step->connection, self);
}

/* The oldest hole, right after the highest: sooner than a first copy of this
 * one could have been missed. */
static bool goes_back(const struct step *step)
{
	const struct side *self = step->self;
	int64_t silent_ns = step->packet->t_ns - self->numbering.t_ns;

	return self->numbering.highest && self->holes.count &&
		ranges_at(&self->holes, 0)->from == step->from &&
		self->acked == step->from && self->rtt.samples &&
		silent_ns < self->rtt.least_ns;
}

/* Up to where the packets with the missing numbers had sent. */
static uint64_t sent_to(const struct step *step, uint16_t missing)
{
	const struct side *self = step->self;
	uint64_t mss = self->mss_bytes;

	if (goes_back(step))
		return self->next + missing * mss;
	if (step->from < self->next || !is_by_timer(step))
		return 0;
	uint64_t skipped_bytes = step->from - self->next;
	if (!skipped_bytes)
		return self->next + (missing > 1 ? missing - 1 : 1) * mss;
	uint64_t taken = skipped_bytes / mss +
		side_segments(self, step->packet->payload_bytes);
	return skipped_bytes % mss || missing < taken ? 0 : step->end;
}

static void take_number(struct step *step, uint16_t missing)
{
	struct side *self = step->self;
	struct numbering *numbering = &self->numbering;
	uint64_t skipped_bytes =
		step->from > self->next ? step->from - self->next : 0;
	uint64_t skipped =
		skipped_bytes ? side_segments(self, skipped_bytes) : 0;

	if (missing && step->end > step->from && self->mss_bytes &&
		numbering->steady >= STEADY && only_data(step)) {
		uint64_t to = sent_to(step, missing);

		if (to > self->sent_to)
			self->sent_to = to;
	}
	if (missing != skipped)
		numbering->steady = 0;
	numbering->steady++;
}

void numbering_step(struct step *step)
{
	struct side *self = step->self;
	struct numbering *numbering = &self->numbering;
	const struct packet *packet = step->packet;
	uint16_t missing = (uint16_t)(packet->ip_id - numbering->next);

	if (packet->from.version != 4 || !packet->ip_id ||
		side_is_near(step->connection, step->side))
		return;
	if (numbering->steady && missing > UINT16_MAX - NEAR)
		return; /* overtaken */
	if (missing > NEAR)
		numbering->steady = 0;
	take_number(step, missing);
	numbering->t_ns = packet->t_ns;
	numbering->highest = step->end > self->next;
	numbering->next = (uint16_t)(packet->ip_id +
		side_segments(self, packet->payload_bytes));
}

bool numbering_shows_again(const struct step *step)
{
	const struct side *self = step->self;

	return step->from >= self->next && step->from < self->sent_to &&
		step->end - is_fin(step) <= self->sent_to;
}
