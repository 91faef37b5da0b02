/*
 * What to say while a line is being typed: what is wrong with it so far, what
 * it would mean, or what could follow.
 */
#ifndef BENCHTOP_HINT_H
#define BENCHTOP_HINT_H

#include "screen.h"

/* Fills in one sentence; ROLE_BAD where the line would be refused. */
enum role hint_of_prompt(const struct screen *, struct text *);

/* The statement that keeps a prediction typed on the form's line: a range
 * alone stands for the whole. */
void line_of_prediction(const struct screen *, const char *typed,
	struct text *line);

#endif
