/*
 * A trace of the point under the probe, and a probe of its own along it.
 */
#ifndef BENCHTOP_SWEEP_TRACE_H
#define BENCHTOP_SWEEP_TRACE_H

#include "peaks.h"
#include "view_sweep.h"

struct trace {
	/* What the probe goes along, x ascending: the trace itself, or where
	 * launches have measured the same, their medians. Owned. */
	double *x, *y;
	size_t n;
	bool ordered; /* it is the trace itself: peaks are looked for */
	double *dots_x, *dots_y; /* what the medians are of; with x in one */
	size_t dot_count;        /* 0: ordered */
	struct peaks peaks;
	size_t at; /* the probe */
};
void trace_open(struct trace *, const struct scene *);
void trace_close(struct trace *);
/* How far one step of the probe goes: a hundredth of what is shown. */
size_t trace_step(const struct trace *, const struct scene *);
/* The next peak in a direction, or the next place where a level ends; or where
 * the probe is. */
size_t trace_next_stop(const struct trace *, const struct cache_levels *,
	int steps);

#endif
