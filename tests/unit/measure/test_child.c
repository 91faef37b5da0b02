/* Children of the lab: pinned, detached, watched, and never left behind. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int started(struct child *child, int (*body)(void *), void *context,
	int cpu)
{
	struct error error = { 0 };

	return child_start(child, body, context, cpu, &error);
}

/* Polls, because a loaded machine may be slow. */
static bool comes_true(bool (*holds)(const void *), const void *context)
{
	const struct timespec nap = { 0, 1000000 };

	for (int i = 0; i < 20000; i++) {
		if (holds(context))
			return true;
		nanosleep(&nap, NULL);
	}
	return false;
}

static bool is_gone(const void *pid)
{
	return kill(*(const pid_t *)pid, 0) && errno == ESRCH;
}

/* ---- the environment of a child --------------------------------------- */

static int last_cpu(void)
{
	cpu_set_t set;
	int last = -1;

	assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set))
			last = cpu;
	return last;
}

struct finds {
	cpu_set_t affinity;
	pid_t group, pid;
	bool int_blocked, usr1_ignored, pipe_open, terminal_output;
	struct rlimit core;
	int slack_ns;
	int pipe_end;
};

static int look_around(void *context)
{
	struct finds *finds = context;
	struct sigaction action;
	sigset_t blocked;

	sched_getaffinity(0, sizeof finds->affinity, &finds->affinity);
	finds->group = getpgrp();
	finds->pid = getpid();
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	finds->int_blocked = sigismember(&blocked, SIGINT);
	sigaction(SIGUSR1, NULL, &action);
	finds->usr1_ignored = action.sa_handler == SIG_IGN;
	finds->pipe_open = fcntl(finds->pipe_end, F_GETFD) >= 0;
	finds->terminal_output = isatty(1);
	getrlimit(RLIMIT_CORE, &finds->core);
	finds->slack_ns = prctl(PR_GET_TIMERSLACK);
	return 42;
}

static bool presses_key;

static void press_key(void)
{
	if (presses_key)
		raise(SIGINT);
}

static int return_zero(void *context)
{
	(void)context;
	return 0;
}

/* Ctrl-C between fork and setpgid also reaches the child; signals are blocked
 * there, as in the lab. */
static void a_key_is_the_labs(void **state)
{
	struct child child = { 0 };
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, &old);
	assert_int_equal(pthread_atfork(NULL, NULL, press_key), 0);
	presses_key = true;
	assert_int_equal(started(&child, return_zero, NULL, CHILD_ANY_CPU), 0);
	presses_key = false;
	assert_int_equal(child_wait(&child, -1), 0);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void a_child_begins_clean(void **state)
{
	struct finds *finds = shared_map(sizeof *finds);
	struct child child = { 0 };
	sigset_t set, old;
	int ends[2], cpu = last_cpu();

	assert_int_equal(pipe(ends), 0);
	finds->pipe_end = ends[1];
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, &old);
	assert_int_equal(started(&child, look_around, finds, cpu), 0);
	assert_true(child.pid > 0 && child.pidfd >= 0);
	pid_t pid = child.pid;
	int status = child_wait(&child, -1);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGUSR1, SIG_DFL);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
	assert_int_equal(child.pid, 0);
	assert_int_equal(child.pidfd, -1);
	assert_int_equal(finds->pid, pid);
	assert_int_equal(finds->group, pid);
	assert_int_equal(CPU_COUNT(&finds->affinity), 1);
	assert_true(CPU_ISSET((size_t)cpu, &finds->affinity));
	assert_false(finds->int_blocked);
	assert_false(finds->usr1_ignored);
	assert_false(finds->pipe_open);
	assert_false(finds->terminal_output);
	assert_int_equal(finds->core.rlim_cur, 0);
	assert_int_equal(finds->slack_ns, 1);
	close(ends[0]);
	close(ends[1]);
	shared_unmap(finds, sizeof *finds);
}

static int end_well(void *context)
{
	(void)context;
	return 0;
}

static void a_processor_that_is_not_there(void **state)
{
	struct child child = { 0 };

	assert_int_equal(started(&child, end_well, NULL, CPU_SETSIZE - 1), 0);
	int status = child_wait(&child, -1);
	assert_int_equal(WEXITSTATUS(status), CHILD_NOT_PINNED);
	assert_int_equal(started(&child, end_well, NULL, CHILD_ANY_CPU), 0);
	assert_int_equal(child_wait(&child, -1), 0);
}

/* ---- ends ------------------------------------------------------------- */

static int hang(void *context)
{
	(void)context;
	for (;;)
		pause();
	return 0;
}

static void a_hanging_child_is_ended(void **state)
{
	struct child child = { 0 };
	int status = 0;

	assert_int_equal(started(&child, hang, NULL, CHILD_ANY_CPU), 0);
	pid_t pid = child.pid;
	assert_false(child_reap(&child, &status));
	status = child_wait(&child, 20);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_true(is_gone(&pid));
	/* The child has ended: there is nothing to kill or reap. */
	child_kill(&child);
	assert_false(child_reap(&child, &status));
}

static void an_abandoned_child_is_forgotten(void **state)
{
	struct child child = { 0 };

	assert_int_equal(started(&child, hang, NULL, CHILD_ANY_CPU), 0);
	pid_t pid = child.pid;
	int pidfd = child.pidfd;
	child_abandon(&child, 1000);
	assert_true(is_gone(&pid));
	assert_int_equal(child.pid, 0);
	assert_int_equal(fcntl(pidfd, F_GETFD), -1);
	child_abandon(&child, 1000);
	assert_int_equal(child.pidfd, -1);
}

/* The verb `link` waits for any child, so another function may have reaped
 * it. */
static void a_child_that_others_waited_for_is_over(void **state)
{
	struct child child = { 0 };
	int status = 0;

	assert_int_equal(started(&child, hang, NULL, CHILD_ANY_CPU), 0);
	kill(child.pid, SIGKILL);
	assert_int_equal(waitpid(-1, NULL, 0), child.pid);
	child_kill(&child);
	assert_true(child_reap(&child, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), CHILD_UNKNOWN);
	assert_int_equal(child.pid, 0);
	assert_int_equal(child.pidfd, -1);
}

struct family {
	_Atomic pid_t grandchild;
};

static int leave_a_child_behind(void *context)
{
	struct family *family = context;
	pid_t pid = fork();

	if (!pid)
		hang(NULL);
	atomic_store(&family->grandchild, pid);
	return 5;
}

/* A process that a task leaves running would disturb every later launch. */
static void nothing_is_left_of_the_group(void **state)
{
	struct family *family = shared_map(sizeof *family);
	struct child child = { 0 };

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	assert_int_equal(started(&child, leave_a_child_behind, family,
				 CHILD_ANY_CPU),
		0);
	assert_int_equal(WEXITSTATUS(child_wait(&child, -1)), 5);
	pid_t grandchild = atomic_load(&family->grandchild);
	assert_true(grandchild > 0);
	assert_true(is_gone(&grandchild));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	shared_unmap(family, sizeof *family);
}

static bool is_set(const void *pid)
{
	return atomic_load((const _Atomic pid_t *)pid) > 0;
}

/* After kill -9 of the lab, its worker must stop measuring. */
static void a_child_dies_with_the_lab(void **state)
{
	struct family *family = shared_map(sizeof *family);
	int status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t lab = fork();
	if (!lab) {
		struct child child = { 0 };

		if (started(&child, hang, NULL, CHILD_ANY_CPU))
			_exit(1);
		atomic_store(&family->grandchild, child.pid);
		pause();
	}
	assert_true(comes_true(is_set, &family->grandchild));
	pid_t worker = atomic_load(&family->grandchild);
	kill(lab, SIGKILL);
	assert_int_equal(waitpid(lab, &status, 0), lab);
	/* This process inherits the worker, which is dead. */
	assert_int_equal(waitpid(worker, &status, 0), worker);
	/* Killed with the lab, or ended by itself before it had begun. */
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	shared_unmap(family, sizeof *family);
}

static void shared_memory_is_zeroed_and_shared(void **state)
{
	char *memory = shared_map(100000);
	int status;

	for (size_t i = 0; i < 100000; i++)
		assert_int_equal(memory[i], 0);
	pid_t pid = fork();
	if (!pid) {
		memory[99999] = 7;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(memory[99999], 7);
	shared_unmap(memory, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_begins_clean),
		cmocka_unit_test(a_key_is_the_labs),
		cmocka_unit_test(a_processor_that_is_not_there),
		cmocka_unit_test(a_hanging_child_is_ended),
		cmocka_unit_test(an_abandoned_child_is_forgotten),
		cmocka_unit_test(a_child_that_others_waited_for_is_over),
		cmocka_unit_test(nothing_is_left_of_the_group),
		cmocka_unit_test(a_child_dies_with_the_lab),
		cmocka_unit_test(shared_memory_is_zeroed_and_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
