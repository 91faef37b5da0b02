/*
 * Memory that nobody has touched: mappings whose every page faults once, for
 * experiments about the fault itself.
 *
 * A mapping begins at a multiple of 2 MiB, so that what is said of huge pages
 * holds from the first byte. untouched_share() makes a child that holds every
 * page the caller has written, so that each must be copied before it is
 * written again; the child is stopped, takes no time, and dies with its
 * parent.
 */
#ifndef BENCHTOP_UNTOUCHED_H
#define BENCHTOP_UNTOUCHED_H

#include <stddef.h>
#include <sys/types.h>

#include "error.h"

enum { UNTOUCHED_ALIGNMENT = 2 << 20 };

struct untouched {
	char *start; /* NULL: not mapped */
	size_t size_bytes;
	void *reserved; /* with room for the alignment */
	size_t reserved_bytes;
	pid_t sharer; /* 0 none */
};

/* Maps anonymous memory (fd = -1) or a file, shared. 0, or -1 with a
 * sentence. */
int untouched_map(struct untouched *, size_t size_bytes, int fd,
	struct error *);
void untouched_unmap(struct untouched *);

int untouched_share(struct untouched *, struct error *);
void untouched_unshare(struct untouched *);

#endif
