/* Cache flushes of the device under a file system. */
#include "file_flush.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "file_cache.h"
#include "file_system.h"

enum { DEPTH_MOST = 8, ROOM = PATH_MAX + 300 };

static bool is_there(const char *folder, const char *name)
{
	char path[ROOM];
	struct stat found;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return !stat(path, &found);
}

/* A disk with a request queue, given by its folder. */
static void add_disk(struct file_flush *flush, const char *folder)
{
	char path[ROOM], line[64];

	snprintf(path, sizeof path, "%s/stat", folder);
	int fd = flush->count < FILE_FLUSH_DISKS && is_there(folder, "mq") ?
		open(path, O_RDONLY | O_CLOEXEC) :
		-1;
	if (fd < 0)
		flush->counted = false;
	else
		flush->stats[flush->count++] = fd;
	snprintf(path, sizeof path, "%s/queue/write_cache", folder);
	if (!file_peek(path, line, sizeof line) && !strcmp(line, "write back"))
		flush->volatile_cache = true;
}

static void add_device(struct file_flush *flush, const char *root,
	const char *name, int depth);

/* Returns the number of disks that this device is made of. */
static size_t add_parts(struct file_flush *flush, const char *root,
	const char *folder, int depth)
{
	char path[ROOM];
	struct dirent *entry;
	size_t count = 0;

	snprintf(path, sizeof path, "%s/slaves", folder);
	DIR *parts = opendir(path);
	while (parts && (entry = readdir(parts)))
		if (entry->d_name[0] != '.') {
			add_device(flush, root, entry->d_name, depth + 1);
			count++;
		}
	if (parts)
		closedir(parts);
	return count;
}

/* A loop device flushes by a sync of its file, in memory or on another device,
 * which may be a loop device, too. Another mount namespace may hide the
 * file. */
static void follow_file(struct file_flush *flush, const char *root,
	const char *name, int depth)
{
	struct file_flush below = { .counted = true };
	struct file_system system;
	char path[ROOM];

	snprintf(path, sizeof path, "%s%s", root, name);
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0) {
		flush->counted = false;
		return;
	}
	file_system_read(&system, fd, root);
	if (*system.device)
		add_device(&below, root, system.device, depth + 1);
	flush->memory |= file_lives_in_memory(fd) || below.memory;
	file_flush_close(&below);
	close(fd);
}

static void add_device(struct file_flush *flush, const char *root,
	const char *name, int depth)
{
	char path[ROOM], folder[PATH_MAX], file[PATH_MAX];

	snprintf(path, sizeof path, "%s/sys/class/block/%s", root, name);
	if (depth > DEPTH_MOST || !realpath(path, folder)) {
		flush->counted = false;
		return;
	}
	if (is_there(folder, "partition"))
		*strrchr(folder, '/') = '\0';
	snprintf(path, sizeof path, "%s/loop/backing_file", folder);
	if (!file_peek(path, file, sizeof file))
		follow_file(flush, root, file, depth);
	if (!add_parts(flush, root, folder, depth))
		add_disk(flush, folder);
}

void file_flush_open(struct file_flush *flush, const char *device,
	const char *root)
{
	*flush = (struct file_flush){ .counted = *device != '\0' };
	if (*device)
		add_device(flush, root, device, 0);
	flush->counted = file_flush_count(flush) >= 0;
}

/* -1: this kernel has fewer fields. */
static int64_t count_of(int fd)
{
	char line[400];
	ssize_t length = pread(fd, line, sizeof line - 1, 0);
	int64_t flushes;

	if (length <= 0)
		return -1;
	line[length] = '\0';
	return sscanf(line,
		       "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		       "%*s %*s %" SCNd64,
		       &flushes) == 1 ?
		flushes :
		-1;
}

int64_t file_flush_count(const struct file_flush *flush)
{
	int64_t sum = 0;

	if (!flush->counted)
		return -1;
	for (size_t i = 0; i < flush->count; i++) {
		int64_t flushes = count_of(flush->stats[i]);

		if (flushes < 0)
			return -1;
		sum += flushes;
	}
	return sum;
}

void file_flush_close(struct file_flush *flush)
{
	for (size_t i = 0; i < flush->count; i++)
		close(flush->stats[i]);
	flush->count = 0;
	flush->counted = false;
}
