/*
 * Points that several files of a fleet have: of a file that is named twice, of
 * a copy, or of a session that was saved again after more runs. The first file
 * keeps them.
 */
#ifndef BENCHTOP_FLEET_REPEATED_H
#define BENCHTOP_FLEET_REPEATED_H

#include "kept_points.h"

struct fleet_repeated {
	size_t files; /* whose points other files all have */
	size_t runs;  /* of the remaining files */
};

/* `repeated`: of each point, from kept_points_repeated(). */
void fleet_count_repeated(const struct kept_points *, const bool *repeated,
	struct fleet_repeated *);

#endif
