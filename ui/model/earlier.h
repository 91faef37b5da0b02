/* Earlier runs of an experiment, in the session and before it, each held
 * against the last. */
#ifndef BENCHTOP_EARLIER_H
#define BENCHTOP_EARLIER_H

#include "session.h"

/* "3 hours ago" of a time as sessions have it; "before" where it is none. */
void say_ago(const char *at, struct text *);

/* "2025-11-18 14:02  115.9 ns  change -0.3 % [0.995, 0.999], equivalent": a
 * line for each, the latest first, of the headline at the point that `point`
 * of the results is; then at most ten of the sessions before (past.h). Nothing
 * where there is none. */
void say_earlier(const struct session *, const struct results *, size_t point,
	struct text *);

#endif
