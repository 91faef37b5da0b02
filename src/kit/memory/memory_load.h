/*
 * What a load from memory takes, as measured earlier in the session: for
 * predictions and findings.
 */
#ifndef BENCHTOP_MEMORY_LOAD_H
#define BENCHTOP_MEMORY_LOAD_H

#include "results.h"

/* The interval of the last point that memory served, not a cache, in local
 * order (without page walks) where there is one, else in random order; at
 * strides of a line or more. Other orders are guessed by prefetchers.
 * The run is returned; NULL: none has measured it. */
const struct results *memory_load(const struct facts *, struct range *load_ns);

#endif
