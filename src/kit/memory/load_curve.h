/*
 * Curves of latency: what a trace of many launches says at each x.
 *
 * A launch draws its pages anew, and what they do to a cache differs from draw
 * to draw; the median over the launches finds what the least of them hides.
 */
#ifndef BENCHTOP_LOAD_CURVE_H
#define BENCHTOP_LOAD_CURVE_H

#include <stddef.h>

#include "results.h"

enum { LOAD_CURVE_MOST = 512 };

struct load_curve {
	double x[LOAD_CURVE_MOST], y[LOAD_CURVE_MOST]; /* x ascends */
	size_t n;
};

/* The medians of a trace of the first point; none where there are more x than
 * a curve can hold. */
void load_curve_pool(const struct results *, unsigned metric,
	struct load_curve *);
/* Of times per load over the bytes between two: the first distance at which
 * the second load is of another line; 0: none. */
double load_curve_line(const struct load_curve *pairs);

#endif
