/* Lists earlier runs of an experiment, from this session and earlier sessions.
 * Each is compared with the given results. */
#ifndef BENCHTOP_EARLIER_H
#define BENCHTOP_EARLIER_H

#include "session.h"

/* Appends "3 hours ago" for a time in the session format; "before" if the time
 * is invalid. */
void say_ago(const char *at, struct text *);

/* "2025-11-18 14:02 115.9 ns since then -0.3 %, ratio 0.997 [0.995, 0.999],
 * equivalent": appends one line per earlier run, the latest first. The figures
 * are the headline at the point with index `point` of the results. Then come at
 * most ten runs of earlier sessions (past.h). Appends nothing if there are
 * none. */
void say_earlier(const struct session *, const struct results *, size_t point,
	struct text *);

#endif
