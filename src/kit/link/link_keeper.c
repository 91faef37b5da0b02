/* The keeper of a link: creates the namespaces, starts the relay, serves
 * sockets, and ends the relay after the owner has ended. */
#include "link_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "die_with.h"

static volatile sig_atomic_t ended;

/* ---- becoming the keeper ---------------------------------------------- */

static void reset_signals(void)
{
	/* Signals of a terminal are for the owner, who ends the keeper. */
	static const int of_terminal[] = { SIGINT, SIGQUIT, SIGTSTP, SIGTTIN,
		SIGTTOU, SIGHUP, SIGPIPE };
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &usual, NULL);
	for (size_t i = 0; i < sizeof of_terminal / sizeof *of_terminal; i++)
		signal(of_terminal[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Moves a descriptor above those that are kept. */
static int kept(int fd)
{
	enum { ABOVE = 10 };

	return fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);
}

/* Closes all other descriptors: the keeper must not hold a file, pipe or socket
 * open that its owner closes. */
static void keep_two(struct keeper_start *start)
{
	int null = open("/dev/null", O_RDWR);
	int sockets[] = { kept(start->socket), kept(start->relay_socket) };

	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		/* A log may contain the report of a sanitizer. */
		if (fd != STDERR_FILENO || isatty(fd) || fcntl(fd, F_GETFD) < 0)
			dup2(null, fd);
	for (int i = 0; i < 2; i++)
		dup2(sockets[i], STDERR_FILENO + 1 + i);
	start->socket = STDERR_FILENO + 1;
	start->relay_socket = start->socket + 1;
	descriptors_close(start->relay_socket + 1, INT_MAX);
}

/* The owner may be pinned with high priority; the keeper must not be. */
static void be_ordinary(void)
{
	const struct sched_param none = { .sched_priority = 0 };
	const struct rlimit no_core = { 0, 0 };
	cpu_set_t all;

	memset(&all, 0xff, sizeof all);
	sched_setaffinity(0, sizeof all, &all);
	sched_setscheduler(0, SCHED_OTHER, &none);
	setrlimit(RLIMIT_CORE, &no_core);
}

static void note_end(int number)
{
	(void)number;
	ended = true;
}

/* Call after a new user namespace, which clears the setting. Not SIGKILL,
 * because the keeper must clean up. The signal is blocked except while the
 * keeper waits. */
static void end_after(pid_t parent)
{
	struct sigaction ending = { .sa_handler = note_end };
	sigset_t blocked;

	sigaction(SIGTERM, &ending, NULL);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	die_with(parent, SIGTERM);
}

/* ---- the relay -------------------------------------------------------- */

static pid_t start_relay(const struct keeper_start *start,
	const int device[LINK_SIDES], struct error *error)
{
	const struct relay_ends ends = {
		.device = { device[LINK_NEAR], device[LINK_FAR] },
		.control = start->relay_socket,
		.shared = start->shared,
	};
	pid_t keeper = getpid();
	pid_t relay = fork();

	if (relay < 0)
		return error_set(error, STATUS_NETWORK,
			"cannot fork the link's relay: %s", strerror(errno));
	if (relay)
		return relay;
	die_with(keeper, SIGKILL);
	close(start->socket);
	relay_run(&ends);
}

/* Returns the relay's process id, or -1. */
static pid_t set_up(const struct keeper_start *start,
	struct link_spaces *spaces, bool *has_ipv6, struct error *error)
{
	int device[LINK_SIDES];

	if (link_spaces_make(spaces, error))
		return -1;
	end_after(start->owner);
	for (int side = 0; side < LINK_SIDES; side++) {
		if (side == LINK_FAR && unshare(CLONE_NEWNET))
			return link_refuse_spaces("", errno, error);
		device[side] =
			link_device_open((enum link_side)side, has_ipv6, error);
		if (device[side] < 0 ||
			link_spaces_keep(spaces, (enum link_side)side, error))
			return -1;
	}
	pid_t relay = start_relay(start, device, error);
	close(device[LINK_NEAR]);
	close(device[LINK_FAR]);
	close(start->relay_socket);
	return relay;
}

/* ---- serving ---------------------------------------------------------- */

static int make_socket(const struct link_spaces *spaces,
	const struct keeper_request *request, struct error *error)
{
	int made = -1;

	if (!link_go(spaces, request->side))
		made = socket(request->domain, request->type | SOCK_CLOEXEC,
			request->protocol);
	if (made < 0)
		error_set(error, STATUS_NETWORK,
			"cannot make a socket on the link: %s",
			strerror(errno));
	return made;
}

/* False after the owner has ended. */
static bool await_owner(int owner)
{
	struct pollfd polled = { owner, POLLIN, 0 };
	sigset_t none;

	sigemptyset(&none);
	ppoll(&polled, 1, NULL, &none);
	return !ended;
}

static void serve(int owner, const struct link_spaces *spaces)
{
	struct keeper_request request;
	int none[DESCRIPTORS_MOST];

	while (await_owner(owner) &&
		!descriptors_receive(owner, &request, sizeof request, none)) {
		struct keeper_answer answer = { .failed = false };
		int made = make_socket(spaces, &request, &answer.error);

		answer.failed = made < 0;
		if (descriptors_send(owner, &answer, sizeof answer, &made,
			    made >= 0))
			return;
		if (made >= 0)
			close(made);
	}
}

_Noreturn void keeper_run(const struct keeper_start *given)
{
	struct keeper_start start = *given;
	struct link_spaces spaces = { -1, { -1, -1 } };
	struct keeper_answer answer = { .failed = false };

	reset_signals();
	keep_two(&start);
	be_ordinary();
	pid_t relay = set_up(&start, &spaces, &answer.has_ipv6, &answer.error);
	answer.failed = relay < 0;
	const int fds[] = { spaces.network[LINK_NEAR], spaces.network[LINK_FAR],
		spaces.user };
	size_t count = spaces.user >= 0 ? 3 : 2;
	bool gone = descriptors_send(start.socket, &answer, sizeof answer, fds,
		answer.failed ? 0 : count);
	if (!gone && !answer.failed)
		serve(start.socket, &spaces);
	if (relay > 0) {
		kill(relay, SIGKILL);
		waitpid(relay, NULL, 0);
	}
	link_spaces_empty(&spaces, start.owner);
	_exit(0);
}
