/* A session that uses most features, the same at every call. */
#ifndef BENCHTOP_SAMPLE_SESSION_H
#define BENCHTOP_SAMPLE_SESSION_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "session.h"
#include "sharing.h"

uint64_t sample_random(uint64_t *state);
struct results *sample_run(void);
/* Sets the values that a reader requires of each run. */
void sample_possible(struct results *r);
struct session *sample_session(void);
struct text written(const struct session *session);
struct session *read_text(const struct text *text);

#endif
