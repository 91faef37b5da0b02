/*
 * A test file on a disk, on a file system mounted from another machine, or on
 * an NFS server accessed directly; and its reader, which reads it block by
 * block.
 *
 * Files on file systems are kept from point to point of a worker, up to
 * FILE_KEPT_BYTES, because writing them is more expensive than reading. They
 * have no names and are removed with the worker. A file on an NFS server has a
 * name, and is removed after its visit.
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

/* Rows of experiments with files: the folder, with "the file" or "the files" as
 * `made`; and the size of one read. */
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

/* Choices of a parameter, in this order. */
enum file_caching {
	FILE_COLD,   /* through the page cache, verified not to contain it */
	FILE_DIRECT, /* around the page cache */
	FILE_WARM,   /* from the page cache, which contains all of it */
	/* Not a choice of a parameter: through the page cache in its present
	 * state. */
	FILE_AS_IT_IS,
};

struct file_source {
	char *where; /* as typed by the user, owned */
	unsigned number;
	struct file_made made; /* fd -1: on an NFS server */
	struct file_nfs *nfs;
	struct file_system system; /* of `made` */
};

/* Returns source number `number` for that place and size; creates it if the
 * worker has none. Returns NULL after reporting to the probe: in the pilot the
 * point is unavailable, later the run fails, or is lost if the network
 * failed. */
struct file_source *file_source_take(struct probe *, const char *where,
	uint64_t size_bytes, unsigned number);
/* Call after a visit. */
void file_source_release(struct file_source *);
/* Adds notes about the file system. */
void file_source_note(const struct file_source *, struct probe *);

struct file_reader {
	const struct file_source *source;
	enum file_caching caching;
	struct file_direct direct; /* fd -1: not direct */
	int fd;                    /* descriptor for reading; -1: by NFS */
	size_t block_bytes;
	void *buffer; /* of one block */
};

/* Makes the file cold or warm, or opens it again for direct reads, and gives
 * the kernel the advice for the order. Returns 0, or -1 with an error. */
int file_reader_open(struct file_reader *, const struct file_source *,
	enum file_caching, enum file_ordering, size_t block_bytes,
	struct probe *, struct error *);
void file_reader_close(struct file_reader *);

/* Reads a block into the buffer. On false, call file_reader_failed(). */
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
	/* An early end of file is not an error of the call. */
	if (got >= 0)
		errno = 0;
	return false;
}
/* Ends the run with the cause of the failed read. */
void file_reader_failed(const struct file_reader *, uint64_t block,
	struct probe *);
/* True if what was read is what was written. Compares at most `most_bytes`. */
bool file_reader_same(const struct file_reader *, uint64_t block,
	size_t most_bytes);
/* Evicts the file again. Returns 0, or -1 with an error. */
int file_reader_chill(const struct file_reader *, struct error *);
/* Pages of the file in the cache of this machine; -1: unknown. */
int64_t file_reader_resident(const struct file_reader *);

/* Reports an error. In the pilot both make the point unavailable. Later
 * file_refuse() ends the run, and file_void() makes the visit invalid, or ends
 * the run if the machine of the file is unreachable. Both return -1. */
int file_refuse(struct probe *, const struct error *);
int file_void(struct probe *, const struct file_source *, const struct error *);

#endif
