/* A small process from which workers are forked. */
#include "fork_server.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptors.h"
#include "file.h"
#include "launch_parcel.h"
#include "parcel.h"
#include "text.h"

enum {
	PATIENCE_MS = 5000, /* timeout for the fork server's answer */
	NAME_BYTES = 16,    /* of a process, as the kernel keeps it */
	NO_JOB = 1,         /* exit code of a worker that cannot map its job */
};

/* A request of the lab, with descriptors attached. The answer is the process id
 * of the worker, or a negative value. */
struct order {
	int cpu;
	size_t job_bytes;
};

/* The order of the descriptors; the last is optional. */
enum { JOB, TAPE, KEPT, FDS };

/* ---- in the fork server ----------------------------------------------- */

static int work(const struct order *order, const int *fds, pid_t lab)
{
	struct error error;
	struct tape *tape;
	size_t tape_bytes;
	void *block = mmap(NULL, order->job_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE, fds[JOB], 0);

	if (block == MAP_FAILED)
		return NO_JOB;
	struct parcel parcel = { block, (char *)block + order->job_bytes };
	struct launch_job *job = launch_unpack(&parcel, &tape, &tape_bytes);
	if (tape_attach(tape, fds[TAPE], tape_bytes, &error))
		return NO_JOB;
	child_become(lab, order->cpu, fds[KEPT] >= 0 ? fds[KEPT] : 0);
	return worker_launch(job);
}

/* Forks a child of this process's parent, which the C library cannot do. For a
 * process with one thread, this function does what fork() of the library does
 * for the child: it tells the kernel the addresses of the thread id and of the
 * list of robust locks. */
static pid_t fork_for_parent(void)
{
	unsigned long flags = CLONE_PARENT | SIGCHLD;
	struct robust_list_head *locks = NULL;
	size_t locks_bytes = 0;
	int *number = NULL;

	if (!prctl(PR_GET_TID_ADDRESS, &number) && number)
		flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
	syscall(SYS_get_robust_list, 0, &locks, &locks_bytes);
	/* The address of the thread id is the fourth argument on some
	 * processors and the fifth on others. The other argument is only used
	 * with CLONE_SETTLS. */
	pid_t pid =
		(pid_t)syscall(SYS_clone, flags, NULL, NULL, number, number);
	if (!pid && locks)
		syscall(SYS_set_robust_list, locks, locks_bytes);
	return pid;
}

/* Sets the lab's OOM score. Children of the lab are to be killed before the
 * lab, but killing the fork server would free no memory. */
static void stand_with(pid_t lab)
{
	char path[64], adjustment[16];

	snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)lab);
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!file_peek(path, adjustment, sizeof adjustment))
		dprintf(fd, "%s", adjustment);
	close(fd);
}

/* Serves until the lab closes its end. The context is the name of workers. */
static int serve_lab(void *context)
{
	const char *name = context;
	pid_t lab = getppid();
	struct order order;
	int fds[DESCRIPTORS_MOST];

	stand_with(lab);
	while (!descriptors_receive(CHILD_KEPT, &order, sizeof order, fds) &&
		fds[TAPE] >= 0) {
		pid_t pid = fork_for_parent();

		if (!pid) {
			prctl(PR_SET_NAME, name);
			_exit(work(&order, fds, lab));
		}
		for (int i = 0; i < FDS && fds[i] >= 0; i++)
			close(fds[i]);
		if (send(CHILD_KEPT, &pid, sizeof pid, MSG_NOSIGNAL) < 0)
			break;
	}
	return 0;
}

/* ---- in the lab ------------------------------------------------------- */

void fork_server_open(struct fork_server *fork_server)
{
	struct error ignored;
	char name[NAME_BYTES] = "";
	int ends[2];

	*fork_server = (struct fork_server){ .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return;
	fork_server->child.keeps = ends[1];
	/* The child inherits this name, so that it is not taken for a
	 * worker. */
	prctl(PR_GET_NAME, name);
	prctl(PR_SET_NAME, "fork-server");
	int failed = child_start(&fork_server->child, serve_lab, name,
		CHILD_ANY_CPU, &ignored);
	prctl(PR_SET_NAME, name);
	if (failed)
		close(ends[0]);
	else
		fork_server->fd = ends[0];
	close(ends[1]);
}

void fork_server_close(struct fork_server *fork_server)
{
	if (!fork_server_is_open(fork_server))
		return;
	close(fork_server->fd);
	fork_server->fd = -1;
	child_kill(&fork_server->child);
	child_wait(&fork_server->child, -1);
}

bool fork_server_is_open(const struct fork_server *fork_server)
{
	return fork_server && fork_server->fd >= 0;
}

/* Stores the job in memory whose descriptor can be sent; -1: failed. */
static int job_memory(const struct launch_job *job, size_t *bytes)
{
	struct text block = { 0 };
	int fd = memfd_create("benchtop job", MFD_CLOEXEC);

	launch_pack(job, &block);
	*bytes = block.length;
	if (fd >= 0 &&
		write(fd, block.chars, block.length) != (ssize_t)block.length) {
		close(fd);
		fd = -1;
	}
	text_free(&block);
	return fd;
}

/* Kills a fork server that does not answer in time, and waits for its end.
 * Otherwise a late answer could start a second worker on the same tape. */
static void await_answer(struct fork_server *fork_server)
{
	struct pollfd answered = { .fd = fork_server->fd, .events = POLLIN };

	if (poll(&answered, 1, PATIENCE_MS) > 0)
		return;
	child_kill(&fork_server->child);
	child_wait(&fork_server->child, -1);
}

/* Returns the process id of the worker; 0 or less: none. */
static pid_t ask(struct fork_server *fork_server, const struct child *child,
	const struct launch_job *job, int cpu)
{
	struct order order = { .cpu = cpu };
	int memory = job_memory(job, &order.job_bytes);
	const int fds[] = { [JOB] = memory,
		[TAPE] = job->tape->fd,
		[KEPT] = child->keeps };
	pid_t pid;

	bool sent = memory >= 0 &&
		!descriptors_send(fork_server->fd, &order, sizeof order, fds,
			child->keeps ? FDS : KEPT);
	if (memory >= 0)
		close(memory);
	if (!sent)
		return 0;
	await_answer(fork_server);
	if (recv(fork_server->fd, &pid, sizeof pid, MSG_DONTWAIT) != sizeof pid)
		return 0;
	return pid;
}

int fork_server_start(struct fork_server *fork_server, struct child *child,
	struct launch_job *job, int cpu, struct error *error)
{
	pid_t pid = 0;

	if (fork_server_is_open(fork_server))
		pid = ask(fork_server, child, job, cpu);
	if (pid <= 0) {
		fork_server_close(fork_server);
		return child_start(child, worker_launch, job, cpu, error);
	}
	child->pid = pid;
	return child_adopt(child, error);
}
