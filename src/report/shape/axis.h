/*
 * An axis: from values to places, and ticks that can be read.
 *
 * Ticks stand at 1-2-5 times powers of ten; on a logarithmic axis at 1-2-5 or
 * at powers of ten; for bytes at powers of two (4K, 16K, ..), or on a linear
 * axis at multiples of one. They are as dense as leaves a blank between two
 * labels. There are always two at least: where no round values fit, the ends
 * are labelled. Zero and less have no place on a logarithmic axis: axis_place()
 * puts them on its floor.
 *
 * Columns and rows are those of a screen; a picture counts as many as a label's
 * letters are wide and its lines high.
 */
#ifndef BENCHTOP_AXIS_H
#define BENCHTOP_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "unit.h"

struct axis {
	double low, high; /* low < high; positive where logarithmic */
	bool logarithmic;
	enum unit unit;
};

/* An axis that holds low .. high, whatever they are: a single value is given
 * some room, and without a positive low it is not logarithmic. */
struct axis axis_over(double low, double high, bool logarithmic, enum unit);
/* Where a value lies: 0 at the low end, 1 at the high end, beyond outside. */
double axis_place(const struct axis *, double value);

enum { AXIS_TICKS = 64 };
struct ticks {
	size_t count;
	struct {
		double value;
		char label[16];
	} list[AXIS_TICKS];
	const char *unit; /* what the labels are in: "ns", "MiB"; "B" where
			   * each has its own prefix */
};
/* Ticks for an axis of so many columns, labels side by side. */
void axis_ticks(const struct axis *, int columns, struct ticks *);
/* Ticks for an axis of so many rows, one label per three rows at most. */
void axis_ticks_upright(const struct axis *, int rows, struct ticks *);

/* The cell of so many that a value lies in, 0 the first; outside it is less or
 * more. */
int axis_cell(const struct axis *, double value, int cells);

#endif
