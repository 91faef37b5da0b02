/* The time in which a sender has no data to send. */
#include "annotate_internal.h"

int64_t idle_before(const struct step *step)
{
	const struct side *self = step->self;
	int64_t since_ns = self->sent_ns;

	if (self->progress_ns != UNKNOWN_NS && self->progress_ns > since_ns)
		since_ns = self->progress_ns;
	return since_ns == UNKNOWN_NS ? 0 : step->packet->t_ns - since_ns;
}

/* True if the sender had no data when the round ended. At the sender's tap,
 * everything was acknowledged for some time. At the far tap, the data echoes an
 * acknowledgement of everything, and arrives late. */
static bool was_idle(const struct step *step, int64_t rtt_ns)
{
	const struct side *self = step->self;
	int64_t t_ns = step->packet->t_ns;

	if (self->idle_since_ns == UNKNOWN_NS || rtt_ns == UNKNOWN_NS)
		return false;
	int64_t idle_ns = t_ns - self->idle_since_ns;
	if (side_is_near(step->connection, step->side))
		return idle_ns > rtt_ns / 4 && idle_ns > 1000000;
	return idle_ns > rtt_ns + rtt_ns / 2;
}

/* When the sender was idle: after its last data. If a queue or a repair delayed
 * that, the time until then is the network's. */
static int64_t idle_since(const struct side *self, const struct round *round,
	int64_t rtt_ns)
{
	int64_t since_ns = self->idle_since_ns - rtt_ns;

	if (since_ns < round->last_ns)
		since_ns = round->last_ns;
	return self->recovered_ns > since_ns ? self->recovered_ns : since_ns;
}

/* Away from the sender's tap, a lost flight is a silence too. Only data of the
 * other side, a request, shows that the sender waited for it. */
void idle_round(struct step *step, int64_t rtt_ns)
{
	const struct side *self = step->self;
	struct round *round = round_open(&step->self->rounds);
	int64_t asked_ns = step->peer->last_data_ns;
	bool idle = was_idle(step, rtt_ns);
	bool sure = side_is_near(step->connection, step->side) ||
		(asked_ns != UNKNOWN_NS && asked_ns >= self->idle_since_ns);

	round->app_limited = idle && sure;
	round->silent = idle && !sure;
	if (round->app_limited)
		add_span(&round->idle_ns, idle_since(self, round, rtt_ns),
			step->packet->t_ns);
}
