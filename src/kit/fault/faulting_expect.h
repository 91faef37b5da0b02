/*
 * What a page fault could cost, before it is measured: an exception, filling
 * the page as fast as memory is written where it is new or copied, and the
 * kernel's part; or a disk's answer, and with read-ahead all that comes along
 * with it.
 */
#ifndef BENCHTOP_FAULTING_EXPECT_H
#define BENCHTOP_FAULTING_EXPECT_H

#include "faulting.h"
#include "results.h"

struct faulting_wish {
	enum faulting_kind kind;
	double page_bytes; /* of anonymous memory */
	/* Bytes of a file that may come with one fault, at most; 0: only its
	 * page. */
	double ahead_bytes;
};

void faulting_expect(const struct faulting_wish *, const struct facts *,
	struct prediction *);

#endif
