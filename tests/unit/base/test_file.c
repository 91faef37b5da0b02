/* Whole files: reading with a limit, saving completely or not at all. The
 * system calls of a save are replaced. The replacements record their arguments,
 * and on request fail or end the process. */
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "file_open.h"

static char folder[] = "/tmp/benchtop-file-XXXXXX";
static char order[64];   /* "f" file synced, "r" renamed, "d" folder synced */
static char fails_at;    /* this step fails with EIO */
static char dies_before; /* the process ends instead of this step */

static bool step(char which)
{
	size_t length = strlen(order);

	if (which == dies_before)
		_exit(0);
	if (length + 1 < sizeof order)
		order[length] = which;
	errno = EIO;
	return which != fails_at;
}

int fsync(int fd)
{
	struct stat is;

	fstat(fd, &is);
	if (!step(S_ISDIR(is.st_mode) ? 'd' : 'f'))
		return -1;
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	if (!step('r'))
		return -1;
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int start(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int forget(void **state)
{
	memset(order, 0, sizeof order);
	fails_at = dies_before = 0;
	return 0;
}

static int clear(void **state)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static void put(const char *path, const char *content)
{
	struct error error = { 0 };

	assert_int_equal(file_save(path, content, strlen(content), &error), 0);
	forget(NULL);
}

static void assert_content(const char *path, const char *wanted)
{
	struct text content = { 0 };
	struct error error = { 0 };

	assert_int_equal(file_read(path, 1 << 20, &content, &error), 0);
	assert_string_equal(text_chars(&content), wanted);
	text_free(&content);
}

/* The number of temporary files of saves in the folder. */
static int count_temporary(void)
{
	DIR *dir = opendir(folder);
	int count = 0;

	for (struct dirent *entry; (entry = readdir(dir));)
		count += !strncmp(entry->d_name, ".benchtop-", 10);
	closedir(dir);
	return count;
}

/* ---- reading ---------------------------------------------------------- */

static void reads_up_to_a_limit(void **state)
{
	const char *path = in_folder("ten");
	struct text content = { 0 };
	struct error error = { 0 };
	char wanted[300];

	put(path, "0123456789");
	assert_int_equal(file_read(path, 10, &content, &error), 0);
	assert_string_equal(text_chars(&content), "0123456789");
	text_clear(&content);
	assert_int_equal(file_read(path, 9, &content, &error), -1);
	assert_int_equal(error.status, STATUS_INPUT);
	snprintf(wanted, sizeof wanted,
		"'%s' is larger than 9 bytes, the limit", path);
	assert_string_equal(error.message, wanted);
	text_free(&content);
}

static void says_why_it_cannot_read(void **state)
{
	struct text content = { 0 };
	struct error error = { 0 };
	char wanted[300];

	assert_int_equal(file_read(in_folder("none"), 9, &content, &error), -1);
	snprintf(wanted, sizeof wanted,
		"cannot open '%s/none': No such file or directory", folder);
	assert_string_equal(error.message, wanted);
	assert_int_equal(file_read(folder, 9, &content, &error), -1);
	snprintf(wanted, sizeof wanted, "'%s' is a folder, expected a file",
		folder);
	assert_string_equal(error.message, wanted);
	assert_int_equal(content.length, 0);
	text_free(&content);
}

static void a_dash_is_standard_input(void **state)
{
	struct text content = { 0 };
	struct error error = { 0 };
	int ends[2], kept = dup(0);

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "list\nquit\n", 10), 10);
	close(ends[1]);
	dup2(ends[0], 0);
	assert_int_equal(file_read("-", 100, &content, &error), 0);
	assert_string_equal(text_chars(&content), "list\nquit\n");
	dup2(kept, 0);
	close(kept);
	close(ends[0]);
	text_free(&content);
}

/* A read from a pipe without a writer is interrupted by a signal that ends the
 * program. */
static void a_waiting_signal_ends_waiting(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	static const enum status ends[] = { STATUS_INTERRUPTED,
		STATUS_TERMINATED, STATUS_HUNG_UP };
	struct text content = { 0 };
	struct error error;
	sigset_t set, before;
	int taken;

	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	for (int i = 0; i < 3; i++) {
		sigemptyset(&set);
		sigaddset(&set, numbers[i]);
		sigprocmask(SIG_BLOCK, &set, &before);
		assert_int_equal(raise(numbers[i]), 0);
		assert_int_equal(file_read(in_folder("pipe"), 100, &content,
					 &error),
			-1);
		assert_int_equal(error.status, ends[i]);
		assert_non_null(strstr(error.message, "waiting for data from"));
		/* The signal is still pending, for the code that handles
		 * signals. */
		assert_int_equal(sigwait(&set, &taken), 0);
		assert_int_equal(taken, numbers[i]);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	text_free(&content);
}

static void assert_refused_pipe(int read_it(const char *, struct text *,
	struct error *), const char *says)
{
	struct text content = { 0 };
	struct error error;

	assert_int_equal(read_it(in_folder("pipe"), &content, &error), -1);
	assert_int_equal(error.status, STATUS_INPUT);
	assert_non_null(strstr(error.message, says));
	text_free(&content);
}

static int read_named(const char *path, struct text *content,
	struct error *error)
{
	return file_read(path, 100, content, error);
}

static int read_own(const char *path, struct text *content,
	struct error *error)
{
	return file_read_own(path, 0, 100, content, error);
}

/* An alarm ends the test if it waits. */
static void refuses_a_pipe_that_no_process_writes(void **state)
{
	unlink(in_folder("pipe"));
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	alarm(60);
	assert_refused_pipe(read_named,
		"/pipe' is a pipe that no process writes: expected a file");
	assert_refused_pipe(read_own,
		"/pipe' is not a regular file: remove it");
	alarm(0);
	assert_false(file_is_own(in_folder("pipe")));
}

static void reads_a_pipe_whose_writer_is_late(void **state)
{
	enum { LATE_NS = 200000000 };
	const struct timespec late = { .tv_nsec = LATE_NS };
	int status;

	unlink(in_folder("pipe"));
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	pid_t writer = fork();
	if (writer == 0) {
		nanosleep(&late, NULL);
		int fd = open(in_folder("pipe"), O_WRONLY | O_CLOEXEC);
		nanosleep(&late, NULL);
		_exit(write(fd, "content", 7) != 7);
	}
	assert_content(in_folder("pipe"), "content");
	assert_int_equal(waitpid(writer, &status, 0), writer);
	assert_int_equal(status, 0);
}

static void follows_no_link_to_an_own_file(void **state)
{
	struct text content = { 0 };
	struct error error;

	put(in_folder("target"), "text");
	unlink(in_folder("link"));
	assert_int_equal(symlink("target", in_folder("link")), 0);
	assert_true(file_is_own(in_folder("target")));
	assert_true(file_is_own(in_folder("none")));
	assert_true(file_is_own(in_folder("target/unreachable")));
	assert_false(file_is_own(in_folder("link")));
	assert_int_equal(file_read_own(in_folder("link"), O_NOFOLLOW, 9,
				 &content, &error),
		-1);
	assert_non_null(strstr(error.message, "is not a regular file"));
	assert_int_equal(file_read_own(in_folder("link"), 0, 9, &content,
				 &error),
		0);
	assert_string_equal(content.chars, "text");
	text_free(&content);
	unlink(in_folder("link"));
}

static void peeks_at_a_first_line(void **state)
{
	char into[8];

	put(in_folder("governor"), "ab\ncd\n");
	assert_int_equal(file_peek(in_folder("governor"), into, 8), 0);
	assert_string_equal(into, "ab");
	put(in_folder("long"), "0123456789");
	assert_int_equal(file_peek(in_folder("long"), into, sizeof into), 0);
	assert_string_equal(into, "0123456");
	assert_int_equal(file_peek(in_folder("none"), into, sizeof into), -1);
	assert_string_equal(into, "");
	assert_int_equal(file_peek(folder, into, sizeof into), -1);
	assert_string_equal(into, "");
}

/* ---- saving ----------------------------------------------------------- */

static void saves_in_an_order_that_survives(void **state)
{
	const char *path = in_folder("saved");
	struct error error = { 0 };

	assert_int_equal(file_save(path, "one", 3, &error), 0);
	assert_string_equal(order, "frd");
	assert_content(path, "one");
	assert_int_equal(file_save(path, "a\0b", 3, &error), 0);
	assert_int_equal(file_save(path, "", 0, &error), 0);
	assert_content(path, "");
	assert_int_equal(count_temporary(), 0);
}

static void a_failed_save_leaves_the_old_file(void **state)
{
	static const char *const whats[] = { "sync", "rename" };
	const char *path = in_folder("kept");
	struct error error = { 0 };
	char wanted[300];

	put(path, "old");
	for (int i = 0; i < 2; i++) {
		forget(NULL);
		fails_at = "fr"[i];
		assert_int_equal(file_save(path, "new", 3, &error), -1);
		assert_int_equal(error.status, STATUS_OUTPUT);
		snprintf(wanted, sizeof wanted,
			"cannot save '%s': %s: %s", path, whats[i],
			strerror(EIO));
		assert_string_equal(error.message, wanted);
		assert_content(path, "old");
		assert_int_equal(count_temporary(), 0);
	}
}

static void a_folder_that_cannot_be_synced_is_told(void **state)
{
	const char *path = in_folder("told");
	struct error error = { 0 };

	put(path, "old");
	fails_at = 'd';
	assert_int_equal(file_save(path, "new", 3, &error), -1);
	assert_non_null(strstr(error.message, "but the folder could not be"));
	assert_content(path, "new");
	assert_int_equal(count_temporary(), 0);
}

/* RLIMIT_FSIZE simulates a full disk, because an ordinary user cannot fill
 * one. */
static void a_full_disk_leaves_the_old_file(void **state)
{
	const char *path = in_folder("full");
	struct rlimit old, small = { 4096, 4096 };
	struct error error = { 0 };
	char *much = calloc(1, 100000);

	put(path, "old");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int failed = file_save(path, much, 100000, &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(failed, -1);
	assert_non_null(strstr(error.message, "write: File too large"));
	assert_content(path, "old");
	assert_int_equal(count_temporary(), 0);
	free(much);
}

/* After a crash at any moment there is either the complete old file or the
 * complete new one. The next save removes the temporary file. */
static void a_crash_leaves_one_or_the_other(void **state)
{
	static const struct {
		char before;
		const char *content;
	} cases[] = { { 'f', "old" }, { 'r', "old" }, { 'd', "new" } };
	const char *path = in_folder("crash");

	for (size_t i = 0; i < 3; i++) {
		struct error error;
		int status;

		put(path, "old");
		pid_t pid = fork();
		if (!pid) {
			dies_before = cases[i].before;
			file_save(path, "new", 3, &error);
			_exit(1);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		assert_content(path, cases[i].content);
		assert_int_equal(count_temporary(), cases[i].before != 'd');
		put(path, "next");
		assert_int_equal(count_temporary(), 0);
	}
}

static void keeps_mode_and_link(void **state)
{
	const char *path = in_folder("mode");
	const char *link = in_folder("link");
	struct error error = { 0 };
	struct stat is;

	mode_t mask = umask(027);
	assert_int_equal(file_save(path, "1", 1, &error), 0);
	umask(mask);
	assert_int_equal(stat(path, &is), 0);
	assert_int_equal(is.st_mode & 07777, 0640);
	assert_int_equal(chmod(path, 0604), 0);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(file_save(link, "2", 1, &error), 0);
	assert_int_equal(lstat(link, &is), 0);
	assert_true(S_ISLNK(is.st_mode));
	assert_int_equal(stat(path, &is), 0);
	assert_int_equal(is.st_mode & 07777, 0604);
	assert_content(path, "2");
}

static void says_where_it_cannot_save(void **state)
{
	struct error error = { 0 };
	char wanted[300];

	assert_int_equal(file_save(in_folder("no/where"), "x", 1, &error), -1);
	snprintf(wanted, sizeof wanted,
		"cannot save '%s/no/where': its folder does not exist",
		folder);
	assert_string_equal(error.message, wanted);
	assert_int_equal(file_save("/dev/null", "x", 1, &error), -1);
	assert_string_equal(error.message,
		"cannot save '/dev/null': not a regular file");
	assert_int_equal(file_save(folder, "x", 1, &error), -1);
	snprintf(wanted, sizeof wanted, "cannot save '%s': not a regular file",
		folder);
	assert_string_equal(error.message, wanted);
	assert_int_equal(error.status, STATUS_OUTPUT);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup(name, forget)
	const struct CMUnitTest tests[] = {
		CASE(reads_up_to_a_limit),
		CASE(says_why_it_cannot_read),
		CASE(a_dash_is_standard_input),
		CASE(a_waiting_signal_ends_waiting),
		CASE(refuses_a_pipe_that_no_process_writes),
		CASE(reads_a_pipe_whose_writer_is_late),
		CASE(follows_no_link_to_an_own_file),
		CASE(peeks_at_a_first_line),
		CASE(saves_in_an_order_that_survives),
		CASE(a_failed_save_leaves_the_old_file),
		CASE(a_folder_that_cannot_be_synced_is_told),
		CASE(a_full_disk_leaves_the_old_file),
		CASE(a_crash_leaves_one_or_the_other),
		CASE(keeps_mode_and_link),
		CASE(says_where_it_cannot_save),
	};

	return cmocka_run_group_tests(tests, start, clear);
}
