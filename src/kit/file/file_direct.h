/*
 * Reading past the page cache: O_DIRECT and what it asks for.
 *
 * Offsets, lengths and addresses must be multiples of what the file's system
 * wants: statx(2) says (STATX_DIOALIGN, Linux 6.1); where it does not, the
 * least power of two from 512 up to a page that a read does not refuse. A file
 * system that has no direct reads is refused in words; one that accepts them
 * and fills the cache all the same is found out by file_resident(), which the
 * caller asks afterwards.
 */
#ifndef BENCHTOP_FILE_DIRECT_H
#define BENCHTOP_FILE_DIRECT_H

#include <stdint.h>

#include "error.h"

struct file_direct {
	int fd;
	uint32_t memory_bytes, offset_bytes; /* alignments */
	const char *source;                  /* "statx", or "a trial read" */
};

/* Opens the file behind `fd` anew. 0, or -1 with a sentence; `block_bytes` is
 * what will be read at once. */
int file_direct_open(struct file_direct *, int fd, uint64_t block_bytes,
	struct error *);

#endif
