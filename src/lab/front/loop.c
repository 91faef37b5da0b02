/* The loop: waits for events and steps the lab. */
#include "loop.h"
#include "read_again.h"
#include "run_queue.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { TICK_MS = 100 };

static const int interrupting[] = { SIGINT, SIGTERM, SIGHUP };

static bool interrupts(int number)
{
	for (size_t i = 0; i < sizeof interrupting / sizeof *interrupting; i++)
		if (interrupting[i] == number)
			return true;
	return false;
}

/* A blocked signal reaches the signalfd even if it is ignored. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) &&
		action.sa_handler == SIG_IGN;
}

static int watch(struct loop *loop, struct error *error)
{
	sigprocmask(SIG_BLOCK, &loop->set, NULL);
	loop->signals =
		signalfd(loop->signals, &loop->set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (loop->signals >= 0)
		return 0;
	return error_set(error, STATUS_PERMISSION,
		"cannot watch signals: signalfd4: %s: expected a sandbox that "
		"allows it",
		strerror(errno));
}

int loop_init(struct loop *loop, struct lab *lab, struct error *error)
{
	*loop = (struct loop){ .lab = lab, .watched = -1, .signals = -1 };
	sigemptyset(&loop->set);
	for (size_t i = 0; i < sizeof interrupting / sizeof *interrupting; i++)
		if (!is_ignored(interrupting[i]))
			sigaddset(&loop->set, interrupting[i]);
	return watch(loop, error);
}

int loop_listen(struct loop *loop, int number, struct error *error)
{
	sigaddset(&loop->set, number);
	return watch(loop, error);
}

bool loop_heard(struct loop *loop, int number)
{
	uint64_t bit = 1ull << number;
	bool heard = loop->heard & bit;

	loop->heard &= ~bit;
	return heard;
}

void loop_release(struct loop *loop)
{
	close(loop->signals);
}

static void take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(loop->signals, &info, sizeof info) == sizeof info) {
		int number = (int)info.ssi_signo;

		if (!interrupts(number)) {
			loop->heard |= 1ull << number;
			continue;
		}
		loop->signal = number;
		loop->interrupts++;
		lab_stop(loop->lab);
	}
}

void loop_turn(struct loop *loop, int timeout_ms)
{
	bool again = read_again_is_due(loop->lab);
	bool busy = lab_busy(loop->lab) || again;
	struct pollfd polled[3] = {
		{ .fd = loop->signals, .events = POLLIN },
		{ .fd = again ? read_again_descriptor(loop->lab) :
				lab_descriptor(loop->lab),
			.events = POLLIN },
		{ .fd = loop->watched, .events = loop->only_end ? 0 : POLLIN },
	};

	if (busy && (timeout_ms < 0 || timeout_ms > TICK_MS))
		timeout_ms = TICK_MS;
	/* No descriptor reports that a run waits. */
	if (lab_can_begin(loop->lab))
		timeout_ms = 0;
	loop->readable = false;
	int ready = poll(polled, 3, timeout_ms);
	if (ready > 0 && polled[0].revents)
		take_signals(loop);
	if (ready > 0) {
		short was = polled[2].revents;

		/* A closed terminal stays readable, with POLLERR. A pipe whose
		 * writer is closed may still hold data. */
		loop->readable = was & POLLIN;
		loop->hung_up |= (was & (POLLERR | POLLNVAL)) ||
			((was & POLLHUP) && !loop->readable);
	}
	if (busy)
		lab_step(loop->lab);
}
