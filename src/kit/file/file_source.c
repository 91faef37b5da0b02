/* Test files and their readers. */
#include "file_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "file_cache.h"
#include "file_content.h"
#include "memory.h"
#include "probe.h"
#include "text.h"

enum { ALIGNMENT = 4096, TRIES = 10, NAP_US = 20000 };

int file_refuse(struct probe *probe, const struct error *error)
{
	if (probe->launch == 0)
		return probe_unavailable(probe, "%s", error->message);
	return probe_fail(probe, "%s", error->message);
}

/* True for an errno of a call on a mount whose server is lost. The kernel has
 * many other reasons to refuse, so only these count; unlike with libnfs
 * (file_nfs.c). An open file cannot be missing: sshfs returns ENOENT after it
 * lost its connection. */
static bool says_mount_lost(int number)
{
	return number == ENOENT || number == EIO || number == ENOTCONN ||
		number == ESTALE || number == ETIMEDOUT ||
		number == ECONNABORTED || number == ECONNRESET ||
		number == EHOSTDOWN || number == ENXIO;
}

/* True if a mount has lost its server, which it may detect with a delay. */
static bool is_out_of_reach(int fd)
{
	struct statfs disk;
	bool gone = false;

	for (int i = 0; i < TRIES && !gone; i++) {
		if (i)
			usleep(NAP_US);
		gone = fstatfs(fd, &disk) && says_mount_lost(errno);
	}
	return gone;
}

int file_void(struct probe *probe, const struct file_source *source,
	const struct error *error)
{
	if (source->system.remote && !source->nfs &&
		is_out_of_reach(source->made.fd))
		return probe_lost(probe, "%s", error->message);
	if (probe->launch == 0)
		return probe_unavailable(probe, "%s", error->message);
	return probe_invalid(probe, "%s", error->message);
}

/* ---- sources ---------------------------------------------------------- */

/* The sources of this worker. */
static struct file_source *kept[FILE_KEPT_MOST];

static void dispose(struct file_source *source)
{
	file_close(&source->made);
	file_nfs_close(source->nfs);
	free(source->where);
	free(source);
}

static struct file_source *find(const char *where, uint64_t size_bytes,
	unsigned number)
{
	for (size_t i = 0; i < FILE_KEPT_MOST; i++)
		if (kept[i] && kept[i]->made.size_bytes == size_bytes &&
			kept[i]->number == number &&
			!strcmp(kept[i]->where, where))
			return kept[i];
	return NULL;
}

/* Sources with number 0 belong to other points and may be removed. A point uses
 * higher numbers for its further sources. */
static void make_room(uint64_t size_bytes, unsigned number)
{
	uint64_t sum = size_bytes;
	bool place = false;

	for (size_t i = 0; i < FILE_KEPT_MOST; i++) {
		sum += kept[i] ? kept[i]->made.size_bytes : 0;
		place |= !kept[i];
	}
	if (number || (place && sum <= FILE_KEPT_BYTES))
		return;
	for (size_t i = 0; i < FILE_KEPT_MOST; i++)
		if (kept[i]) {
			dispose(kept[i]);
			kept[i] = NULL;
		}
}

/* *lost: the whole folder is unreachable, not only the file. */
static int make_local(struct file_source *source, uint64_t size_bytes,
	struct probe *probe, bool *lost, struct error *error)
{
	char *folder = file_folder(source->where, error);

	if (!folder)
		return -1;
	/* Kept open, because a mount whose server is lost may disappear and
	 * reveal another folder. */
	int held = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (held >= 0)
		file_system_read(&source->system, held, "");
	int failed = file_make(&source->made, folder, size_bytes, probe, error);
	*lost = failed && source->system.remote && is_out_of_reach(held);
	if (held >= 0)
		close(held);
	free(folder);
	if (!failed)
		file_system_read(&source->system, source->made.fd, "");
	return failed;
}

static struct file_source *refuse(struct file_source *source, bool lost,
	struct probe *probe, const struct error *error)
{
	if (lost)
		probe_lost(probe, "%s", error->message);
	else
		file_refuse(probe, error);
	dispose(source);
	return NULL;
}

static struct file_source *make(struct probe *probe, const char *where,
	uint64_t size_bytes, unsigned number)
{
	struct file_source *source = xcalloc(1, sizeof *source);
	struct error error;
	bool lost = false;

	source->where = xstrdup(where);
	source->number = number;
	source->made.fd = -1;
	if (!file_nfs_is_url(where))
		return make_local(source, size_bytes, probe, &lost, &error) ?
			refuse(source, lost, probe, &error) :
			source;
	source->made.size_bytes = size_bytes;
	source->made.seed = probe_random(probe);
	source->nfs = file_nfs_make(where, size_bytes, source->made.seed, probe,
		&lost, &error);
	source->system.remote = true;
	return source->nfs ? source : refuse(source, lost, probe, &error);
}

struct file_source *file_source_take(struct probe *probe, const char *where,
	uint64_t size_bytes, unsigned number)
{
	struct file_source *source = find(where, size_bytes, number);

	if (source)
		return source;
	make_room(size_bytes, number);
	source = make(probe, where, size_bytes, number);
	for (size_t i = 0; source && !source->nfs && i < FILE_KEPT_MOST; i++)
		if (!kept[i]) {
			kept[i] = source;
			break;
		}
	return source;
}

void file_source_release(struct file_source *source)
{
	if (source && source->nfs)
		dispose(source);
}

void file_source_note(const struct file_source *source, struct probe *probe)
{
	if (!source->nfs) {
		file_system_note(&source->system, probe);
		if (!source->made.mapped)
			probe_note(probe, "extents",
				"not reported by this file system");
		return;
	}
	probe_note(probe, "file-system", "%s of %s, by libnfs, not mounted",
		file_nfs_type(source->nfs), source->where);
	probe_note(probe, "cache",
		"none on this machine; the cache of the server is unknown");
}

/* ---- readers ---------------------------------------------------------- */

static int open_direct(struct file_reader *reader, struct probe *probe,
	struct error *error)
{
	int fd = reader->source->made.fd;

	/* Some file systems serve direct reads from cached pages. */
	if (file_direct_open(&reader->direct, fd, reader->block_bytes, error) ||
		file_evict(fd, reader->source->made.size_bytes, error))
		return -1;
	reader->fd = reader->direct.fd;
	if (probe->launch == 1)
		probe_note(probe, "direct",
			"offsets in multiples of %" PRIu32
			", memory of %" PRIu32 ", by %s",
			reader->direct.offset_bytes,
			reader->direct.memory_bytes, reader->direct.source);
	return 0;
}

static int prepare(struct file_reader *reader, struct probe *probe,
	struct error *error)
{
	const struct file_source *source = reader->source;

	if (source->nfs && reader->caching == FILE_WARM)
		return error_set(error, STATUS_USAGE,
			"libnfs has no cache on this machine: expected "
			"cache=cold");
	if (source->nfs)
		return 0;
	reader->fd = source->made.fd;
	if (reader->caching == FILE_AS_IT_IS)
		return 0;
	if (reader->caching == FILE_DIRECT)
		return open_direct(reader, probe, error);
	if (reader->caching == FILE_COLD)
		return file_reader_chill(reader, error);
	return file_warm(reader->fd, source->made.size_bytes, probe, error);
}

int file_reader_open(struct file_reader *reader,
	const struct file_source *source, enum file_caching caching,
	enum file_ordering ordering, size_t block_bytes, struct probe *probe,
	struct error *error)
{
	*reader = (struct file_reader){ .source = source,
		.caching = caching,
		.direct.fd = -1,
		.fd = -1,
		.block_bytes = block_bytes };
	if (posix_memalign(&reader->buffer, ALIGNMENT, block_bytes)) {
		reader->buffer = NULL;
		return error_set(error, STATUS_USAGE,
			"no memory for a block of %zu bytes", block_bytes);
	}
	/* The first touch of the buffer must not be timed. */
	memset(reader->buffer, 1, block_bytes);
	if (prepare(reader, probe, error)) {
		file_reader_close(reader);
		return -1;
	}
	if (reader->fd >= 0)
		file_order_advise(ordering, reader->fd);
	return 0;
}

void file_reader_close(struct file_reader *reader)
{
	if (reader->direct.fd >= 0)
		close(reader->direct.fd);
	reader->direct.fd = -1;
	free(reader->buffer);
	reader->buffer = NULL;
}

/* A FUSE mount that lost its server cannot remove the unlinked file, which it
 * had renamed on the server. */
static const char *what_stays(const struct file_system *system)
{
	return strncmp(system->type, "fuse", 4) ?
		"" :
		"; a .fuse_hidden* file may remain there";
}

void file_reader_failed(const struct file_reader *reader, uint64_t block,
	struct probe *probe)
{
	const struct file_source *source = reader->source;
	int number = errno;
	uint64_t at = block * reader->block_bytes;

	if (source->nfs) {
		probe_lost(probe,
			"cannot read the file on %s at byte %" PRIu64 ": %s",
			text_quoted(source->where).chars, at,
			file_nfs_why(source->nfs));
		return;
	}
	/* No process shortens the file, so a short read from a network means a
	 * lost connection. */
	if (source->system.remote && (!number || says_mount_lost(number))) {
		probe_lost(probe,
			"cannot read the file in %s (%s) at byte %" PRIu64 ": "
			"%s%s",
			file_folder_quoted(source->where).chars,
			source->system.type, at,
			number ? strerror(number) : "unexpected end of file",
			what_stays(&source->system));
		return;
	}
	probe_fail(probe,
		"cannot read the file in %s at byte %" PRIu64 ": %s",
		file_folder_quoted(source->where).chars, at,
		number ? strerror(number) : "unexpected end of file");
}

bool file_reader_same(const struct file_reader *reader, uint64_t block,
	size_t most_bytes)
{
	size_t bytes = reader->block_bytes;

	return file_content_same(reader->source->made.seed, block * bytes,
		reader->buffer, bytes < most_bytes ? bytes : most_bytes);
}

int file_reader_chill(const struct file_reader *reader, struct error *error)
{
	const struct file_made *made = &reader->source->made;

	return reader->source->nfs ?
		0 :
		file_evict(made->fd, made->size_bytes, error);
}

int64_t file_reader_resident(const struct file_reader *reader)
{
	const struct file_made *made = &reader->source->made;

	return reader->source->nfs ? -1 :
				     file_resident(made->fd, made->size_bytes);
}
