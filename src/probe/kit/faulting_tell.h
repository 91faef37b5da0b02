/*
 * What a fault costs, told so that it cannot mislead: read-ahead and the
 * mapping of neighbours make one fault serve many pages, so its cost stands
 * beside how many, and beside what a touch costs.
 */
#ifndef BENCHTOP_FAULTING_TELL_H
#define BENCHTOP_FAULTING_TELL_H

#include "faulting.h"
#include "results.h"

struct faulting_costs {
	enum faulting_kind kind;
	double page_bytes;
	double fault_ns, touch_ns;
	double per_fault; /* pages touched */
};

/* Sentences of a single point, else a row of the table of findings. Loads from
 * memory in as much time are told where mem.latency has measured one. */
void faulting_tell(const struct faulting_costs *, const struct results *,
	const struct point *, const struct facts *, struct findings *);

#endif
