/*
 * What the status sentence says of commands that reply nothing, or less than
 * one who looks at a screen must know.
 */
#ifndef BENCHTOP_STATUS_TEXT_H
#define BENCHTOP_STATUS_TEXT_H

#include "screen.h"

/* What must be known of the lab before a command changes it. */
struct before {
	size_t aside; /* length of lab->aside */
};

struct before status_before(const struct screen *);
/* Adds to the message after a command that was done. */
void status_after(struct screen *, const struct words *, const struct before *);

#endif
