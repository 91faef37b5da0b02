/* Files in and out of the page cache. */
#include "cached.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"
#include "probe.h"
#include "text.h"

enum {
	PIECE_BYTES = 1 << 20,
	SPARE_BYTES = 64 << 20, /* of the disk, left to others */
	TRIES = 10,
	NAP_US = 20000,
};

/* ---- the file --------------------------------------------------------- */

/* Not every file system knows files that never had a name. */
static int open_unnamed(const char *folder)
{
	struct text path = { 0 };
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	text_add(&path, "%s/.cached-XXXXXX", folder);
	fd = mkostemp(path.chars, O_CLOEXEC);
	if (fd >= 0)
		unlink(path.chars);
	text_free(&path);
	return fd;
}

static int check_space(int fd, const char *folder, size_t size_bytes,
	struct error *error)
{
	struct statvfs disk;
	struct text needed = { 0 }, left = { 0 };

	if (fstatvfs(fd, &disk))
		return 0;
	double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
	if ((double)size_bytes + SPARE_BYTES <= free_bytes)
		return 0;
	unit_show(&needed, UNIT_BYTES, (double)size_bytes + SPARE_BYTES);
	unit_show(&left, UNIT_BYTES, free_bytes);
	error_set(error, STATUS_USAGE,
		"needs %s of disk in '%s', %s are free: expected a smaller size",
		text_chars(&needed), folder, text_chars(&left));
	text_free(&needed);
	text_free(&left);
	return -1;
}

static int write_all(int fd, const char *from, size_t length)
{
	while (length) {
		ssize_t done = write(fd, from, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		from += done;
		length -= (size_t)done;
	}
	return 0;
}

static int write_random(struct cached *cached, struct probe *probe)
{
	uint64_t *piece = xmalloc(PIECE_BYTES);
	uint64_t mixed = probe ? probe_random(probe) : 1;
	int failed = 0;

	for (size_t at = 0; at < cached->size_bytes && !failed;
		at += PIECE_BYTES) {
		size_t left = cached->size_bytes - at;

		/* Marsaglia's xorshift: never zero, never compressible. */
		for (size_t i = 0; i < PIECE_BYTES / sizeof *piece; i++) {
			mixed |= !mixed;
			mixed ^= mixed << 13;
			mixed ^= mixed >> 7;
			mixed ^= mixed << 17;
			piece[i] = mixed;
		}
		failed = write_all(cached->fd, (const char *)piece,
			left < PIECE_BYTES ? left : PIECE_BYTES);
		if (probe)
			probe_alive(probe);
	}
	free(piece);
	return failed || fsync(cached->fd) ? -1 : 0;
}

static int make(struct cached *cached, const char *folder, struct probe *probe,
	struct error *error)
{
	cached->fd = open_unnamed(folder);
	if (cached->fd < 0)
		return error_set(error, STATUS_USAGE,
			"cannot make a file in '%s': %s", folder,
			strerror(errno));
	if (check_space(cached->fd, folder, cached->size_bytes, error))
		return -1;
	if (write_random(cached, probe))
		return error_set(error, STATUS_USAGE,
			"cannot write a file of %zu bytes in '%s': %s",
			cached->size_bytes, folder, strerror(errno));
	return 0;
}

int cached_open(struct cached *cached, size_t size_bytes, struct probe *probe,
	struct error *error)
{
	char *folder = folder_state();

	*cached = (struct cached){ .fd = -1, .size_bytes = size_bytes };
	if (!folder)
		return error_set(error, STATUS_USAGE,
			"no folder for a file: expected $XDG_STATE_HOME or "
			"$HOME to be one that can be written to");
	int failed = make(cached, folder, probe, error);
	if (failed)
		cached_close(cached);
	free(folder);
	return failed;
}

void cached_close(struct cached *cached)
{
	if (cached->fd >= 0)
		close(cached->fd);
	cached->fd = -1;
}

/* ---- the cache -------------------------------------------------------- */

int64_t cached_resident(const struct cached *cached)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = (cached->size_bytes + page_bytes - 1) / page_bytes;
	unsigned char *present = xmalloc(pages + 1);
	void *view = mmap(NULL, cached->size_bytes, PROT_READ, MAP_SHARED,
		cached->fd, 0);
	int64_t count = -1;

	if (view != MAP_FAILED && !mincore(view, cached->size_bytes, present)) {
		count = 0;
		for (size_t i = 0; i < pages; i++)
			count += present[i] & 1;
	}
	if (view != MAP_FAILED)
		munmap(view, cached->size_bytes);
	free(present);
	return count;
}

int cached_fill(const struct cached *cached, struct error *error)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = (cached->size_bytes + page_bytes - 1) / page_bytes;
	char *piece = xmalloc(PIECE_BYTES);
	bool readable = true;

	for (size_t at = 0; at < cached->size_bytes && readable;
		at += PIECE_BYTES)
		readable = pread(cached->fd, piece, PIECE_BYTES, (off_t)at) > 0;
	free(piece);
	if (!readable)
		return error_set(error, STATUS_USAGE,
			"cannot read the file back: %s", strerror(errno));
	int64_t resident = cached_resident(cached);
	if (resident == (int64_t)pages)
		return 0;
	return error_set(error, STATUS_USAGE,
		"%lld of %zu pages of the file are in the cache: memory is too "
		"short for all of them",
		(long long)resident, pages);
}

static bool lives_in_memory(int fd)
{
	struct statfs disk;

	return !fstatfs(fd, &disk) &&
		(disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC);
}

int cached_evict(const struct cached *cached, struct error *error)
{
	int64_t resident = -1;

	if (lives_in_memory(cached->fd))
		return error_set(error, STATUS_USAGE,
			"the state folder is on tmpfs, which is memory: no "
			"page can be evicted; set XDG_STATE_HOME to a folder "
			"on a disk");
	if (fsync(cached->fd))
		return error_set(error, STATUS_USAGE,
			"cannot write the file back: %s", strerror(errno));
	/* A page that is being looked at by the kernel stays; not for long. */
	for (int i = 0; i < TRIES && resident; i++) {
		if (i)
			usleep(NAP_US);
		posix_fadvise(cached->fd, 0, 0, POSIX_FADV_DONTNEED);
		resident = cached_resident(cached);
	}
	if (resident > 0)
		return error_set(error, STATUS_USAGE,
			"%lld pages of the file stay in the cache: its file "
			"system evicts nothing on demand; set XDG_STATE_HOME "
			"to a folder on another",
			(long long)resident);
	if (resident < 0)
		return error_set(error, STATUS_USAGE,
			"mincore cannot say what is in the cache: %s",
			strerror(errno));
	return 0;
}
