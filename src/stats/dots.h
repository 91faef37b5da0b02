/*
 * Dots: many measurements of a curve, and the curve of their medians.
 */
#ifndef BENCHTOP_DOTS_H
#define BENCHTOP_DOTS_H

#include <stddef.h>

struct dot {
	double x, y;
};

/* Sorts the dots by x and then y, and writes each x with the median of its y
 * to both arrays, which hold dots_count(). Returns how many there are. */
size_t dots_medians(struct dot *dots, size_t n, double *x, double *y);
/* How many different x there are; sorts as well. */
size_t dots_count(struct dot *dots, size_t n);

#endif
