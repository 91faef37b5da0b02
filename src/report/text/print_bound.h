/*
 * A figure of one point, judged by a bound, as a line of text.
 */
#ifndef BENCHTOP_PRINT_BOUND_H
#define BENCHTOP_PRINT_BOUND_H

#include "results.h"
#include "text_layout.h"

struct bound {
	unsigned metric;
	const char *stat;     /* "median", "p99", "shared", .. */
	const char *operator; /* "<", "<=", ">" or ">=" */
	double value;         /* percent, cycles, or the metric's unit */
	bool in_cycles;
};

/* A share of the trials, in percent. It does not depend on their times. */
bool bound_is_share(const struct bound *);

enum bound_judged {
	BOUND_MET,
	BOUND_MISSED,
	BOUND_UNDECIDED,
	BOUND_CROWDED, /* undecided because of other tasks */
	BOUND_BLURRED, /* undecided in time, but not in cycles */
};

/* Prints "FAIL cpu.syscall call=read median 116.2 ns < 88.00 ns". A point
 * without the figure is undecided if more trials or launches would give it, as
 * a quantile or an interval. Otherwise it misses every bound: the point was not
 * measured, or the metric has no values there. A figure of not enough data
 * (quality.h) is undecided, but ci_low and ci_high are not if there is an
 * interval. A figure from a shared core is undecided if a core of its own could
 * change the answer. */
enum bound_judged print_bound(const struct bound *, const struct results *,
	const struct point *, const struct text_layout *, struct text *);

#endif
