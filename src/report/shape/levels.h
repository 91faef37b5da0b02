/*
 * The levels of memory in a sweep over sizes: the end of each level (the knee
 * of the curve), the size that the kernel reports, and the plateau between
 * knees.
 *
 * Only for points with a note `level`. A plateau uses points with enough data,
 * between the end of one rise and the beginning of the next.
 */
#ifndef BENCHTOP_LEVELS_H
#define BENCHTOP_LEVELS_H

#include "curves.h"
#include "machine.h"

enum { LEVELS_MOST = 6 };

struct level {
	const char *name;
	double until;  /* the knee; NaN: none found, or the last level */
	double kernel; /* size reported by the kernel; 0: unknown */
	bool uncertain; /* the knee is uncertain */
	double low, high; /* smallest and largest size of the plateau */
	double value;     /* median of its headlines; NaN: none */
	double cycles;    /* NaN: none */
};

/* Returns the number of levels; 0: the line has none. `machine` may be NULL. */
size_t levels_of_line(const struct curves *, size_t line,
	const struct machine *, struct level levels[LEVELS_MOST]);

#endif
