/*
 * An axis: it maps values to places and chooses readable ticks.
 *
 * Ticks are at 1-2-5 times powers of ten. A logarithmic axis has them at 1-2-5
 * or only at powers of ten. Ticks for bytes are at powers of two (4K, 16K, ..),
 * or on a linear axis at multiples of a power of two. Ticks are as dense as a
 * blank between two labels permits. There are at least two: if no round values
 * fit, the ends are labelled. A logarithmic axis has no place for 0 and
 * negative values: axis_place() puts them on its lower end.
 *
 * Columns and rows are character cells of a screen. A picture passes how many
 * characters fit side by side, and how many lines of text.
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

/* An axis that includes low .. high for any two values. A single value has
 * some room around it. The axis is logarithmic only if `low` is positive. */
struct axis axis_over(double low, double high, bool logarithmic, enum unit);
/* The place of a value: 0 at the low end, 1 at the high end. Values outside of
 * the axis give less than 0 or more than 1. */
double axis_place(const struct axis *, double value);

enum { AXIS_TICKS = 64 };
struct ticks {
	size_t count;
	struct {
		double value;
		char label[16];
	} list[AXIS_TICKS];
	const char *unit; /* unit of the labels: "ns", "MiB"; "B" if each label
			   * has its own prefix */
};
/* Ticks for an axis of `columns` columns, with labels side by side. */
void axis_ticks(const struct axis *, int columns, struct ticks *);
/* Ticks for an axis of `rows` rows, at most one label per three rows. */
void axis_ticks_upright(const struct axis *, int rows, struct ticks *);

/* The index of the cell, of `cells`, that holds a value; the first is 0. Values
 * outside of the axis give a negative index, or `cells` and more. */
int axis_cell(const struct axis *, double value, int cells);

#endif
