/*
 * The hint shown while the user types a line: an error in the line so far, its
 * meaning, or possible continuations.
 */
#ifndef BENCHTOP_HINT_H
#define BENCHTOP_HINT_H

#include "screen.h"

/* Appends one sentence; returns ROLE_BAD if the line would be refused. */
enum role hint_of_prompt(const struct screen *, struct text *);

/* The statement that sets a prediction typed on the form's line; a range
 * without a name is the total. */
void line_of_prediction(const struct screen *, const char *typed,
	struct text *line);

#endif
