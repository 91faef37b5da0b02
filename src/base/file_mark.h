/* Whether a file has changed: saving replaces it, so its inode changes. */
#ifndef BENCHTOP_FILE_MARK_H
#define BENCHTOP_FILE_MARK_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/* All 0: there is no file. */
struct file_mark {
	dev_t device;
	ino_t inode;
	off_t size_bytes;
	struct timespec changed;
};

void file_mark_take(struct file_mark *, const char *path);
bool file_mark_any(const struct file_mark *);
bool file_mark_same(const struct file_mark *, const struct file_mark *);

#endif
