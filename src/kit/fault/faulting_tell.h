/*
 * Findings about the cost of a fault. Read-ahead and fault-around make one
 * fault serve many pages, so the cost is shown with the number of pages and
 * with the cost of a touch. The cost per byte is shown only if the touches
 * cover every page of a file: how many untouched pages a fault brings is
 * unknown.
 */
#ifndef BENCHTOP_FAULTING_TELL_H
#define BENCHTOP_FAULTING_TELL_H

#include "faulting.h"
#include "results.h"

struct faulting_costs {
	enum faulting_kind kind;
	double page_bytes;
	double stride_bytes; /* from one touch to the next */
	double fault_ns, touch_ns;
	double per_fault; /* pages touched per fault */
};

/* Adds sentences if the run has a single point, else a row of the table of
 * findings. Includes the number of loads from memory that take the same time,
 * if an earlier run has measured them. */
void faulting_tell(const struct faulting_costs *, const struct results *,
	const struct point *, const struct facts *, struct findings *);

#endif
