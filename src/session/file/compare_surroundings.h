/* Differing conditions of two sessions: machine, system, program, the doctor's
 * findings. Private to the comparison. */
#ifndef BENCHTOP_COMPARE_SURROUNDINGS_H
#define BENCHTOP_COMPARE_SURROUNDINGS_H

#include "compare_sessions.h"

void compare_surroundings(struct compare_pair *);
/* Relative difference of the canary's time; NaN if a session has none, or used
 * another processor. */
double canary_drift(const struct session *, const struct session *);

#endif
