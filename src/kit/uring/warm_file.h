/*
 * A file in the page cache, whose blocks are read in random order: the request
 * that costs a copy and never waits.
 */
#ifndef BENCHTOP_WARM_FILE_H
#define BENCHTOP_WARM_FILE_H

#include "file_order.h"
#include "file_source.h"

struct warm_file {
	struct file_source *source;
	struct file_reader reader; /* buffer NULL: not open */
	struct file_order order;
};

/* Takes file `number` of that place and size (file_source.h), loads it into the
 * page cache and draws an order. Returns 0, or -1 after reporting to the probe:
 * the size is not a multiple of the block, or there is no such file. */
int warm_file_open(struct warm_file *, struct probe *, const char *where,
	int64_t size_bytes, int64_t block_bytes, unsigned number);
/* Does nothing if it is not open. */
void warm_file_close(struct warm_file *);
/* Reads the next `count` blocks of the order by pread(2), into one buffer.
 * Returns false after reporting to the probe. */
bool warm_file_read(struct warm_file *, struct probe *, uint64_t count);

#endif
