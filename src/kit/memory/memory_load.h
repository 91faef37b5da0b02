/*
 * What a load from memory takes, as mem.latency has measured it earlier in the
 * session: for predictions and findings of other experiments.
 */
#ifndef BENCHTOP_MEMORY_LOAD_H
#define BENCHTOP_MEMORY_LOAD_H

#include <stdbool.h>

#include "results.h"

/* The interval of the last point that memory served, not a cache, in local
 * order (without page walks) where there is one, else in random order; at
 * strides of a line or more. Other orders are guessed by prefetchers. False:
 * not measured. */
bool memory_load(const struct facts *, struct range *load_ns);

#endif
