/* A writer of durable records. */
#include "durable_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_cache.h"
#include "file_content.h"
#include "file_source.h"
#include "probe.h"

/* ---- the file --------------------------------------------------------- */

static bool is_full(const struct durable_writer *w)
{
	return w->at + w->size_bytes > w->end;
}

static int write_next(struct durable_writer *w, int fd)
{
	ssize_t written = pwrite(fd, w->buffer, w->size_bytes, (off_t)w->at);

	if (written == (ssize_t)w->size_bytes) {
		w->at += w->size_bytes;
		w->number++;
		return 0;
	}
	/* A short write is not an error of the call. */
	if (written >= 0)
		errno = ENOSPC;
	return -1;
}

/* The page cache keeps a file in folios as large as the writes that filled it,
 * and a small write into a large folio takes longer to sync. */
static int fill(struct durable_writer *w)
{
	while (!is_full(w))
		if (durable_prepare(w) || write_next(w, w->made.fd))
			return -1;
	return fsync(w->made.fd);
}

static int start_again(struct durable_writer *w)
{
	w->at = 0;
	if (durable_fills(w->pattern))
		return 0;
	if (ftruncate(w->fd, 0) ||
		(w->pattern == DURABLE_PREALLOC &&
			fallocate(w->fd, 0, 0, DURABLE_FILE_BYTES)))
		return -1;
	return fsync(w->fd);
}

/* F_SETFL cannot set these flags (fcntl(2)), so the file is opened again. */
static int open_again(const struct durable_writer *w)
{
	static const int flags[] = { [DURABLE_FDATASYNC] = 0,
		[DURABLE_FSYNC] = 0, [DURABLE_O_DSYNC] = O_DSYNC,
		[DURABLE_O_SYNC] = O_SYNC };
	char path[40];

	snprintf(path, sizeof path, "/proc/self/fd/%d", w->made.fd);
	return open(path, O_RDWR | O_CLOEXEC | flags[w->how]);
}

int durable_open(struct durable_writer *w, enum durable_how how,
	enum durable_pattern pattern, size_t size_bytes, const char *folder,
	const char *where, struct probe *probe)
{
	struct error error;

	*w = (struct durable_writer){ .how = how, .pattern = pattern,
		.size_bytes = size_bytes, .fd = -1 };
	w->end = pattern == DURABLE_REWRITE ? size_bytes : DURABLE_FILE_BYTES;
	if (file_make_named(&w->made, folder, 0, probe, &error))
		return file_refuse(probe, &error);
	w->fd = open_again(w);
	if (w->fd < 0)
		return probe_unavailable(probe,
			"cannot open a file of %s again: %s: expected /proc, "
			"or another folder",
			file_folder_quoted(where).chars, strerror(errno));
	w->buffer = malloc(size_bytes);
	if (!w->buffer)
		return probe_fail(probe, "no memory");
	file_content(w->made.seed, 0, w->buffer, size_bytes);
	if ((!durable_fills(pattern) || !fill(w)) && !start_again(w))
		return 0;
	if (pattern == DURABLE_PREALLOC && errno == EOPNOTSUPP)
		return probe_unavailable(probe,
			"the file system of %s cannot reserve blocks: expected "
			"pattern=append or pattern=overwrite",
			file_folder_quoted(where).chars);
	return probe_fail(probe, "cannot prepare a file in %s: %s",
		file_folder_quoted(where).chars, strerror(errno));
}

void durable_close(struct durable_writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	file_close(&w->made);
	free(w->buffer);
}

/* ---- one write -------------------------------------------------------- */

int durable_prepare(struct durable_writer *w)
{
	memcpy(w->buffer, &w->number, sizeof w->number);
	return is_full(w) ? start_again(w) : 0;
}

int durable_write(struct durable_writer *w)
{
	return write_next(w, w->fd);
}

int durable_sync(struct durable_writer *w)
{
	switch (w->how) {
	case DURABLE_FDATASYNC:
		return fdatasync(w->fd);
	case DURABLE_FSYNC:
		return fsync(w->fd);
	case DURABLE_O_DSYNC:
	case DURABLE_O_SYNC:
		break;
	}
	return 0;
}

int durable_verify(const struct durable_writer *w, struct probe *probe)
{
	uint64_t expected = w->end;
	struct stat status;

	if (w->pattern == DURABLE_APPEND)
		expected = w->at;
	else if (durable_fills(w->pattern))
		expected -= expected % w->size_bytes;
	if (fstat(w->fd, &status))
		return probe_fail(probe, "cannot query the file: %s",
			strerror(errno));
	if (!status.st_nlink)
		return probe_invalid(probe,
			"the file was removed during the run: some file "
			"systems skip the sync of a file without a link");
	if ((uint64_t)status.st_size != expected)
		return probe_invalid(probe,
			"the file has %jd bytes, expected %" PRIu64,
			(intmax_t)status.st_size, expected);
	if (!file_lives_in_memory(w->fd) && file_dirty(w->fd, expected) > 0)
		return probe_invalid(probe,
			"pages of the file are dirty after the last sync");
	return 0;
}
