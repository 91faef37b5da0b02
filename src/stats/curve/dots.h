/*
 * Dots: repeated measurements of a curve, and the curve of their medians.
 */
#ifndef BENCHTOP_DOTS_H
#define BENCHTOP_DOTS_H

#include <stddef.h>

struct dot {
	double x, y;
};

/* Sorts the dots by x, then y. Writes each distinct x and the median of its y
 * to the two arrays, which have room for dots_count() values. Returns the
 * number of distinct x. */
size_t dots_medians(struct dot *dots, size_t n, double *x, double *y);
/* The number of distinct x. Sorts the dots too. */
size_t dots_count(struct dot *dots, size_t n);

#endif
