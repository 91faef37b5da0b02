/* Children of the lab: forked, pinned, detached, and killed when the lab
 * ends. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "die_with.h"
#include "memory.h"

/* Discards a key of the terminal that arrived while the child was still in the
 * lab's process group: it was for the lab. */
static void forget_keys(void)
{
	static const int keys[] = { SIGINT, SIGQUIT, SIGTSTP };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		sigaction(keys[i], &ignore, NULL);
}

static void reset_signals(void)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	forget_keys();
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Closes all descriptors but the standard ones and those of `keeps`. */
static void keep_only(const int *keeps)
{
	int moved[CHILD_KEEPS];

	/* First away from the numbers that they are to have. */
	for (int i = 0; i < CHILD_KEEPS; i++)
		moved[i] = keeps[i] ? fcntl(keeps[i], F_DUPFD_CLOEXEC,
					      CHILD_KEPT + CHILD_KEEPS) :
				      -1;
	for (int i = 0; i < CHILD_KEEPS; i++)
		if (moved[i] < 0)
			close(CHILD_KEPT + i);
		else
			dup3(moved[i], CHILD_KEPT + i, O_CLOEXEC);
	descriptors_close(CHILD_KEPT + CHILD_KEEPS, INT_MAX);
}

static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		/* A log may contain the report of a sanitizer, but a screen
		 * must not. */
		if (isatty(STDERR_FILENO))
			dup2(null, STDERR_FILENO);
	}
}

/* If memory runs out, the kernel should kill the child, not the lab. */
static void volunteer_for_oom(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);

	if (fd < 0)
		return;
	dprintf(fd, "1000");
	close(fd);
}

int child_pin(int cpu)
{
	cpu_set_t set;

	if (cpu == CHILD_ANY_CPU)
		return 0;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof set, &set);
}

static void become(pid_t parent, int cpu, const int *keeps)
{
	const struct rlimit no_core = { 0, 0 };

	die_with(parent, SIGKILL);
	setpgid(0, 0);
	reset_signals();
	leave_terminal();
	keep_only(keeps);
	volunteer_for_oom();
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_TIMERSLACK, 1);
	if (child_pin(cpu))
		_exit(CHILD_NOT_PINNED);
}

static int adopt(struct child *child, struct error *error)
{
	/* Both processes do this, so that neither must wait for the other. */
	setpgid(child->pid, child->pid);
	child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	/* Linux before 5.3, and some sandboxes, do not have it. */
	if (child->pidfd >= 0 || errno == ENOSYS || errno == EPERM)
		return 0;
	error_set(error, STATUS_WORKER, "cannot watch the worker: %s",
		strerror(errno));
	child_wait(child, 0);
	return -1;
}

int child_start(struct child *child, int (*body)(void *context), void *context,
	int cpu, struct error *error)
{
	pid_t parent = getpid();

	fflush(NULL);
	child->pid = fork();
	if (child->pid < 0) {
		child->pid = 0;
		return error_set(error, STATUS_WORKER, "cannot fork: %s%s",
			strerror(errno),
			errno == ENOSYS || errno == EPERM ?
				": expected a sandbox that allows clone" :
				"");
	}
	if (!child->pid) {
		become(parent, cpu, child->keeps);
		_exit(body(context));
	}
	return adopt(child, error);
}

static void sweep_group(pid_t group)
{
	kill(-group, SIGKILL);
	/* The lab is the subreaper, so orphans of the group become its
	 * children. */
	for (int i = 0; i < 1000; i++) {
		pid_t got = waitpid(-group, NULL, WNOHANG);

		if (got < 0)
			return;
		if (!got)
			usleep(1000);
	}
}

/* True if other code has waited for any child and reaped this one. Its process
 * id may already be used again. */
static bool reaped_elsewhere(const struct child *child)
{
	return child->pidfd >= 0 &&
		syscall(SYS_pidfd_send_signal, child->pidfd, 0, NULL, 0) &&
		errno == ESRCH;
}

bool child_reap(struct child *child, int *status)
{
	if (!child->pid)
		return false;
	pid_t got = waitpid(child->pid, status, WNOHANG);
	if (got == child->pid)
		sweep_group(child->pid);
	else if (got >= 0 || errno != ECHILD)
		return false;
	else
		*status = CHILD_UNKNOWN << 8; /* as of an exit() */
	if (child->pidfd >= 0)
		close(child->pidfd);
	*child = (struct child){ .pidfd = -1 };
	return true;
}

void child_kill(struct child *child)
{
	if (!child->pid || reaped_elsewhere(child))
		return;
	kill(-child->pid, SIGKILL);
	kill(child->pid, SIGKILL);
}

/* Without a pidfd the state of the child is checked every millisecond. */
static bool ends_within(const struct child *child, int timeout_ms)
{
	struct pollfd ended = { .fd = child->pidfd, .events = POLLIN };
	siginfo_t info = { .si_pid = 0 };

	if (child->pidfd >= 0)
		return poll(&ended, 1, timeout_ms) > 0;
	for (int ms = 0; timeout_ms < 0 || ms <= timeout_ms; ms++) {
		if (waitid(P_PID, (id_t)child->pid, &info,
			    WEXITED | WNOHANG | WNOWAIT) ||
			info.si_pid)
			return true;
		usleep(1000);
	}
	return false;
}

int child_wait(struct child *child, int timeout_ms)
{
	int status = 0;

	if (!ends_within(child, timeout_ms))
		child_kill(child);
	while (!child_reap(child, &status) && child->pid)
		usleep(1000);
	return status;
}

void child_abandon(struct child *child, int timeout_ms)
{
	int status;

	child_kill(child);
	if (child->pid && ends_within(child, timeout_ms))
		child_reap(child, &status);
	if (child->pid && child->pidfd >= 0)
		close(child->pidfd);
	*child = (struct child){ .pidfd = -1 };
}

void *shared_map(size_t size_bytes)
{
	void *made = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED)
		memory_exhausted(size_bytes);
	return made;
}

void shared_unmap(void *memory, size_t size_bytes)
{
	munmap(memory, size_bytes);
}
