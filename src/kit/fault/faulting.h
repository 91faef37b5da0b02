/*
 * Memory in which every page faults, of one of five kinds: a page that does not
 * exist yet (anonymous); a page read before it was ever written (zero); a page
 * shared with another process since a fork (copied); a page of a file in the
 * page cache (file); a page of a file that is verified not to be cached
 * (evicted).
 *
 *     faulting_open()      once: writes the file, or the pages to be copied
 *     faulting_prepare()   before each pass
 *     .. touches ..        each page faults, or is mapped with another one
 *     faulting_dispose()   after each pass
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
	/* Requested. */
	enum faulting_kind kind;
	size_t size_bytes;
	int advice; /* for madvise(), for the mapping */
	bool huge;  /* huge pages, for anonymous memory */

	/* Actual. */
	struct fresh_mapping memory; /* mapped between prepare and dispose */
	struct file_made file;
};

/* Each returns 0, or -1 with an error; what was partly opened is then closed.
 * They call probe_alive() meanwhile. */
int faulting_open(struct faulting *, struct probe *, struct error *);
int faulting_prepare(struct faulting *, struct error *);
void faulting_dispose(struct faulting *);
void faulting_close(struct faulting *);

/* The number of touches per trial. If every touch is a fault: `most` touches, a
 * part of the pass. In order over huge pages: the touches of one page. If it is
 * not known which touch is a fault: the whole pass, because a part might
 * contain none. *expected becomes the minor faults of a trial; 0: unknown, at
 * most one per touch. */
size_t faulting_window(const struct faulting *, const struct touches *,
	bool in_order, size_t most, uint64_t *expected);

bool faulting_is_file(enum faulting_kind);
/* The faults that served the touches. For an evicted file these are major and
 * minor faults: the kernel counts a fault as minor if read-ahead is already
 * fetching its page, although it waits for the disk too. */
uint64_t faulting_count(enum faulting_kind, struct faults);

#endif
