/*
 * Calls that block for longer than a worker may be silent: they are made in a
 * thread of their own, and signs of life are shown meanwhile. Not while
 * anything is timed.
 */
#ifndef BENCHTOP_ALONGSIDE_H
#define BENCHTOP_ALONGSIDE_H

#include <stdbool.h>

#include "probe.h"

/* Returns when work(context) has. False: it has not within `most_s` seconds (0:
 * it is waited for as long as it takes) and goes on by itself, so that what it
 * was given must be there for as long as the process. */
bool alongside(struct probe *, void (*work)(void *context), void *context,
	unsigned most_s);

#endif
