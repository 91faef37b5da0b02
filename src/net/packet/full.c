/* The time for which a full or closed receive window limits its sender. */
#include "annotate_internal.h"

void full_begin(struct side *sender, int64_t t_ns)
{
	if (sender->full_since_ns == UNKNOWN_NS)
		sender->full_since_ns = t_ns;
	sender->full_until_ns = UNKNOWN_NS;
}

static void add_full(struct side *sender, int64_t end_ns)
{
	struct round *round = round_open(&sender->rounds);
	int64_t full_ns = side_full_open_ns(sender, end_ns);

	add_span(&sender->full_ns, 0, full_ns);
	if (round)
		add_span(&round->full_ns, 0, full_ns);
}

void full_end(struct side *sender, int64_t t_ns)
{
	add_full(sender, t_ns);
	sender->full_since_ns = sender->full_until_ns = UNKNOWN_NS;
}

void full_round(struct side *sender, int64_t t_ns)
{
	add_full(sender, t_ns);
	if (sender->full_since_ns != UNKNOWN_NS)
		sender->full_since_ns = t_ns;
}
