/* Messages with descriptors: if no more can be opened, the result is an error,
 * not a descriptor of -1. Closing works on kernels without close_range(2). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "descriptors.h"
#include "forbid.h"
#include "new_calls.h"

struct ends {
	int ends[2];
};

static void open_ends(struct ends *ends)
{
	int fds[2] = { STDIN_FILENO, STDOUT_FILENO };
	int message = 7;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends->ends), 0);
	assert_int_equal(descriptors_send(ends->ends[0], &message,
				 sizeof message, fds, 2),
		0);
}

static void close_ends(struct ends *ends)
{
	close(ends->ends[0]);
	close(ends->ends[1]);
}

static void test_descriptors_arrive(void **state)
{
	struct ends ends;
	int fds[DESCRIPTORS_MOST], message = 0;

	open_ends(&ends);
	assert_int_equal(descriptors_receive(ends.ends[1], &message,
				 sizeof message, fds),
		0);
	assert_int_equal(message, 7);
	assert_true(fds[0] >= 0 && fds[1] >= 0 && fds[2] == -1);
	close(fds[0]);
	close(fds[1]);
	close_ends(&ends);
}

static void test_none_left(void **state)
{
	struct ends ends;
	struct rlimit limit, small;
	int fds[DESCRIPTORS_MOST], message, failed, next;

	open_ends(&ends);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	next = dup(ends.ends[1]);
	close(next);
	/* Room for one of the two descriptors. */
	small = (struct rlimit){ (rlim_t)next + 1, limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &small), 0);
	errno = 0;
	failed = descriptors_receive(ends.ends[1], &message, sizeof message,
		fds);
	int why = errno;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(failed, -1);
	assert_int_equal(why, EMFILE);
	/* The descriptor that arrived is closed. */
	assert_int_equal(dup(ends.ends[1]), next);
	close(next);
	close_ends(&ends);
}

/* ---- closing ---------------------------------------------------------- */

enum { LOW = 40, HIGH = 700 };

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The exit status of a child that lacks the calls: 0 if exactly the descriptors
 * of the ranges were closed. */
static int close_without(const unsigned *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (forbid(calls[i], ENOSYS))
			return 2;
	for (int fd = LOW; fd <= HIGH; fd++)
		if (dup2(STDERR_FILENO, fd) != fd)
			return 3;
	descriptors_close(LOW + 1, LOW + 1);
	descriptors_close(LOW + 5, LOW + 4);
	if (is_open(LOW + 1) || !is_open(LOW) || !is_open(LOW + 2) ||
		!is_open(LOW + 5))
		return 4;
	descriptors_close(LOW + 3, INT_MAX);
	for (int fd = LOW + 3; fd <= HIGH + 10; fd++)
		if (is_open(fd))
			return 5;
	return is_open(LOW + 2) && is_open(STDERR_FILENO) ? 0 : 6;
}

static void test_closing(void **state)
{
	/* All calls; no close_range; no /proc either. */
	static const unsigned calls[] = { SYS_close_range, SYS_openat };

	for (size_t count = 0; count <= 2; count++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(close_without(calls, count));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptors_arrive),
		cmocka_unit_test(test_none_left),
		cmocka_unit_test(test_closing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
