/* Earlier runs of an experiment in the session, each held against the last. */
#ifndef BENCHTOP_EARLIER_H
#define BENCHTOP_EARLIER_H

#include "session.h"

/* "2025-11-18 14:02  115.9 ns  change -0.3 % [0.995, 0.999], equivalent": a
 * line for each, the latest first, of the headline at the point that `point`
 * of the results is; nothing where there is none. */
void say_earlier(const struct session *, const struct results *, size_t point,
	struct text *);

#endif
