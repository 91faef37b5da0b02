/*
 * What to say while a line is being typed: what is wrong with it so far, what
 * it would mean, or what could follow.
 */
#ifndef BENCHTOP_HINT_H
#define BENCHTOP_HINT_H

#include "screen.h"

/* Fills in one sentence; ROLE_BAD where the line would be refused. */
enum role hint_of_prompt(const struct screen *, struct text *);

#endif
