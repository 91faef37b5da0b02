/* Differing conditions of two sessions: machine, system, program, the doctor's
 * findings. Private to comparisons and histories. */
#ifndef BENCHTOP_COMPARE_SURROUNDINGS_H
#define BENCHTOP_COMPARE_SURROUNDINGS_H

#include "compare_sessions.h"

void compare_surroundings(struct compare_pair *);
/* Adds what two unequal values of a member of the machine have that the other
 * has not: of a list (mitigations, command_line) its items, or "absent"; of
 * another member the value, or "unknown". */
void compare_values(const char *member, const char *first, const char *second,
	struct text *a, struct text *b);
/* Relative difference of the canary's time; NaN if a session has none, or used
 * another processor. */
double canary_drift(const struct session *, const struct session *);

#endif
