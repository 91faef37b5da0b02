/*
 * The latency of a load from memory, as measured earlier in the session, for
 * predictions and findings.
 */
#ifndef BENCHTOP_MEMORY_LOAD_H
#define BENCHTOP_MEMORY_LOAD_H

#include "results.h"

/* The interval of the last point that memory served, not a cache, at strides of
 * a line or more. Local order (without page walks) is preferred to random
 * order; prefetchers guess the other orders. Returns the run, or NULL if none
 * has measured it. */
const struct results *memory_load(const struct facts *, struct range *load_ns);

#endif
