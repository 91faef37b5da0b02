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
 *     comes the oldest, and one number was the probe's: the first that was
 *     lost, or the last that arrived, where its acknowledgement was lost.
 *   - Right after the highest that was seen the sender went back to the oldest
 *     hole: nothing had been sent again until then, so that what is missing in
 *     between was new.
 *
 * All that takes a number without being such data must be ruled out first:
 * packets of other connections, where the host counts all of them; answers to
 * what the other side repeats; keep-alives, and news of a window that the
 * application has made wider by reading; segments that a card has put together
 * from more than it seems; a probe for what had arrived, sent in ignorance; on
 * a path that reorders, the answer to an acknowledgement that came late. How
 * long the missing were is not known: they count as whole segments, as long as
 * what arrives behind them fits that.
 */
#include "annotate_internal.h"

enum {
	STEADY = 8, /* in a row, to believe that it counts */
	CALM = 2,   /* .. to doubt what a jump leaves out */
	NEAR = 4096,
	TIMEOUTS = 3, /* a probe that was lost, and the timeout after it */
	TIMEOUT_LEAST_NS = 200000000,
	PROBE_ROUND_TRIPS = 4,
	WINDOW_SEGMENTS = 2, /* by which a window grows before it is told */
};

static bool is_fin(const struct step *step)
{
	return step->packet->flags & TCP_FIN;
}

/* ---- other packets than data ------------------------------------------- */

static uint32_t host_of(const struct packet *packet)
{
	const uint8_t *address = packet->from.address;
	uint32_t all = (uint32_t)address[0] << 24 | (uint32_t)address[1] << 16 |
		(uint32_t)address[2] << 8 | address[3];

	return (all * 0x9e3779b1u) >> 24;
}

/* Was a number that is missing here seen in another connection? Of very many
 * one is there by chance. */
static bool is_shared(const struct step *step, uint16_t missing)
{
	uint32_t host = host_of(step->packet);
	uint64_t other = step->hosts->latest[host].connection;
	uint16_t id = step->hosts->latest[host].id;

	return missing <= NEAR && other && other != step->connection->number &&
		(uint16_t)(id - step->self->numbering.next) < missing;
}

static void note_host(struct step *step)
{
	uint32_t host = host_of(step->packet);

	step->hosts->latest[host].connection = step->connection->number;
	step->hosts->latest[host].id = (uint16_t)step->packet->ip_id;
}

/* Could an answer have gone out since the latest packet that was seen? */
static bool may_answer(const struct step *step)
{
	const struct numbering *numbering = &step->self->numbering;
	int64_t rtt_ns = rtt_best(step->connection, step->self);

	return numbering->asked_ns != UNKNOWN_NS &&
		(rtt_ns == UNKNOWN_NS ||
			numbering->t_ns - numbering->asked_ns <=
				rtt_ns + rtt_ns / 2);
}

/* Could the window have become wide enough to be told? Not while all that came
 * has been read. */
static bool may_widen(const struct step *step)
{
	const struct side *self = step->self;

	return step->peer->frames &&
		self->window_bytes + WINDOW_SEGMENTS * self->mss_bytes <
		self->window_most_bytes;
}

/* Whether all that this side may have sent but data is known to have arrived:
 * a number that is missing was of data then. */
static bool only_data(const struct step *step)
{
	const struct side *self = step->self, *peer = step->peer;

	return self->numbering.certain && !self->numbering.shared &&
		!self->keepalives && peer->acked_known &&
		peer->acked == peer->next &&
		peer->zero_since_ns == UNKNOWN_NS && !may_answer(step) &&
		!may_widen(step);
}

/* ---- data -------------------------------------------------------------- */

/* Does the sender show that it knew the latest acknowledgement? Who does not
 * may have sent again what had arrived. */
static bool knows_all(const struct step *step)
{
	const struct side *peer = step->peer;

	return !(step->packet->options.present & OPTION_TIMESTAMPS) ||
		!peer->has_timestamps ||
		timestamps_reach(step->packet->options.tsecr, peer->last_tsval);
}

/* Of the path; what is smoothed contains pauses of the application here. */
static int64_t path_ns(const struct step *step)
{
	return step->self->rtt.samples ? step->self->rtt.least_ns :
					 step->connection->handshake.path_ns;
}

static int64_t silent_ns(const struct step *step)
{
	return step->packet->t_ns - step->self->idle_since_ns;
}

static bool is_by_timer(const struct step *step)
{
	const struct side *self = step->self;
	int64_t rtt_ns = path_ns(step);

	if (!self->acked_known || self->acked != self->next ||
		self->idle_since_ns == UNKNOWN_NS || rtt_ns == UNKNOWN_NS ||
		!knows_all(step))
		return false;
	return silent_ns(step) > rtt_ns + rtt_ns / 2 &&
		silent_ns(step) <
		TIMEOUTS * rtt_timeout(step->connection, self);
}

/* A probe goes out two round trips after what it probes for, which the last
 * acknowledgement released, or later where its machine is busy, and before a
 * timeout: what comes behind a gap after that waited for the application. */
static bool is_probe(const struct step *step)
{
	int64_t rtt_ns = step->connection->handshake.path_ns;

	if (rtt_ns < path_ns(step))
		rtt_ns = path_ns(step);
	return silent_ns(step) < PROBE_ROUND_TRIPS * rtt_ns ||
		silent_ns(step) < TIMEOUT_LEAST_NS + 2 * rtt_ns;
}

/* How many segments were lost, if this is the oldest of them. A number may be
 * a probe's, and after so long another that of a first timeout. */
static uint64_t lost_segments(const struct step *step, uint16_t missing)
{
	return missing > 1 &&
			silent_ns(step) <
				TIMEOUTS * (TIMEOUT_LEAST_NS + path_ns(step)) ?
		missing - 1u :
		1;
}

/* The oldest hole, right after the highest: sooner than a first copy of this
 * one could have been missed. */
static bool goes_back(const struct step *step)
{
	const struct side *self = step->self;
	int64_t after_ns = step->packet->t_ns - self->numbering.t_ns;

	return self->numbering.highest && self->holes.count &&
		ranges_at(&self->holes, 0)->from == step->from &&
		self->acked == step->from && self->rtt.samples &&
		after_ns < self->rtt.least_ns;
}

/* The last segment that was seen, whose acknowledgement was lost. */
static bool is_last_again(const struct step *step)
{
	return step->end == step->self->next &&
		silent_ns(step) < TIMEOUTS * (TIMEOUT_LEAST_NS + path_ns(step));
}

/* Up to where the packets with the missing numbers had sent. */
static uint64_t sent_to(const struct step *step, uint16_t missing)
{
	const struct side *self = step->self;
	uint64_t mss = self->mss_bytes;

	if (goes_back(step))
		return self->next + missing * mss;
	if (!is_by_timer(step))
		return 0;
	if (step->from < self->next)
		return is_last_again(step) && missing > 1 ?
			self->next + (lost_segments(step, missing)) * mss :
			0;
	uint64_t skipped_bytes = step->from - self->next;
	if (!skipped_bytes)
		return self->next + lost_segments(step, missing) * mss;
	uint64_t taken = skipped_bytes / mss +
		side_segments(self, step->packet->payload_bytes);
	return skipped_bytes % mss || missing < taken || !is_probe(step) ?
		0 :
		step->end;
}

static void take_number(struct step *step, uint16_t missing)
{
	struct side *self = step->self;
	struct numbering *numbering = &self->numbering;
	uint64_t skipped_bytes =
		step->from > self->next ? step->from - self->next : 0;
	uint64_t skipped =
		skipped_bytes ? side_segments(self, skipped_bytes) : 0;

	/* Where acknowledgements may overtake each other too, one that comes
	 * late is answered, no oftener than twice a second (RFC 7323, 5.3). */
	uint16_t lost = missing && numbering->reorders ? missing - 1 : missing;
	if (lost && step->end > step->from && self->mss_bytes &&
		numbering->steady >= STEADY && only_data(step)) {
		uint64_t to = sent_to(step, lost);

		if (to > self->sent_to)
			self->sent_to = to;
	}
	numbering->lost = numbering->steady >= CALM && missing <= NEAR &&
		missing > skipped;
	if (missing != skipped)
		numbering->steady /= 2;
	numbering->steady++;
}

/* ---- packets ----------------------------------------------------------- */

/* What was sent before and shows up after what had told that it was missing
 * was late and not lost. */
static void take_overtaken(struct step *step)
{
	step->self->numbering.reorders = true;
	if (step->end > step->self->next)
		step->self->sent_to = 0;
}

/* Repeated data, a keep-alive and a probe of the window are answered, though
 * the other side's positions say that there is nothing to acknowledge. */
static void note_asking(struct step *step)
{
	if (!step->connection->self_connect && step->from < step->self->next)
		step->peer->numbering.asked_ns = step->packet->t_ns;
}

void numbering_step(struct step *step)
{
	struct side *self = step->self;
	struct numbering *numbering = &self->numbering;
	const struct packet *packet = step->packet;
	uint64_t bytes = packet->payload_bytes;
	uint16_t missing = (uint16_t)(packet->ip_id - numbering->next);

	numbering->overtaken = true;
	numbering->lost = false;
	note_asking(step);
	if (packet->from.version != 4 || !packet->ip_id ||
		side_is_near(step->connection, step->side))
		return;
	if (numbering->steady && missing > UINT16_MAX - NEAR) {
		take_overtaken(step);
		return;
	}
	numbering->overtaken = false;
	numbering->shared |= numbering->steady && is_shared(step, missing);
	note_host(step);
	if (missing > NEAR)
		numbering->steady = 0;
	take_number(step, missing);
	numbering->t_ns = packet->t_ns;
	numbering->highest = step->end > self->next;
	/* Of equal pieces the last may be shorter: then they may be any. */
	numbering->certain = bytes <= self->mss_bytes ||
		(self->mss_bytes && bytes % self->mss_bytes == 0);
	numbering->next =
		(uint16_t)(packet->ip_id + side_segments(self, bytes));
}

/* Behind a gap that is no number of whole segments nobody knows how many there
 * were: it may have been all that was lost. */
bool numbering_shows_again(struct step *step)
{
	struct side *self = step->self;

	if (!self->sent_to || self->numbering.overtaken ||
		step->from < self->next)
		return false;
	if (step->from < self->sent_to &&
		step->end - is_fin(step) <= self->sent_to &&
		(step->from - self->next) % self->mss_bytes == 0)
		return true;
	self->sent_to = 0;
	return false;
}
