/*
 * Reading around the page cache: O_DIRECT and its alignment.
 *
 * Offsets, lengths and addresses must be multiples of values that statx(2)
 * reports (STATX_DIOALIGN, Linux 6.1). If it does not, the smallest power of
 * two from 512 up to a page is used with which a read succeeds. A file system
 * without direct reads gives an error. If a file system accepts direct reads
 * but fills the cache, the caller detects it afterwards with file_resident().
 */
#ifndef BENCHTOP_FILE_DIRECT_H
#define BENCHTOP_FILE_DIRECT_H

#include <stdint.h>

#include "error.h"

struct file_direct {
	int fd;
	uint32_t memory_bytes, offset_bytes; /* alignments */
	const char *source;                  /* "statx", or "a trial read":
					      * origin of the alignment */
};

/* Opens the file of `fd` again. Returns 0, or -1 with an error. `block_bytes`
 * is the size of each read. */
int file_direct_open(struct file_direct *, int fd, uint64_t block_bytes,
	struct error *);

#endif
