/* What differs around two sessions: machine, system, program, the doctor's
 * findings. Private to the comparison. */
#ifndef BENCHTOP_COMPARE_SURROUNDINGS_H
#define BENCHTOP_COMPARE_SURROUNDINGS_H

#include "compare_sessions.h"

void compare_surroundings(struct compare_pair *);
/* By how much the canary's time differs, as a share; NaN where a session has
 * none, or another processor. */
double canary_drift(const struct session *, const struct session *);

#endif
