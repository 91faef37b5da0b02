/* Rings of io_uring: every request is answered once, with and without a polling
 * thread, whose CPU time is counted; refusals name the cause. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "uring.h"

enum { ENTRIES = 8, ROUNDS = 1000 };

static int last_cpu(void)
{
	cpu_set_t set;
	int last = 0;

	sched_getaffinity(0, sizeof set, &set);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set))
			last = cpu;
	return last;
}

static void open_ring(struct uring *ring, int poller)
{
	struct error error;

	if (uring_open(ring, ENTRIES, poller, &error)) {
		print_message("SKIP: not permitted here: %s\n", error.message);
		skip();
	}
}

static const struct io_uring_cqe *wait_for_answer(struct uring *ring)
{
	const struct io_uring_cqe *answer = uring_answer(ring);

	while (!answer) {
		sched_yield();
		answer = uring_answer(ring);
	}
	return answer;
}

/* Full rings, so that the entries are used many times. */
static void exchange(int poller)
{
	struct uring ring;
	uint64_t sum = 0, number = 0;

	open_ring(&ring, poller);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < ENTRIES; i++) {
			struct io_uring_sqe *request = uring_request(&ring);

			request->opcode = IORING_OP_NOP;
			request->user_data = ++number;
		}
		assert_int_equal(uring_submit(&ring, ENTRIES, ENTRIES), 0);
		for (int i = 0; i < ENTRIES; i++) {
			const struct io_uring_cqe *answer =
				wait_for_answer(&ring);

			assert_int_equal(answer->res, 0);
			sum += answer->user_data;
			uring_seen(&ring);
		}
		assert_null(uring_answer(&ring));
	}
	assert_int_equal(sum, number * (number + 1) / 2);
	assert_int_equal(uring_lost(&ring), 0);
	if (poller == URING_NO_POLLER)
		assert_int_equal(ring.calls, ROUNDS);
	else
		assert_true(ring.calls < ROUNDS);
	uring_close(&ring);
	uring_close(&ring);
}

static void test_enter(void **state)
{
	exchange(URING_NO_POLLER);
}

static void test_poller(void **state)
{
	exchange(last_cpu());
}

static void test_read(void **state)
{
	char path[] = "/tmp/benchtop-uring-XXXXXX", got[16] = "";
	int fd = mkstemp(path);
	struct uring ring;

	assert_int_equal(pwrite(fd, "requests", 8, 100), 8);
	unlink(path);
	open_ring(&ring, URING_NO_POLLER);
	struct io_uring_sqe *request = uring_request(&ring);
	request->opcode = IORING_OP_READ;
	request->fd = fd;
	request->addr = (uint64_t)(uintptr_t)got;
	request->len = 8;
	request->off = 100;
	assert_int_equal(uring_submit(&ring, 1, 1), 0);
	assert_int_equal(wait_for_answer(&ring)->res, 8);
	assert_string_equal(got, "requests");
	uring_close(&ring);
	close(fd);
}

/* ---- CPU time --------------------------------------------------------- */

static int64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Keeps the poller busy for some time. */
static void keep_busy(struct uring *ring, int64_t until_ns)
{
	while (now_ns(CLOCK_MONOTONIC) < until_ns) {
		uring_request(ring)->opcode = IORING_OP_NOP;
		assert_int_equal(uring_submit(ring, 1, 0), 0);
		wait_for_answer(ring);
		uring_seen(ring);
	}
}

static void test_cpu_time(void **state)
{
	struct uring_threads threads = { 0 };
	struct uring ring;

	/* The pollers of closed rings end soon. */
	for (int ms = 0; threads.count != 1 && ms < 5000; ms++) {
		usleep(1000);
		uring_threads_find(&threads);
	}
	assert_int_equal(threads.count, 1);
	open_ring(&ring, last_cpu());
	uring_threads_find(&threads);
	assert_int_equal(threads.count, 2);
	int64_t own_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	int64_t all_ns = uring_threads_ns(&threads);
	assert_true(all_ns > 0);
	/* Other programs may use the processors, too. */
	int64_t polled_ns = 0;
	for (int i = 0; i < 50 && polled_ns <= 5000000; i++) {
		keep_busy(&ring, now_ns(CLOCK_MONOTONIC) + 100000000);
		polled_ns = uring_threads_ns(&threads) - all_ns -
			(now_ns(CLOCK_THREAD_CPUTIME_ID) - own_ns);
	}
	assert_true(polled_ns > 5000000);
	/* Without requests the poller sleeps and uses nothing. */
	for (int ms = 0; !uring_sleeps(&ring) && ms < 5000; ms++)
		usleep(1000);
	assert_true(uring_sleeps(&ring));
	usleep(20000);
	own_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	all_ns = uring_threads_ns(&threads);
	usleep(100000);
	all_ns = uring_threads_ns(&threads) - all_ns;
	own_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - own_ns;
	assert_true(all_ns - own_ns < 1000000);
	uring_close(&ring);
	for (int ms = 0; uring_threads_ns(&threads) > 0 && ms < 5000; ms++)
		usleep(1000);
	assert_int_equal(uring_threads_ns(&threads), -1);
}

/* ---- refusals --------------------------------------------------------- */

static void forbid(int number)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
			SECCOMP_RET_ERRNO | (unsigned)number),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof lines / sizeof *lines, lines };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(99);
}

static void test_forbidden(void **state)
{
	static const int numbers[] = { EPERM, ENOSYS, ENOMEM };

	for (size_t i = 0; i < 3; i++) {
		int status;
		pid_t child = fork();

		if (!child) {
			struct uring ring;
			struct error error;

			forbid(numbers[i]);
			_exit(!(uring_open(&ring, 1, URING_NO_POLLER, &error) ==
					-1 &&
				error.status == STATUS_PERMISSION &&
				(strstr(error.message, strerror(numbers[i])) ||
					strstr(error.message, "disabled is"))));
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
}

static void write_setting(const char *root, const char *value)
{
	char command[300];

	snprintf(command, sizeof command,
		"mkdir -p %s/proc/sys/kernel && "
		"echo %s >%s/proc/sys/kernel/io_uring_disabled",
		root, value, root);
	assert_int_equal(system(command), 0);
}

static void test_sentences(void **state)
{
	char root[] = "/tmp/benchtop-uring-XXXXXX", command[64];
	struct error error;

	assert_non_null(mkdtemp(root));
	uring_refuse(root, EPERM, &error);
	assert_non_null(strstr(error.message, "Operation not permitted: "));
	write_setting(root, "1");
	uring_refuse(root, EPERM, &error);
	assert_non_null(strstr(error.message, "kernel.io_uring_disabled is 1"));
	write_setting(root, "2");
	uring_refuse(root, EPERM, &error);
	assert_non_null(strstr(error.message, "kernel.io_uring_disabled is 2"));
	/* The setting is not the cause of other errors. */
	uring_refuse(root, ENOMEM, &error);
	assert_null(strstr(error.message, "disabled"));
	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enter),
		cmocka_unit_test(test_poller),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_cpu_time),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_sentences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
