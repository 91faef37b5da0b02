/* The order in which packets were sent, by their IPv4 identifications.
 *
 * Many hosts count the packets that they send to another host in this field.
 * RFC 6864 does not require it, so a side's packets have to show it first. Gaps
 * of a count mean nothing: the host may count other packets too. */
#include "annotate_internal.h"

enum {
	STEP_MOST = 127, /* of a count, between consecutive packets */
	STEPS_LEAST = 8,
	/* Between two packets to compare, and less time than a timer takes: the
	 * count starts again after 65536, and may be of all packets of a
	 * host. */
	SEGMENTS_MOST = 1 << 13,
};

static bool has_id(const struct packet *packet)
{
	return packet->from.version == 4;
}

void ids_note(struct step *step)
{
	struct side *self = step->self;
	uint16_t id = (uint16_t)step->packet->ip_id;
	int16_t moved = (int16_t)(id - self->ids.last);

	if (!has_id(step->packet))
		return;
	/* Constant ones count nothing, and reordered ones step back. */
	self->ids.up += moved > 0 && moved <= STEP_MOST;
	self->ids.down += moved < 0 && moved >= -STEP_MOST;
	self->ids.large += moved < -STEP_MOST || moved > STEP_MOST;
	self->ids.last = id;
}

void ids_stamp(const struct step *step, struct byte_range *range)
{
	range->has_id = has_id(step->packet);
	range->id = (uint16_t)step->packet->ip_id;
}

static bool is_counted(const struct side *side)
{
	return side->ids.up >= STEPS_LEAST && side->ids.down < side->ids.up &&
		side->ids.large < side->ids.up;
}

int ids_order(const struct step *step, const struct byte_range *other)
{
	const struct side *self = step->self;
	int16_t after = (int16_t)(step->packet->ip_id - other->id);
	uint64_t bytes = side_highest(self) - other->from;
	int64_t apart_ns = step->packet->t_ns - other->t_ns;

	if (!other->has_id || !has_id(step->packet) || !is_counted(self) ||
		!self->mss_bytes || apart_ns >= TIMEOUT_LEAST_NS ||
		bytes / self->mss_bytes > SEGMENTS_MOST ||
		after > SEGMENTS_MOST || after < -SEGMENTS_MOST)
		return 0;
	return (after > 0) - (after < 0);
}
