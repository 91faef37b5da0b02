/* Loading files into the page cache and evicting them. */
#include "file_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "memory.h"
#include "probe.h"

enum {
	PIECE_BYTES = 1 << 20,
	VIEW_BYTES = 256 << 20, /* mapped at once for mincore */
	/* Laps as for a chain: for 64 MiB, a block of 4K then takes 600 ns, and
	 * twice as long after one lap. */
	LAPS = 4,
	LAPS_BYTES = 96 << 20,
	TRIES = 10,
	NAP_US = 20000,
	CACHESTAT = 451, /* the call's number, on every architecture */
};

static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t file_pages(uint64_t size_bytes)
{
	return (size_bytes + page_bytes() - 1) / page_bytes();
}

/* ---- inspection ------------------------------------------------------- */

/* Layout of the kernel's struct cachestat (Linux 6.5). */
struct cached_pages {
	uint64_t cached, dirty, written_back, evicted, evicted_of_late;
};

static bool count_cached(int fd, uint64_t size_bytes,
	struct cached_pages *count)
{
	struct {
		uint64_t offset, length;
	} range = { 0, size_bytes };

	return !syscall(CACHESTAT, fd, &range, count, 0u);
}

static int64_t count_view(int fd, uint64_t at, size_t length,
	unsigned char *present)
{
	void *view = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)at);
	int64_t count = -1;

	if (view == MAP_FAILED)
		return -1;
	if (!mincore(view, length, present)) {
		count = 0;
		for (uint64_t i = 0; i < file_pages(length); i++)
			count += present[i] & 1;
	}
	munmap(view, length);
	return count;
}

int64_t file_resident(int fd, uint64_t size_bytes)
{
	unsigned char *present = xmalloc(file_pages(VIEW_BYTES));
	struct cached_pages counted;
	int64_t sum = 0, part = 0;

	for (uint64_t at = 0; at < size_bytes && part >= 0; at += VIEW_BYTES) {
		uint64_t left = size_bytes - at;

		part = count_view(fd, at,
			left < VIEW_BYTES ? (size_t)left : VIEW_BYTES, present);
		sum += part;
	}
	free(present);
	if (part >= 0)
		return sum;
	return count_cached(fd, size_bytes, &counted) ?
		(int64_t)counted.cached :
		-1;
}

int64_t file_dirty(int fd, uint64_t size_bytes)
{
	struct cached_pages counted;

	return count_cached(fd, size_bytes, &counted) ?
		(int64_t)(counted.dirty + counted.written_back) :
		-1;
}

bool file_lives_in_memory(int fd)
{
	struct statfs disk;

	return !fstatfs(fd, &disk) &&
		(disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC);
}

/* ---- changes ---------------------------------------------------------- */

static int refuse_resident(int fd, uint64_t size_bytes, int64_t resident,
	struct error *error)
{
	int64_t dirty = file_dirty(fd, size_bytes);

	if (resident < 0)
		return error_set(error, STATUS_USAGE,
			"cannot query the page cache by mincore: %s",
			strerror(errno));
	if (dirty > 0)
		return error_set(error, STATUS_USAGE,
			"%" PRId64 " pages of the file stay in the cache, "
			"%" PRId64 " of them dirty",
			resident, dirty);
	return error_set(error, STATUS_USAGE,
		"%" PRId64 " pages of the file stay in the cache, because its "
		"file system does not evict on demand: expected a folder on "
		"another file system",
		resident);
}

int file_evict(int fd, uint64_t size_bytes, struct error *error)
{
	int64_t resident = -1;

	if (file_lives_in_memory(fd))
		return error_set(error, STATUS_USAGE,
			"the folder is on tmpfs, which is memory and cannot be "
			"evicted: expected a folder on a disk (dir= or "
			"XDG_STATE_HOME)");
	if (fsync(fd))
		return error_set(error, STATUS_USAGE,
			"cannot write the file back: %s", strerror(errno));
	/* A page in use by the kernel stays for a short time. */
	for (int i = 0; i < TRIES && resident; i++) {
		if (i)
			usleep(NAP_US);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		resident = file_resident(fd, size_bytes);
	}
	return resident ? refuse_resident(fd, size_bytes, resident, error) : 0;
}

/* Reads the whole file once. */
static bool read_through(int fd, uint64_t size_bytes, char *piece,
	struct probe *probe)
{
	bool readable = true;

	for (uint64_t at = 0; at < size_bytes && readable; at += PIECE_BYTES) {
		readable = pread(fd, piece, PIECE_BYTES, (off_t)at) > 0;
		if (probe)
			probe_alive(probe);
	}
	return readable;
}

int file_warm(int fd, uint64_t size_bytes, struct probe *probe,
	struct error *error)
{
	uint64_t pages = file_pages(size_bytes);
	char *piece = xmalloc(PIECE_BYTES);
	int laps = size_bytes > LAPS_BYTES ? 1 : LAPS;
	bool readable = true;

	/* An earlier point may have disabled read-ahead. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
	while (laps-- > 0 && readable)
		readable = read_through(fd, size_bytes, piece, probe);
	free(piece);
	if (!readable)
		return error_set(error, STATUS_USAGE,
			"cannot read the file back: %s", strerror(errno));
	int64_t resident = file_resident(fd, size_bytes);
	if (resident == (int64_t)pages)
		return 0;
	return error_set(error, STATUS_USAGE,
		"only %" PRId64 " of %" PRIu64 " pages of the file are in the "
		"cache: not enough memory for all",
		resident, pages);
}
