/* Where the lab waits. */
#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { TICK_MS = 100 };

static void our_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

int loop_init(struct loop *loop, struct lab *lab, struct error *error)
{
	sigset_t set;

	*loop = (struct loop){ .lab = lab, .watched = -1 };
	our_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	loop->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (loop->signals >= 0)
		return 0;
	return error_set(error, STATUS_INTERNAL, "cannot watch signals: %s",
		strerror(errno));
}

void loop_release(struct loop *loop)
{
	sigset_t set;

	close(loop->signals);
	our_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->signals, &info, sizeof info) == sizeof info) {
		loop->signal = (int)info.ssi_signo;
		loop->interrupts++;
		lab_stop(loop->lab);
	}
}

void loop_turn(struct loop *loop, int timeout_ms)
{
	bool busy = lab_busy(loop->lab);
	struct pollfd polled[3] = {
		{ .fd = loop->signals, .events = POLLIN },
		{ .fd = lab_descriptor(loop->lab), .events = POLLIN },
		{ .fd = loop->watched, .events = POLLIN },
	};

	if (busy && (timeout_ms < 0 || timeout_ms > TICK_MS))
		timeout_ms = TICK_MS;
	loop->readable = false;
	int ready = poll(polled, 3, timeout_ms);
	if (ready > 0 && polled[0].revents)
		take_signals(loop);
	if (ready > 0) {
		loop->readable = polled[2].revents & POLLIN;
		loop->hung_up |=
			(polled[2].revents & (POLLHUP | POLLERR | POLLNVAL)) &&
			!loop->readable;
	}
	if (busy)
		lab_step(loop->lab);
}
