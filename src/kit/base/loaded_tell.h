/*
 * Findings about the latency of a load beside other traffic: without traffic,
 * at shares of the highest bandwidth, and at the knee.
 *
 * Between two points the latency is interpolated. The knee is the point
 * farthest below the straight line from the first point to the last, in shares
 * of both axes (Satopaa et al., "Finding a Kneedle in a Haystack", ICDCS
 * workshops 2011). There is none if the highest bandwidth does not make a load
 * longer by a tenth and beyond the intervals.
 */
#ifndef BENCHTOP_LOADED_TELL_H
#define BENCHTOP_LOADED_TELL_H

#include "results.h"

struct loaded_point {
	const struct point *point;
	bool idle; /* without traffic: no bandwidth */
	double pause_ns;
	struct summary load;      /* ns */
	struct summary bandwidth; /* bytes per second */
};

/* Adds the findings of a curve and sorts its points by bandwidth. Adds nothing
 * without an idle point and a point with traffic. `operation` is a verb:
 * "read". */
void loaded_tell(const struct results *, struct loaded_point *, size_t count,
	const char *operation, struct findings *);

#endif
