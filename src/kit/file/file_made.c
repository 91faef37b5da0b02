/* Files written for an experiment. */
#include "file_made.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "file.h"
#include "file_content.h"
#include "leftover.h"
#include "memory.h"
#include "probe.h"

enum { PIECE_BYTES = 1 << 20, EXTENTS = 64 };

/* ---- place ------------------------------------------------------------ */

char *file_folder(const char *where, struct error *error)
{
	if (strcmp(where, "auto") != 0)
		return xstrdup(where);
	char *folder = folder_state();
	if (!folder)
		error_set(error, STATUS_USAGE,
			"no folder for a file: expected a writable "
			"$XDG_STATE_HOME or $HOME");
	return folder;
}

struct quoted file_folder_quoted(const char *where)
{
	struct error unused;
	char *folder = file_folder(where, &unused);
	struct quoted quoted = text_quoted(folder ? folder : where);

	free(folder);
	return quoted;
}

int file_fits(const char *where, const struct statvfs *disk,
	uint64_t size_bytes, struct error *error)
{
	struct text needed = { 0 }, left = { 0 }, spare = { 0 };
	double wants = (double)size_bytes + FILE_SPARE_BYTES;
	double has = (double)disk->f_bavail * (double)disk->f_frsize;

	if (wants <= has)
		return 0;
	unit_show(&needed, UNIT_BYTES, wants);
	unit_show(&left, UNIT_BYTES, has);
	unit_show(&spare, UNIT_BYTES, FILE_SPARE_BYTES);
	if (has < FILE_SPARE_BYTES)
		error_set(error, STATUS_USAGE,
			"no file fits in %s: %s are free, %s must stay free: "
			"expected another folder",
			text_quoted(where).chars, text_chars(&left),
			text_chars(&spare));
	else
		error_set(error, STATUS_USAGE,
			"a file in %s needs %s of disk, %s are free, %s must "
			"stay free: expected a smaller size or another folder",
			text_quoted(where).chars, text_chars(&needed),
			text_chars(&left), text_chars(&spare));
	text_free(&spare);
	text_free(&needed);
	text_free(&left);
	return -1;
}

int file_check_space(const char *folder, uint64_t size_bytes,
	struct error *error)
{
	struct statvfs disk;

	if (statvfs(folder, &disk))
		return error_set(error, STATUS_USAGE,
			"cannot use folder %s: %s", text_quoted(folder).chars,
			strerror(errno));
	return file_fits(folder, &disk, size_bytes, error);
}

/* Some file systems do not support files without names. A FUSE mount keeps an
 * unlinked file on its server under another name (.fuse_hidden*). If that
 * server dies, the file stays there and cannot be removed from here. */
static int open_unnamed(const char *folder)
{
	struct text path = { 0 };
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	fd = leftover_create(folder, O_RDWR, &path);
	if (fd >= 0)
		unlink(path.chars);
	text_free(&path);
	return fd;
}

static int open_named(const char *folder)
{
	struct text path = { 0 };
	int fd = leftover_create(folder, O_RDWR, &path);

	text_free(&path);
	return fd;
}

/* ---- content ---------------------------------------------------------- */

static int write_content(const struct file_made *file, uint64_t from,
	struct probe *probe)
{
	char *piece = xmalloc(PIECE_BYTES);
	int failed = lseek(file->fd, (off_t)from, SEEK_SET) < 0;

	for (uint64_t at = from; at < file->size_bytes && !failed;
		at += PIECE_BYTES) {
		uint64_t left = file->size_bytes - at;
		size_t length = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;

		file_content(file->seed, at, piece, length);
		failed = file_write_all(file->fd, piece, length);
		if (probe)
			probe_alive(probe);
	}
	free(piece);
	return failed;
}

/* Syncing gigabytes takes longer than a worker may be silent, so it is done
 * piece by piece. */
static int sync_content(const struct file_made *file, uint64_t from,
	struct probe *probe)
{
	const uint64_t step = 64 << 20;

	for (uint64_t at = from; probe && at < file->size_bytes; at += step) {
		sync_file_range(file->fd, (off_t)at, (off_t)step,
			SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				SYNC_FILE_RANGE_WAIT_AFTER);
		probe_alive(probe);
	}
	return fsync(file->fd);
}

/* ---- verification ----------------------------------------------------- */

static int refuse_hole(uint64_t at, const char *what, struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"the file system stored %s at byte %" PRIu64 " of the written "
		"data: reads would not reach the disk",
		what, at);
}

/* The header of FIEMAP with room for extents. */
union extents {
	struct fiemap head;
	char room[sizeof(struct fiemap) +
		EXTENTS * sizeof(struct fiemap_extent)];
};

/* Follows the extents without a gap from `at`; -1 with an error. */
static int follow(const union extents *extents, uint64_t *at,
	struct error *error)
{
	const uint32_t unwritten =
		FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DELALLOC;

	for (uint32_t i = 0; i < extents->head.fm_mapped_extents; i++) {
		const struct fiemap_extent *extent =
			&extents->head.fm_extents[i];

		if (extent->fe_logical > *at)
			return refuse_hole(*at, "a hole", error);
		if (extent->fe_flags & unwritten)
			return refuse_hole(*at, "an unwritten extent", error);
		*at = extent->fe_logical + extent->fe_length;
	}
	return 0;
}

/* Returns 1 if this file system has no map. */
static int check_extents(const struct file_made *file, struct error *error)
{
	union extents extents;
	uint64_t at = 0;

	while (at < file->size_bytes) {
		memset(&extents, 0, sizeof extents);
		extents.head.fm_start = at;
		extents.head.fm_length = file->size_bytes - at;
		extents.head.fm_flags = FIEMAP_FLAG_SYNC;
		extents.head.fm_extent_count = EXTENTS;
		if (ioctl(file->fd, FS_IOC_FIEMAP, &extents))
			return 1;
		if (!extents.head.fm_mapped_extents)
			return refuse_hole(at, "a hole", error);
		if (follow(&extents, &at, error))
			return -1;
	}
	return 0;
}

static int check_there(struct file_made *file, struct error *error)
{
	struct stat status;

	if (fstat(file->fd, &status))
		return error_set(error, STATUS_USAGE,
			"cannot query the file: %s", strerror(errno));
	if ((uint64_t)status.st_size != file->size_bytes)
		return error_set(error, STATUS_USAGE,
			"the file has %jd bytes, expected the %" PRIu64 " "
			"written",
			(intmax_t)status.st_size, file->size_bytes);
	int unknown = check_extents(file, error);
	if (unknown < 0)
		return -1;
	file->mapped = !unknown;
	off_t hole = lseek(file->fd, 0, SEEK_HOLE);
	if (hole >= 0 && (uint64_t)hole < file->size_bytes)
		return refuse_hole((uint64_t)hole, "a hole", error);
	return 0;
}

/* ---- files ------------------------------------------------------------ */

int file_extend(struct file_made *file, const char *folder, uint64_t size_bytes,
	struct probe *probe, struct error *error)
{
	uint64_t from = file->size_bytes & ~(uint64_t)7;

	if (size_bytes <= file->size_bytes)
		return 0;
	int failed = file_check_space(folder, size_bytes - from, error);
	file->size_bytes = size_bytes;
	if (!failed) {
		failed = write_content(file, from, probe) ||
			sync_content(file, from, probe);
		if (failed)
			error_set(error, STATUS_USAGE,
				"cannot write a file of %" PRIu64
				" bytes in %s: %s",
				size_bytes, text_quoted(folder).chars,
				strerror(errno));
		else
			failed = check_there(file, error);
	}
	if (failed)
		file_close(file);
	return failed ? -1 : 0;
}

static int make(struct file_made *file, int open_in(const char *folder),
	const char *folder, uint64_t size_bytes, struct probe *probe,
	struct error *error)
{
	*file = (struct file_made){ .fd = -1 };
	file->seed = probe ? probe_random(probe) : 1;
	/* Checked before anything is created. */
	if (file_check_space(folder, size_bytes, error))
		return -1;
	file->fd = open_in(folder);
	if (file->fd < 0)
		return error_set(error, STATUS_USAGE,
			"cannot make a file in %s: %s",
			text_quoted(folder).chars, strerror(errno));
	return file_extend(file, folder, size_bytes, probe, error);
}

int file_make(struct file_made *file, const char *folder, uint64_t size_bytes,
	struct probe *probe, struct error *error)
{
	return make(file, open_unnamed, folder, size_bytes, probe, error);
}

int file_make_named(struct file_made *file, const char *folder,
	uint64_t size_bytes, struct probe *probe, struct error *error)
{
	return make(file, open_named, folder, size_bytes, probe, error);
}

void file_close(struct file_made *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

void file_sweep(void)
{
	char *folder = folder_state_path();

	if (folder)
		leftover_sweep_files(folder);
	free(folder);
}
