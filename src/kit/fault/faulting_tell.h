/*
 * What a fault costs, told so that it cannot mislead: read-ahead and the
 * mapping of neighbours make one fault serve many pages, so its cost stands
 * beside how many, and beside what a touch costs. What it costs per byte is
 * told where the touches leave out no page of a file: what a fault brings of
 * those that are not touched is not known.
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
	double per_fault; /* pages touched */
};

/* Sentences of a single point, else a row of the table of findings. Loads from
 * memory in as much time are told where an earlier run has measured one. */
void faulting_tell(const struct faulting_costs *, const struct results *,
	const struct point *, const struct facts *, struct findings *);

#endif
