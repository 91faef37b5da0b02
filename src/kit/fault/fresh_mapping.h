/*
 * Untouched memory: mappings in which every page faults once, for experiments
 * about the fault itself.
 *
 * A mapping begins at a multiple of 2 MiB, so that huge pages apply from the
 * first byte. fresh_share() forks a child that shares every page the caller has
 * written, so that each must be copied before the next write to it. The child
 * is stopped, uses no processor time, and ends with its parent.
 */
#ifndef BENCHTOP_FRESH_MAPPING_H
#define BENCHTOP_FRESH_MAPPING_H

#include <stddef.h>
#include <sys/types.h>

#include "error.h"

enum { FRESH_ALIGNMENT = 2 << 20 };

struct fresh_mapping {
	char *start; /* NULL: not mapped */
	size_t size_bytes;
	void *reserved; /* with room for the alignment */
	size_t reserved_bytes;
	pid_t sharer; /* 0: none */
};

/* Maps anonymous memory (fd = -1) or a file, shared. Returns 0, or -1 with an
 * error. */
int fresh_map(struct fresh_mapping *, size_t size_bytes, int fd,
	struct error *);
void fresh_unmap(struct fresh_mapping *);

int fresh_share(struct fresh_mapping *, struct error *);
void fresh_unshare(struct fresh_mapping *);

#endif
