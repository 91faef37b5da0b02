/*
 * Allocations that fail on order, for LD_PRELOAD. The order is in a file that
 * BENCHTOP_MALLOC names; all processes of a program map it and count together.
 * Only programs named benchtop count.
 */
#ifndef BENCHTOP_MALLOC_SHIM_H
#define BENCHTOP_MALLOC_SHIM_H

#include <stdatomic.h>
#include <stdbool.h>

struct malloc_order {
	unsigned nth;  /* the first that fails, from 1 */
	bool and_more; /* all later ones fail, too */
	atomic_bool reached;
	atomic_uint count; /* so far */
};

#endif
