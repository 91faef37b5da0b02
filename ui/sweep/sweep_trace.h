/*
 * A trace of the point under the probe, with a second probe that moves along
 * the trace.
 */
#ifndef BENCHTOP_SWEEP_TRACE_H
#define BENCHTOP_SWEEP_TRACE_H

#include "peaks.h"
#include "view_sweep.h"

struct trace {
	/* The curve under the trace's probe, x ascending: the trace itself, or
	 * its medians if several launches measured the same x. Owned. */
	double *x, *y;
	size_t n;
	bool ordered; /* the curve is the trace itself: peaks are searched */
	double *dots_x, *dots_y; /* the values behind the medians */
	size_t dot_count;        /* 0 if ordered */
	struct peaks peaks;
	size_t at; /* position of the probe */
};
void trace_open(struct trace *, const struct scene *);
void trace_close(struct trace *);
/* The length of one step of the probe: a hundredth of the part in view. */
size_t trace_step(const struct trace *, const struct scene *);
/* The next peak in the direction of `steps`, or on a curve of medians the next
 * end of a level. Returns the probe's position if there is none. */
size_t trace_next_stop(const struct trace *, const struct cache_levels *,
	int steps);

#endif
