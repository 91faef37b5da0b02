/*
 * The reply of `load`: one line that identifies the session, and one line for
 * each reason to trust its figures less.
 */
#ifndef BENCHTOP_LOADED_H
#define BENCHTOP_LOADED_H

#include "session.h"

/* `name` is the name as typed. It is shown if the session is not a kept one. */
void loaded_text(const struct session *, const char *name, int width,
	struct text *);

#endif
