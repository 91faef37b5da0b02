/*
 * A writer of durable records: writes to a file of its own, each followed by a
 * sync or made with a flag that implies it.
 *
 * The file has at most DURABLE_FILE_BYTES, with DURABLE_REWRITE one block. At
 * its end durable_prepare() starts it again. Every write has new content, so
 * that no file system can share blocks. Both calls of a write are checked.
 *
 * The file has a name: ZFS, and btrfs before Linux 6.17, skip the sync of a
 * file without a link.
 */
#ifndef BENCHTOP_DURABLE_WRITER_H
#define BENCHTOP_DURABLE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file_made.h"

enum { DURABLE_FILE_BYTES = 8 << 20 };

/* Choices of parameters, in this order. */
enum durable_how {
	DURABLE_FDATASYNC,
	DURABLE_FSYNC,
	DURABLE_O_DSYNC, /* the write itself is durable */
	DURABLE_O_SYNC,
};
enum durable_pattern {
	DURABLE_APPEND,    /* the file grows */
	DURABLE_OVERWRITE, /* into blocks that such writes filled before */
	DURABLE_PREALLOC,  /* into blocks that fallocate(2) reserved */
	DURABLE_REWRITE,   /* into the one block of the file */
};

/* True if writes go into blocks that such writes filled before. */
static inline bool durable_fills(enum durable_pattern pattern)
{
	return pattern == DURABLE_OVERWRITE || pattern == DURABLE_REWRITE;
}

struct durable_writer {
	enum durable_how how;
	enum durable_pattern pattern;
	size_t size_bytes; /* of one write */
	uint64_t end;      /* no write goes beyond */
	struct file_made made;
	int fd;          /* of that file, with the flags of `how`; -1: none */
	char *buffer;    /* of one write */
	uint64_t at;     /* offset of the next write */
	uint64_t number; /* of the next write */
};

/* Creates the file in `folder`, which the caller removes with its files
 * (file_tree.h). `where` names the folder in messages. Returns 0, or -1 after
 * probe_unavailable() or probe_fail(). */
int durable_open(struct durable_writer *, enum durable_how,
	enum durable_pattern, size_t size_bytes, const char *folder,
	const char *where, struct probe *);
void durable_close(struct durable_writer *);

/* Before each write, untimed. Returns 0, or -1 with errno. */
int durable_prepare(struct durable_writer *);
/* The write, and the sync; without a separate call, durable_sync() does
 * nothing. Return 0, or -1 with errno. */
int durable_write(struct durable_writer *);
int durable_sync(struct durable_writer *);
/* True if the sync is a call of its own. */
static inline bool durable_syncs(enum durable_how how)
{
	return how == DURABLE_FDATASYNC || how == DURABLE_FSYNC;
}

/* Verifies after a sync that the file has its name, the expected size, and no
 * dirty pages (where the kernel reports them). Returns 0, or -1 after
 * probe_invalid(). */
int durable_verify(const struct durable_writer *, struct probe *);

#endif
