/* O_DIRECT and its alignment. */
#include "file_direct.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file_cache.h"

enum { WANTED = 0x2000 /* STATX_DIOALIGN */, LEAST = 512, MOST = 4096 };

/* Layout of the kernel's struct statx; older headers lack the last fields. */
struct extended_status {
	uint32_t mask;
	char other[0x98 - 4];
	uint32_t memory_bytes, offset_bytes;
	char spare[0x100 - 0xa0];
};
_Static_assert(sizeof(struct extended_status) == 0x100, "as in linux/stat.h");

static int refuse(struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"this file system does not support direct reads: expected "
		"cache=cold, or a folder on another file system");
}

/* Returns 1 if statx does not report the alignment. */
static int ask(struct file_direct *direct, struct error *error)
{
	struct extended_status status;

	memset(&status, 0, sizeof status);
	if (syscall(SYS_statx, direct->fd, "", AT_EMPTY_PATH, WANTED,
		    &status) ||
		!(status.mask & WANTED))
		return 1;
	if (!status.memory_bytes || !status.offset_bytes)
		return refuse(error);
	direct->memory_bytes = status.memory_bytes;
	direct->offset_bytes = status.offset_bytes;
	direct->source = "statx";
	return 0;
}

static int try_out(struct file_direct *direct, struct error *error)
{
	void *buffer = NULL;
	bool good = false;
	uint32_t bytes = LEAST;

	if (posix_memalign(&buffer, MOST, MOST))
		return error_set(error, STATUS_USAGE, "no memory");
	for (; bytes <= MOST && !good; bytes *= 2)
		good = pread(direct->fd, buffer, bytes, 0) > 0;
	free(buffer);
	if (!good)
		return refuse(error);
	direct->memory_bytes = MOST;
	direct->offset_bytes = bytes / 2;
	direct->source = "a trial read";
	return 0;
}

static int find_alignment(struct file_direct *direct, uint64_t block_bytes,
	struct error *error)
{
	int unknown = ask(direct, error);

	if (unknown < 0 || (unknown && try_out(direct, error)))
		return -1;
	if (block_bytes % direct->offset_bytes == 0)
		return 0;
	return error_set(error, STATUS_USAGE,
		"direct reads of %" PRIu64 " bytes: this file system needs "
		"multiples of %" PRIu32,
		block_bytes, direct->offset_bytes);
}

int file_direct_open(struct file_direct *direct, int fd, uint64_t block_bytes,
	struct error *error)
{
	char path[64];

	*direct = (struct file_direct){ .fd = -1 };
	if (file_lives_in_memory(fd))
		return error_set(error, STATUS_USAGE,
			"the folder is on tmpfs, which is memory without a "
			"disk: expected a folder on a disk (dir= or "
			"XDG_STATE_HOME)");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	direct->fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (direct->fd < 0 && errno == EINVAL)
		return refuse(error);
	if (direct->fd < 0)
		return error_set(error, STATUS_USAGE,
			"cannot open the file for direct reads: %s",
			strerror(errno));
	if (!find_alignment(direct, block_bytes, error))
		return 0;
	close(direct->fd);
	direct->fd = -1;
	return -1;
}
