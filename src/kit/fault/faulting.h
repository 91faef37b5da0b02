/*
 * Memory in which every page faults, in one of five ways: a page that does not
 * exist yet (anonymous), read before it was ever written (zero), shared with
 * another process since a fork (copied), of a file in the page cache (file), or
 * of a file that is proven not to be there (evicted).
 *
 *     faulting_open()      once: the file is written, what is copied exists
 *     faulting_prepare()   before each pass over it
 *     .. touches ..        each page faults, or comes with a neighbour
 *     faulting_dispose()   after it
 *     faulting_close()
 */
#ifndef BENCHTOP_FAULTING_H
#define BENCHTOP_FAULTING_H

#include <stdbool.h>

#include "file_made.h"
#include "fresh_mapping.h"
#include "touches.h"

enum faulting_kind {
	FAULTING_ANONYMOUS,
	FAULTING_ZERO,
	FAULTING_COPIED,
	FAULTING_FILE,
	FAULTING_EVICTED,
};

struct faulting {
	/* What is wished. */
	enum faulting_kind kind;
	size_t size_bytes;
	int advice; /* for madvise(), of the mapping */
	bool huge;  /* pages, of what is anonymous */

	/* What is there. */
	struct fresh_mapping memory; /* mapped between prepare and dispose */
	struct file_made file;
};

/* Each returns 0, or -1 with a sentence; what was opened in part is closed. The
 * probe is kept alive meanwhile. */
int faulting_open(struct faulting *, struct probe *, struct error *);
int faulting_prepare(struct faulting *, struct error *);
void faulting_dispose(struct faulting *);
void faulting_close(struct faulting *);

/* How many touches make a trial. Where every touch is a fault, `most` of them,
 * a part of the pass; in order over huge pages, those of one page; where it is
 * not known which touch is a fault, the whole pass, or a trial might hold none.
 * *expected becomes the minor faults of a trial; 0: at most its touches. */
size_t faulting_window(const struct faulting *, const struct touches *,
	bool in_order, size_t most, uint64_t *expected);

bool faulting_is_file(enum faulting_kind);

#endif
