/*
 * Converts between the value of a parameter and its place on a slider, 0 .. 1.
 * Ranges of more than a factor of 100 are logarithmic; a range from 0 uses the
 * logarithm of the value plus 1.
 */
#ifndef BENCHTOP_SLIDE_H
#define BENCHTOP_SLIDE_H

#include "param.h"

double slide_place(const struct param *, double value);
/* The value at a place, with few digits, within the bounds; for bytes a power
 * of two. The ends yield the bounds themselves. */
double slide_value(const struct param *, double place);

#endif
