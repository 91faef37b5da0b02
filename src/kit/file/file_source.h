/*
 * A test file to be read, wherever it is: on a disk, on a mounted file system
 * of another machine, or on an NFS server that is spoken to directly; and its
 * reader, which takes it block by block past, out of, or from before the cache.
 *
 * Files on file systems are kept from point to point of a worker, up to
 * FILE_KEPT_BYTES, since writing them is dearer than reading; they have no
 * names and go with the worker. A file on an NFS server has one, and goes with
 * its visit.
 */
#ifndef BENCHTOP_FILE_SOURCE_H
#define BENCHTOP_FILE_SOURCE_H

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "file_direct.h"
#include "file_made.h"
#include "file_nfs.h"
#include "file_order.h"
#include "file_system.h"

/* Rows of experiments with files: the folder, where `made` is "the file" or
 * "the files"; and the size of one read. */
#define FILE_FOLDER_ROW(args, member, made) \
	{ \
		.name = "dir", .label = "folder", \
		.help = "place of " made "; auto: benchtop's own, " \
			"$XDG_STATE_HOME/benchtop", \
		.preset = "auto", TEXT_FIELD(args, member) \
	}
#define FILE_BLOCK_ROW(args, member) \
	{ \
		.name = "block", .label = "block", .help = "size of one read", \
		.preset = "4K", WHOLE_FIELD(args, member), .unit = UNIT_BYTES, \
		.min = 512, .max = 16 << 20 \
	}

enum { FILE_KEPT_BYTES = 256 << 20, FILE_KEPT_MOST = 32 };

/* Parameters' choices, in this order. */
enum file_caching {
	FILE_COLD,   /* through the page cache, which was proven empty of it */
	FILE_DIRECT, /* past it */
	FILE_WARM,   /* from it: all of the file is there */
	/* No choice of a parameter: through the page cache, whatever it has. */
	FILE_AS_IT_IS,
};

struct file_source {
	char *where; /* as the user wrote it, owned */
	unsigned number;
	struct file_made made; /* fd -1: on an NFS server */
	struct file_nfs *nfs;
	struct file_system system; /* of `made` */
};

/* The source number `number` of that place and size, made where the worker has
 * none. NULL after the probe was told why: in the pilot that the point is
 * unavailable, later that the run fails, for a network that it is lost. */
struct file_source *file_source_take(struct probe *, const char *where,
	uint64_t size_bytes, unsigned number);
/* After a visit. */
void file_source_release(struct file_source *);
/* Says for the point what it lies on. */
void file_source_note(const struct file_source *, struct probe *);

struct file_reader {
	const struct file_source *source;
	enum file_caching caching;
	struct file_direct direct; /* fd -1: not direct */
	int fd;                    /* what is read; -1: by NFS */
	size_t block_bytes;
	void *buffer; /* of one block */
};

/* Makes the file cold or warm, or opens it anew for direct reads, and gives
 * the kernel the order's advice. 0, or -1 with a sentence. */
int file_reader_open(struct file_reader *, const struct file_source *,
	enum file_caching, enum file_ordering, size_t block_bytes,
	struct probe *, struct error *);
void file_reader_close(struct file_reader *);

/* Reads a block into the buffer. False: file_reader_failed() says why. */
static inline bool file_reader_get(struct file_reader *reader, uint64_t block)
{
	size_t bytes = reader->block_bytes;

	if (reader->fd < 0)
		return file_nfs_read(reader->source->nfs, reader->buffer, bytes,
			block * bytes);
	ssize_t got = pread(reader->fd, reader->buffer, bytes,
		(off_t)(block * bytes));
	if (__builtin_expect(got == (ssize_t)bytes, 1))
		return true;
	/* A file that ends early is no error of the call's. */
	if (got >= 0)
		errno = 0;
	return false;
}
/* Tells the probe that the run cannot go on, and why. */
void file_reader_failed(const struct file_reader *, uint64_t block,
	struct probe *);
/* Is what was read what was written? At most `most_bytes` of it are looked
 * at. */
bool file_reader_same(const struct file_reader *, uint64_t block,
	size_t most_bytes);
/* Cold again: 0, or -1 with a sentence. */
int file_reader_chill(const struct file_reader *, struct error *);
/* Pages of the file in the cache of this machine; -1 unknown. */
int64_t file_reader_resident(const struct file_reader *);

/* An error: in the pilot the point is unavailable; later the run fails, or,
 * with void, the visit, unless the machine that has the file cannot be
 * reached. Each returns -1. */
int file_refuse(struct probe *, const struct error *);
int file_void(struct probe *, const struct file_source *, const struct error *);

#endif
