/* Names that identify their creator. */
#include "leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

static const char prefix[] = ".benchtop-";

/* The start time of a process, in kernel ticks since boot; 0 if the process
 * does not exist. The program's name, in brackets, may contain any
 * character. */
static uint64_t started(pid_t pid)
{
	char path[64], line[1024];
	uint64_t ticks = 0;
	int field = 2;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (file_peek(path, line, sizeof line))
		return 0;
	const char *at = strrchr(line, ')');
	/* A zombie has ended, although its parent has not yet reaped it. */
	if (at && (!strncmp(at, ") Z", 3) || !strncmp(at, ") X", 3)))
		return 0;
	for (; at && *at; at++) {
		if (*at != ' ' || ++field != 22)
			continue;
		ticks = strtoull(at + 1, NULL, 10);
		break;
	}
	return ticks;
}

/* The host and its PID namespace: another container may have the same name. */
static void add_host(struct text *name)
{
	char host[65] = "";
	struct stat space = { .st_ino = 0 };

	if (gethostname(host, sizeof host - 1))
		host[0] = '\0';
	for (char *c = host; *c; c++)
		if (*c == '/' || *c == '-')
			*c = '_';
	stat("/proc/self/ns/pid", &space);
	text_add(name, "%s.%ju", host, (uintmax_t)space.st_ino);
}

void leftover_name(struct text *name, unsigned number)
{
	text_add(name, "%s", prefix);
	add_host(name);
	text_add(name, "-%d-%" PRIu64 "-%u", (int)getpid(), started(getpid()),
		number);
}

bool leftover_is_orphan(const char *name)
{
	struct text host = { 0 };
	int pid;
	uint64_t since;
	unsigned number;

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	name += strlen(prefix);
	add_host(&host);
	bool here = !strncmp(name, text_chars(&host), host.length) &&
		name[host.length] == '-';
	name += here ? host.length : 0;
	text_free(&host);
	if (!here ||
		sscanf(name, "-%d-%" SCNu64 "-%u", &pid, &since, &number) != 3)
		return false;
	return pid > 0 && started(pid) != since;
}

static bool is_link(int folder, const char *name)
{
	struct stat status;

	return !fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) &&
		S_ISLNK(status.st_mode);
}

void leftover_sweep_files(const char *folder)
{
	DIR *entries = opendir(folder);

	if (!entries)
		return;
	for (struct dirent *entry; (entry = readdir(entries));)
		if (leftover_is_orphan(entry->d_name) &&
			!is_link(dirfd(entries), entry->d_name))
			unlinkat(dirfd(entries), entry->d_name, 0);
	closedir(entries);
}

int leftover_create(const char *folder, int flags, struct text *path)
{
	static unsigned number;
	int fd;

	leftover_sweep_files(folder);
	do {
		text_clear(path);
		text_add(path, "%s/", folder);
		leftover_name(path, number++);
		fd = open(path->chars, flags | O_CREAT | O_EXCL | O_CLOEXEC,
			0600);
	} while (fd < 0 && errno == EEXIST);
	return fd;
}
