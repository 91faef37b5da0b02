/* Whole files, read with a limit and saved atomically. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file_open.h"
#include "leftover.h"
#include "memory.h"

/* Waits for input, because a pipe or a terminal may never send any. */
static int await(int fd, const char *path, struct error *error)
{
	enum { LOOK_MS = 100 };
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	for (int ready; (ready = poll(&polled, 1, LOOK_MS)) <= 0;) {
		if (ready < 0 && errno != EINTR)
			return 0; /* read() will report the cause */
		if (file_stopped(path, error))
			return -1;
	}
	return 0;
}

static int say_too_large(const char *path, size_t limit_bytes,
	struct error *error)
{
	return error_set(error, STATUS_INPUT,
		"'%s' is larger than %zu bytes, the limit", path, limit_bytes);
}

static int read_all(int fd, const char *path, size_t limit_bytes,
	struct text *content, struct error *error)
{
	char piece[65536];

	for (;;) {
		if (await(fd, path, error))
			return -1;
		ssize_t got = read(fd, piece, sizeof piece);

		if (got == 0)
			return 0;
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return error_set(error, STATUS_INPUT,
				"cannot read '%s': %s", path, strerror(errno));
		if (content->length + (size_t)got > limit_bytes)
			return say_too_large(path, limit_bytes, error);
		text_add_chars(content, piece, (size_t)got);
	}
}

/* Closes the descriptor, unless it is -1: its opening failed. */
static int read_opened(int fd, const char *path, size_t limit_bytes,
	struct text *content, struct error *error)
{
	struct stat is;
	int failed;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &is) && S_ISREG(is.st_mode) &&
		(size_t)is.st_size > limit_bytes)
		failed = say_too_large(path, limit_bytes, error);
	else
		failed = read_all(fd, path, limit_bytes, content, error);
	close(fd);
	return failed;
}

int file_read(const char *path, size_t limit_bytes, struct text *content,
	struct error *error)
{
	if (!strcmp(path, "-"))
		return read_all(STDIN_FILENO, "standard input", limit_bytes,
			content, error);
	return read_opened(file_open_input(path, error), path, limit_bytes,
		content, error);
}

int file_read_own(const char *path, int flags, size_t limit_bytes,
	struct text *content, struct error *error)
{
	return read_opened(file_open_own(path, O_RDONLY | flags, error), path,
		limit_bytes, content, error);
}

int file_peek(const char *path, char *into, size_t size_bytes)
{
	into[0] = '\0';
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t got = read(fd, into, size_bytes - 1);
	close(fd);
	if (got < 0)
		return -1;
	into[got] = '\0';
	into[strcspn(into, "\n")] = '\0';
	return 0;
}

int file_write_all(int fd, const void *bytes, size_t length)
{
	const char *content = bytes;

	while (length) {
		ssize_t put = write(fd, content, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -1;
		content += put;
		length -= (size_t)put;
	}
	return 0;
}

/* The file that a save replaces: the target of a symbolic link. */
static char *save_target(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : xstrdup(path);
}

static int save_failed(struct error *error, const char *path, const char *what)
{
	return error_set(error, STATUS_OUTPUT, "cannot save '%s': %s: %s", path,
		what, strerror(errno));
}

static int write_temporary(int fd, const char *target, const char *content,
	size_t length, struct error *error)
{
	struct stat old;
	mode_t mask = umask(0);
	mode_t mode = 0666 & ~mask;

	umask(mask);
	if (!stat(target, &old))
		mode = old.st_mode & 07777;
	if (fchmod(fd, mode))
		return save_failed(error, target, "mode");
	if (file_write_all(fd, content, length))
		return save_failed(error, target, "write");
	if (fsync(fd))
		return save_failed(error, target, "sync");
	return 0;
}

int file_sync_folder(const char *folder, const char *saved,
	struct error *error)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* A folder that cannot be opened for reading cannot be synced; the
	 * file has its name. */
	if (fd < 0)
		return 0;
	int failed = fsync(fd) && errno != EINVAL && errno != EROFS;
	close(fd);
	if (failed)
		return error_set(error, STATUS_OUTPUT,
			"saved '%s', but the folder could not be synced: %s",
			saved, strerror(errno));
	return 0;
}

int file_lock_folder(const char *folder)
{
	enum { TRIES = 100 };
	const struct timespec pause = { .tv_nsec = 5000000 };
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (int i = 0; fd >= 0 && i < TRIES; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB) ||
			(errno != EWOULDBLOCK && errno != EINTR))
			break;
		nanosleep(&pause, NULL);
	}
	return fd;
}

static int save_in(const char *folder, const char *target, const char *content,
	size_t length, struct error *error)
{
	struct text temporary = { 0 };
	int fd = leftover_create(folder, O_WRONLY, &temporary);

	if (fd < 0) {
		text_free(&temporary);
		if (errno == ENOENT)
			return error_set(error, STATUS_OUTPUT,
				"cannot save '%s': its folder does not exist",
				target);
		return save_failed(error, target, "temporary file");
	}
	int failed = write_temporary(fd, target, content, length, error);
	if (close(fd) && !failed)
		failed = save_failed(error, target, "close");
	if (!failed && rename(temporary.chars, target))
		failed = save_failed(error, target, "rename");
	if (failed)
		unlink(temporary.chars);
	text_free(&temporary);
	return failed ? failed : file_sync_folder(folder, target, error);
}

int file_save(const char *path, const char *content, size_t length,
	struct error *error)
{
	struct stat is;

	if (!stat(path, &is) && !S_ISREG(is.st_mode))
		return error_set(error, STATUS_OUTPUT,
			"cannot save '%s': not a regular file", path);
	char *target = save_target(path);
	char *copy = xstrdup(target);
	int failed = save_in(dirname(copy), target, content, length, error);
	free(copy);
	free(target);
	return failed;
}
