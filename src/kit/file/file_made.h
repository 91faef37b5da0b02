/*
 * Test files: made for an experiment, really there, and gone with it.
 *
 * A file is written whole with what file_content.h says, synced, and looked
 * at: it has exactly its size, and the file system's own map of it (FIEMAP,
 * else SEEK_HOLE) shows no hole and no extent that was reserved and never
 * written; both would be read as zeros without any disk. The space for it is
 * asked for before the first byte. It lies in the folder it was asked for or
 * in the state folder ($XDG_STATE_HOME/benchtop), nowhere else, and has no
 * name (O_TMPFILE), or loses it at once where every file must have one:
 * whatever ends the process removes it. What a crash leaves between those two
 * calls, the next file made there sweeps away (leftover.h).
 */
#ifndef BENCHTOP_FILE_MADE_H
#define BENCHTOP_FILE_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "text.h"

struct probe;
struct statvfs;

enum { FILE_SPARE_BYTES = 64 << 20 }; /* of the disk, left to others */

struct file_made {
	int fd; /* to read and write; -1: none */
	uint64_t size_bytes;
	uint64_t seed; /* of its content */
	bool mapped;   /* the file system showed where all of it lies */
};

/* "auto" is the state folder. A path to be freed, or NULL with a sentence. */
char *file_folder(const char *where, struct error *);
/* The same for a sentence: in quotes. */
struct quoted file_folder_quoted(const char *where);

/* 0, or -1 with a sentence: no such folder, read-only, not enough space: needs
 * so much, has so much. The probe (may be NULL) is kept alive meanwhile, and
 * its random numbers are the seed. */
int file_make(struct file_made *, const char *folder, uint64_t size_bytes,
	struct probe *, struct error *);
/* Makes the file longer; what is there stays. On failure it is closed. */
int file_extend(struct file_made *, const char *folder, uint64_t size_bytes,
	struct probe *, struct error *);
void file_close(struct file_made *);

/* Is there room for `size_bytes`, and FILE_SPARE_BYTES more? */
int file_check_space(const char *folder, uint64_t size_bytes, struct error *);
/* The same of a file system that was asked already; `where` as in a sentence.
 */
int file_fits(const char *where, const struct statvfs *, uint64_t size_bytes,
	struct error *);

#endif
