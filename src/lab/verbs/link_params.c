/* The parameters of the verb `link`. */
#include "link_params.h"

const struct param link_params[] = {
	LINK_ROWS(struct link_verb, link),
	{ .name = "seed",
		.label = "seed",
		.help = "equal seeds lose and reorder the same packets",
		.preset = "1",
		WHOLE_FIELD(struct link_verb, seed),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 9e15 },
	{ .name = "cpu",
		.label = "processor",
		.help = "of the relay; auto: not pinned",
		.preset = "auto",
		WHOLE_FIELD(struct link_verb, cpu),
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 1023,
		.automatic = true },
	{ .name = NULL },
};
