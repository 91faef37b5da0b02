/*
 * Prediction of the cost of a page fault: an exception; filling the page at the
 * rate of memory writes, if it is new or copied; and the kernel's work. For an
 * evicted file, the disk's latency, and with read-ahead the transfer of all
 * bytes read.
 */
#ifndef BENCHTOP_FAULTING_EXPECT_H
#define BENCHTOP_FAULTING_EXPECT_H

#include "faulting.h"
#include "results.h"

struct faulting_wish {
	enum faulting_kind kind;
	double page_bytes; /* of anonymous memory */
	/* Maximum bytes of a file that one fault may read; 0: only its page. */
	double ahead_bytes;
};

void faulting_expect(const struct faulting_wish *, const struct facts *,
	struct prediction *);

#endif
