/*
 * Test files: created for an experiment, verified to be on the disk, and
 * removed with it.
 *
 * A file is written completely with the content of file_content.h, synced and
 * checked. It must have exactly its size. The file system's map (FIEMAP, else
 * SEEK_HOLE) must show no hole and no extent that was reserved but never
 * written: both would be read as zeros without disk access. The free space is
 * checked before the first write.
 *
 * The file is in the requested folder or in the state folder
 * ($XDG_STATE_HOME/benchtop). It has no name (O_TMPFILE), or is unlinked at
 * once if the file system needs a name, so that it is removed however the
 * process ends. A crash between those two calls leaves the file behind; the
 * next file created there removes it (leftover.h), and file_sweep().
 */
#ifndef BENCHTOP_FILE_MADE_H
#define BENCHTOP_FILE_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "text.h"

struct probe;
struct statvfs;

enum { FILE_SPARE_BYTES = 64 << 20 }; /* disk space left to others */

struct file_made {
	int fd; /* for reading and writing; -1: none */
	uint64_t size_bytes;
	uint64_t seed; /* of its content */
	bool mapped;   /* the map of the file system covers the whole file */
};

/* The folder; "auto" is the state folder. Returns a path that the caller frees,
 * or NULL with an error. */
char *file_folder(const char *where, struct error *);
/* The same for a message, in quotes. */
struct quoted file_folder_quoted(const char *where);

/* Creates a file. Returns 0, or -1 with an error: no such folder, read-only, or
 * not enough space, with the required and available bytes. Calls probe_alive()
 * meanwhile (the probe may be NULL). The seed is from the probe's generator. */
int file_make(struct file_made *, const char *folder, uint64_t size_bytes,
	struct probe *, struct error *);
/* The same with a name, which stays until the caller removes the folder
 * (file_tree.h): ZFS, and btrfs before Linux 6.17, skip the sync of a file
 * without a link. */
int file_make_named(struct file_made *, const char *folder, uint64_t size_bytes,
	struct probe *, struct error *);
/* Extends the file and keeps its contents. On failure the file is closed. */
int file_extend(struct file_made *, const char *folder, uint64_t size_bytes,
	struct probe *, struct error *);
void file_close(struct file_made *);
/* Removes the files of ended processes from the state folder. */
void file_sweep(void);

/* Checks that there is room for `size_bytes` and FILE_SPARE_BYTES more. Returns
 * 0, or -1 with an error. */
int file_check_space(const char *folder, uint64_t size_bytes, struct error *);
/* The same for the result of statvfs(); `where` is for the message. */
int file_fits(const char *where, const struct statvfs *, uint64_t size_bytes,
	struct error *);

#endif
