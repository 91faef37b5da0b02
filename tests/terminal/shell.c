/* The smallest shell with job control: one job. */
#include "shell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "new_calls.h"

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "shell: %s: %s\n", what, strerror(errno));
	_exit(126);
}

static void take_terminal(const struct shell *shell)
{
	/* A session leader without a terminal takes the first one that it
	 * opens. */
	if (setsid() < 0)
		give_up("setsid");
	int tty = open(shell->tty, O_RDWR);
	if (tty < 0)
		give_up(shell->tty);
	for (int fd = 0; fd < 3; fd++)
		dup2(tty, fd);
	close(tty);
	signal(SIGTTOU, SIG_IGN);
}

static pid_t start_job(const struct shell *shell, int signals)
{
	sigset_t none;
	pid_t pid = fork();

	if (pid < 0)
		give_up("fork");
	if (pid) {
		setpgid(pid, pid);
		tcsetpgrp(0, pid);
		return pid;
	}
	setpgid(0, 0);
	tcsetpgrp(0, getpid());
	signal(SIGHUP, shell->hangup_ignored ? SIG_IGN : SIG_DFL);
	signal(SIGTTOU, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (shell->out)
		dup2(shell->out, 1);
	close(signals);
	syscall(SYS_close_range, 3u, ~0u, 0u);
	execv(shell->program, shell->words);
	give_up(shell->program);
}

static void report(const struct shell *shell, pid_t job, int status)
{
	struct timespec now;
	char mark[64];

	clock_gettime(CLOCK_MONOTONIC, &now);
	struct report report = {
		.program = job,
		.status = status,
		.ns = (uint64_t)now.tv_sec * 1000000000u +
			(uint64_t)now.tv_nsec,
	};
	/* The report is also written to the terminal, after all output of the
	 * job. */
	int length = snprintf(mark, sizeof mark, "\033]7777;was;%d\a", status);
	if (status >= 0 && write(0, mark, (size_t)length) < 0)
		errno = 0; /* hung up: the stream has no reader any more */
	if (write(shell->reports, &report, sizeof report) < 0)
		_exit(1);
}

_Noreturn void shell_be(const struct shell *shell)
{
	struct signalfd_siginfo info;
	sigset_t set;
	char order;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	take_terminal(shell);
	pid_t job = start_job(shell, signals);
	/* Closed so that its reader sees the end when the job closes the last
	 * copy. */
	if (shell->out)
		close(shell->out);
	report(shell, job, -1);
	for (;;) {
		struct pollfd polled[] = {
			{ .fd = signals, .events = POLLIN },
			{ .fd = shell->orders, .events = POLLIN },
		};

		poll(polled, 2, -1);
		if (polled[1].revents) {
			if (read(shell->orders, &order, 1) != 1)
				_exit(0);
			tcsetpgrp(0, job);
			kill(-job, SIGCONT);
		}
		/* The kernel sends SIGHUP to the session leader, which sends it
		 * to its jobs. */
		while (read(signals, &info, sizeof info) == sizeof info)
			if (info.ssi_signo == SIGHUP && !shell->hangup_untold)
				kill(-job, SIGHUP);
		while (waitpid(job, &status, WNOHANG | WUNTRACED) == job) {
			tcsetpgrp(0, getpid());
			report(shell, job, status);
		}
	}
}
