/*
 * Prediction of the cost of a page fault: an exception; filling the page at the
 * rate of memory writes, if it is new or copied; and the kernel's work. For an
 * evicted file, the disk's latency. With read-ahead a fault only maps its page
 * if that has arrived, or also waits for the transfer of all bytes read ahead.
 */
#ifndef BENCHTOP_FAULTING_EXPECT_H
#define BENCHTOP_FAULTING_EXPECT_H

#include "faulting.h"
#include "results.h"

struct faulting_wish {
	enum faulting_kind kind;
	double page_bytes; /* of anonymous memory */
	/* Maximum bytes of a file that are read ahead per fault; 0: none, and
	 * each fault reads its page. */
	double ahead_bytes;
};

void faulting_expect(const struct faulting_wish *, const struct facts *,
	struct prediction *);

#endif
