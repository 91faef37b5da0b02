/* Programs in the namespace of one side of a link. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "die_with.h"
#include "link_internal.h"

/* ---- in the child ----------------------------------------------------- */

static void name_sides(void)
{
	static const char *const names[LINK_SIDES] = { "BENCHTOP_LINK_NEAR",
		"BENCHTOP_LINK_FAR" };

	for (int side = 0; side < LINK_SIDES; side++) {
		struct sockaddr_storage address;
		struct sockaddr_in *v4 = (void *)&address;
		char text[INET_ADDRSTRLEN];

		link_side_address((enum link_side)side, AF_INET, &address);
		inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
		setenv(names[side], text, 1);
	}
}

/* The string is not freed: the child executes a program or ends. */
static void add_environment(const char *const *list)
{
	for (; list && *list; list++) {
		char *copy = strdup(*list);

		if (copy)
			putenv(copy);
	}
}

/* Moves descriptors to their numbers; *pipe is kept, above them. */
static void take_fds(const struct link_program *program, int *pipe)
{
	enum { ABOVE = 64 };
	int moved[LINK_PROGRAM_FDS_MAX];
	int count = (int)program->fd_count;

	*pipe = fcntl(*pipe, F_DUPFD_CLOEXEC, ABOVE);
	for (int i = 0; i < count; i++)
		moved[i] = fcntl(program->fds[i], F_DUPFD_CLOEXEC, ABOVE);
	for (int i = 0; i < count; i++)
		dup2(moved[i], i);
	if (!program->fds)
		count = STDERR_FILENO + 1;
	descriptors_close(count, *pipe - 1);
	descriptors_close(*pipe + 1, INT_MAX);
}

/* Signals that nohup or a shell's & ignores stay ignored. */
static bool is_for_good(int number)
{
	return number == SIGHUP || number == SIGINT || number == SIGQUIT;
}

static void usual_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		if (signal(number, SIG_DFL) == SIG_IGN && is_for_good(number))
			signal(number, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void refuse(int pipe, const struct error *error)
{
	ssize_t written = write(pipe, error, sizeof *error);

	(void)written;
	_exit(127);
}

static _Noreturn void become(const struct link *link, enum link_side side,
	const struct link_program *program, pid_t parent, int pipe)
{
	struct error error = { 0 };

	usual_signals();
	if (program->own_group)
		setpgid(0, 0);
	if (link_enter(link, side, &error))
		refuse(pipe, &error);
	/* After the user namespace, which clears the setting. */
	die_with(parent, SIGKILL);
	take_fds(program, &pipe);
	name_sides();
	add_environment(program->environment);
	if (!program->argv) {
		close(pipe);
		_exit(program->body(program->context));
	}
	/* execvp() does not modify its arguments. */
	execvp(program->argv[0], (char *const *)(uintptr_t)program->argv);
	error_set(&error, STATUS_USAGE, "cannot run %s: %s",
		text_quoted(program->argv[0]).chars, strerror(errno));
	refuse(pipe, &error);
}

/* ---- in the caller ---------------------------------------------------- */

pid_t link_spawn(struct link *link, enum link_side side,
	const struct link_program *program, struct error *error)
{
	pid_t parent = getpid();
	int ends[2];

	if (program->fd_count > LINK_PROGRAM_FDS_MAX)
		return error_set(error, STATUS_INTERNAL,
			"%zu descriptors for a program: expected at most %d",
			program->fd_count, LINK_PROGRAM_FDS_MAX);
	if (pipe2(ends, O_CLOEXEC))
		return error_set(error, STATUS_NETWORK,
			"cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	pid_t child = fork();
	if (!child)
		become(link, side, program, parent, ends[1]);
	int number = errno;
	close(ends[1]);
	if (child < 0)
		error_set(error, STATUS_NETWORK, "cannot fork: %s",
			strerror(number));
	struct error why;
	bool refused = child > 0 &&
		read(ends[0], &why, sizeof why) == (ssize_t)sizeof why;
	close(ends[0]);
	if (!refused)
		return child;
	waitpid(child, NULL, 0);
	*error = why;
	return -1;
}
