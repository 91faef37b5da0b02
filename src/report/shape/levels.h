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
#include "steps.h"

enum { LEVELS_MOST = 6 };

struct level {
	const char *name;
	double until;  /* the knee; NaN: none found, or the last level */
	double kernel; /* size reported by the kernel; 0: unknown */
	bool uncertain; /* the knee is uncertain */
	bool searched;  /* the line has enough points to have knees */
	double low, high; /* smallest and largest size of the plateau */
	double value;     /* median of its headlines; NaN: none */
	double cycles;    /* NaN: none */
};

/* The ends of levels along a line, in ascending order. */
struct knees {
	struct step list[STEPS_MOST];
	size_t count;
};

/* Finds the knees of a line over sizes. Every point with a median counts, since
 * a knee rests on many points; a poor fit makes it uncertain. False: the points
 * are too few for a search. */
bool levels_knees(const struct curves *, size_t line, struct knees *);
/* Returns the number of levels; 0: the line has none. `machine` may be NULL. */
size_t levels_of_line(const struct curves *, size_t line,
	const struct machine *, struct level levels[LEVELS_MOST]);

#endif
