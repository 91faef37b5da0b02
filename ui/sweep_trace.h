/*
 * A trace of the point under the probe, and a probe of its own along it.
 */
#ifndef BENCHTOP_SWEEP_TRACE_H
#define BENCHTOP_SWEEP_TRACE_H

#include "peaks.h"
#include "view_sweep.h"

struct trace {
	double *x, *y; /* owned, in one */
	size_t n;
	bool ordered; /* x ascends: peaks are looked for */
	struct peaks peaks;
	size_t at; /* the probe */
};
void trace_open(struct trace *, const struct scene *);
void trace_close(struct trace *);
/* How far one step of the probe goes: a hundredth of what is shown. */
size_t trace_step(const struct trace *, const struct scene *);
/* The next peak in a direction, or where the probe is. */
size_t trace_next_peak(const struct trace *, int steps);

#endif
