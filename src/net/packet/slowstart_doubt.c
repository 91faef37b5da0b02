/* Whether the retransmission that ended slow start repaired a loss. */
#include "annotate_internal.h"

bool slowstart_is_proven(const struct step *step)
{
	enum retransmission why = step->sighting->why;

	return step->fresh_bytes || why == RETRANSMIT_FAST ||
		why == RETRANSMIT_RACK || why == RETRANSMIT_RECOVERY ||
		why == RETRANSMIT_AGAIN;
}

void slowstart_again(struct step *step, uint64_t to)
{
	struct slow_start_exit *end = &step->self->rounds.exit;

	if (end->reason == EXIT_LOSS && step->from < end->to && end->from < to)
		end->again = true;
}

void slowstart_original(struct side *side, uint64_t from, uint64_t to)
{
	struct slow_start_exit *end = &side->rounds.exit;

	if (end->reason == EXIT_LOSS && from < end->to && end->from < to)
		end->certain = false;
}

void slowstart_needless(struct side *side, uint64_t from, uint64_t to)
{
	if (!side->rounds.exit.again)
		slowstart_original(side, from, to);
}

void slowstart_disproved(struct side *side, uint64_t number)
{
	struct slow_start_exit *end = &side->rounds.exit;

	if (end->reason == EXIT_LOSS && end->evidence == number)
		end->certain = false;
}

void slowstart_proved(struct side *side, uint64_t number)
{
	if (side->rounds.exit.evidence == number)
		side->rounds.exit.unproven = false;
}
