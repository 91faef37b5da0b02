/* Opening files without waiting for another process. */
#include "file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A pending signal that is blocked, for the code that handles it; 0: none. */
static int signal_waiting(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t waiting;

	if (sigpending(&waiting))
		return 0;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (sigismember(&waiting, numbers[i]) > 0)
			return numbers[i];
	return 0;
}

int file_stopped(const char *path, struct error *error)
{
	int number = signal_waiting();

	if (!number)
		return 0;
	return error_set(error, (enum status)(STATUS_SIGNAL + number),
		"stopped while waiting for data from '%s'", path);
}

/* ---- own files -------------------------------------------------------- */

bool file_is_own(const char *path)
{
	struct stat is;

	/* What cannot be reached is no reason to remove a file. */
	return lstat(path, &is) || S_ISREG(is.st_mode);
}

int file_open_own(const char *path, int flags, struct error *error)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
	struct stat is;

	/* ELOOP: a symbolic link; ENXIO: a socket, or a pipe that nothing
	 * reads. */
	if (fd < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR) {
		error_set(error, STATUS_INPUT, "cannot open '%s': %s", path,
			strerror(errno));
		return -1;
	}
	if (fd >= 0 && !fstat(fd, &is) && S_ISREG(is.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	error_set(error, STATUS_INPUT,
		"'%s' is not a regular file: remove it", path);
	return -1;
}

/* ---- files that a user names ------------------------------------------ */

/* poll() does not distinguish a pipe without a writer from one that is empty,
 * and read() would consume data. tee() does neither. */
static bool has_writer(int fd, int spare)
{
	return tee(fd, spare, 1, SPLICE_F_NONBLOCK) != 0;
}

static int await_writer(int fd, const char *path, struct error *error)
{
	enum { LOOK_MS = 20 };
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000 };
	int spare[2], failed = 0;

	if (pipe2(spare, O_CLOEXEC))
		return error_set(error, STATUS_INPUT, "cannot read '%s': %s",
			path, strerror(errno));
	for (int ms = 0; !failed && !has_writer(fd, spare[1]); ms += LOOK_MS) {
		failed = file_stopped(path, error);
		if (!failed && ms >= FILE_WRITER_MS)
			failed = error_set(error, STATUS_INPUT,
				"'%s' is a pipe that no process writes: "
				"expected a file",
				path);
		if (!failed)
			nanosleep(&pause, NULL);
	}
	close(spare[0]);
	close(spare[1]);
	return failed;
}

static int check_input(int fd, const char *path, struct error *error)
{
	struct stat is;

	if (fstat(fd, &is))
		return error_set(error, STATUS_INPUT, "cannot read '%s': %s",
			path, strerror(errno));
	if (S_ISDIR(is.st_mode))
		return error_set(error, STATUS_INPUT,
			"'%s' is a folder, expected a file", path);
	return S_ISFIFO(is.st_mode) ? await_writer(fd, path, error) : 0;
}

static int refuse_input(const char *path, int why, struct error *error)
{
	struct stat is;

	if (why == ENXIO && !stat(path, &is) && S_ISSOCK(is.st_mode))
		error_set(error, STATUS_INPUT,
			"'%s' is a socket, expected a file", path);
	else
		error_set(error, STATUS_INPUT, "cannot open '%s': %s", path,
			strerror(why));
	return -1;
}

int file_open_input(const char *path, struct error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return refuse_input(path, errno, error);
	if (check_input(fd, path, error)) {
		close(fd);
		return -1;
	}
	fcntl(fd, F_SETFL, 0);
	return fd;
}
