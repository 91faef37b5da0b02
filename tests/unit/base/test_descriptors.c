/* Messages with descriptors: if no more can be opened, the result is an error,
 * not a descriptor of -1. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "descriptors.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptors_arrive),
		cmocka_unit_test(test_none_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
