/*
 * How copies of a run are recognised, in files of any name: by host,
 * experiment, start, seed and place in the session, and by the medians of its
 * points. Runs with a seed of the user's that two labs began in one second
 * differ in their medians, and repeated runs of one session in their place.
 */
#ifndef BENCHTOP_RUN_IDENTITY_H
#define BENCHTOP_RUN_IDENTITY_H

#include "session.h"

struct run_origin {
	const char *host; /* NULL: unknown */
	const char *experiment, *started;
	uint64_t seed;
	size_t place; /* in the session, from 0 */
};

/* A hash of where a run comes from. */
uint64_t run_identity(const struct run_origin *);
/* The same of a point in a run with this identity, by a median of the point. */
uint64_t run_identity_point(uint64_t run, double median);
/* Have both sessions the same runs? False without runs. */
bool run_identity_sessions(const struct session *, const struct session *);

#endif
