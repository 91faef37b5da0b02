/*
 * Latency curves: the median over all launches of a trace at each x.
 *
 * Each launch draws new physical pages, and their effect on a cache varies from
 * draw to draw. The minimum would hide this effect; the median shows it.
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

/* The medians of a trace of the first point. The curve is empty if there are
 * more distinct x than it can hold. */
void load_curve_pool(const struct results *, unsigned metric,
	struct load_curve *);
/* For times per load over the bytes between two nodes: the first distance at
 * which the second load is in another line; 0: none. */
double load_curve_line(const struct load_curve *pairs);

#endif
