/* The link, in the process of its owner. */
#include "link.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "link_internal.h"

enum { ANSWER_MS = 10000 }; /* for an overloaded machine */

/* ---- opening ---------------------------------------------------------- */

static int make_sockets(int of_keeper[2], int of_relay[2], struct error *error)
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, of_keeper))
		return error_set(error, STATUS_NETWORK,
			"cannot make the link's sockets: %s", strerror(errno));
	if (!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, of_relay))
		return 0;
	close(of_keeper[0]);
	close(of_keeper[1]);
	return error_set(error, STATUS_NETWORK,
		"cannot make the link's sockets: %s", strerror(errno));
}

static int start_keeper(struct link *link, struct error *error)
{
	int of_keeper[2] = { -1, -1 }, of_relay[2] = { -1, -1 };

	if (make_sockets(of_keeper, of_relay, error))
		return -1;
	fflush(NULL);
	const struct keeper_start start = {
		.owner = getpid(),
		.socket = of_keeper[1],
		.relay_socket = of_relay[1],
		.shared = link->shared,
	};
	link->keeper = fork();
	if (!link->keeper)
		keeper_run(&start);
	link->owner = start.owner;
	link->keeper_socket = of_keeper[0];
	link->relay_socket = of_relay[0];
	close(of_keeper[1]);
	close(of_relay[1]);
	if (link->keeper > 0)
		return 0;
	return error_set(error, STATUS_NETWORK,
		"cannot fork the link's keeper: %s", strerror(errno));
}

/* Receives the keeper's next answer. Returns -1 with the error, also if the
 * answer is an error. */
static int hear(struct link *link, struct keeper_answer *answer,
	int fds[DESCRIPTORS_MOST], struct error *error)
{
	struct pollfd socket = { link->keeper_socket, POLLIN, 0 };
	int ready = poll(&socket, 1, ANSWER_MS);

	if (ready <= 0)
		return error_set(error, STATUS_NETWORK,
			"the link does not answer: %s",
			ready ? strerror(errno) : "no answer within ten "
				"seconds");
	if (descriptors_receive(link->keeper_socket, answer, sizeof *answer,
		    fds))
		return error_set(error, STATUS_NETWORK,
			errno == EMFILE ? "cannot receive a socket of the "
				"link: %s" :
					  "the link has ended: %s",
			strerror(errno));
	if (!answer->failed)
		return 0;
	*error = answer->error;
	return -1;
}

static int await_spaces(struct link *link, struct error *error)
{
	struct keeper_answer answer = { .failed = true };
	int fds[DESCRIPTORS_MOST] = { -1, -1, -1 };

	if (hear(link, &answer, fds, error))
		return -1;
	link->has_ipv6 = answer.has_ipv6;
	link->spaces = (struct link_spaces){
		.user = fds[2],
		.network = { fds[0], fds[1] },
	};
	return 0;
}

static struct link *make(void)
{
	struct link *link = calloc(1, sizeof *link);
	void *shared = mmap(NULL, sizeof *link->shared, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!link || shared == MAP_FAILED) {
		free(link);
		return NULL;
	}
	link->shared = shared;
	link->keeper_socket = link->relay_socket = -1;
	link->spaces = (struct link_spaces){ -1, { -1, -1 } };
	return link;
}

int link_open(const struct link_settings *settings, struct link **link,
	struct error *error)
{
	*link = NULL;
	if (link_check(settings, error))
		return -1;
	/* Detects the most common refusal without starting a process. */
	int tun = link_tun_open(error);
	if (tun < 0)
		return -1;
	close(tun);
	struct link *made = make();
	if (!made)
		return error_set(error, STATUS_NETWORK,
			"no memory for the link");
	if (start_keeper(made, error) || await_spaces(made, error) ||
		link_configure(made, settings, error)) {
		link_close(made);
		return -1;
	}
	*link = made;
	return 0;
}

/* ---- closing ---------------------------------------------------------- */

static void close_if(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* The keeper ends at end of file on its socket, unless it is stuck. */
static void end_keeper(pid_t keeper)
{
	enum { WAITS = 2000 };

	for (int i = 0; i < WAITS; i++) {
		pid_t got = waitpid(keeper, NULL, WNOHANG);

		if (got == keeper || (got < 0 && errno != EINTR))
			return;
		usleep(1000);
	}
	kill(keeper, SIGKILL);
	waitpid(keeper, NULL, 0);
}

void link_close(struct link *link)
{
	if (!link)
		return;
	/* shutdown() also works if a child holds a copy of the socket. */
	if (link->owner == getpid() && link->keeper_socket >= 0)
		shutdown(link->keeper_socket, SHUT_RDWR);
	close_if(link->keeper_socket);
	close_if(link->relay_socket);
	close_if(link->spaces.user);
	for (int side = 0; side < LINK_SIDES; side++)
		close_if(link->spaces.network[side]);
	if (link->owner == getpid() && link->keeper > 0)
		end_keeper(link->keeper);
	munmap(link->shared, sizeof *link->shared);
	free(link);
}

/* ---- using ------------------------------------------------------------ */

int link_configure(struct link *link, const struct link_settings *settings,
	struct error *error)
{
	struct pollfd socket = { link->relay_socket, POLLIN, 0 };
	int answer = -EPIPE;

	if (link_check(settings, error))
		return -1;
	link->shared->settings = *settings;
	if (send(socket.fd, "!", 1, MSG_NOSIGNAL) == 1 &&
		poll(&socket, 1, ANSWER_MS) == 1 &&
		recv(socket.fd, &answer, sizeof answer, 0) == sizeof answer &&
		!answer)
		return 0;
	return error_set(error, STATUS_NETWORK,
		"cannot set up the link's relay: %s", strerror(-answer));
}

int link_socket(struct link *link, enum link_side side, int domain, int type,
	int protocol, struct error *error)
{
	const struct keeper_request request = { side, domain, type, protocol };
	struct keeper_answer answer = { .failed = true };
	int fds[DESCRIPTORS_MOST] = { -1, -1, -1 };

	if (descriptors_send(link->keeper_socket, &request, sizeof request,
		    NULL, 0))
		return error_set(error, STATUS_NETWORK,
			"the link has ended: %s", strerror(errno));
	return hear(link, &answer, fds, error) ? -1 : fds[0];
}

socklen_t link_address(const struct link *link, enum link_side side, int family,
	struct sockaddr_storage *out)
{
	if (family == AF_INET6 && !link->has_ipv6)
		return 0;
	return link_side_address(side, family, out);
}

/* The relay writes meanwhile: each figure is consistent, but two figures may
 * differ by one packet. */
struct link_counters link_counters(const struct link *link, enum link_side from)
{
	enum { WORDS = sizeof(struct link_counters) / sizeof(uint64_t) };
	const uint64_t *shared =
		(const uint64_t *)(const void *)&link->shared->counters[from];
	struct link_counters counters;
	uint64_t words[WORDS];

	for (size_t i = 0; i < WORDS; i++)
		words[i] = __atomic_load_n(&shared[i], __ATOMIC_RELAXED);
	memcpy(&counters, words, sizeof counters);
	return counters;
}

/* The relay has the only copy of the other end of its socket. */
bool link_ended(const struct link *link, int wait_ms)
{
	struct pollfd relay = { link->relay_socket, 0, 0 };

	return poll(&relay, 1, wait_ms) == 1 && relay.revents & POLLHUP;
}

int link_enter(const struct link *link, enum link_side side,
	struct error *error)
{
	int user = link->spaces.user;

	if ((user < 0 || !setns(user, CLONE_NEWUSER)) &&
		!link_go(&link->spaces, side))
		return 0;
	return error_set(error, STATUS_NETWORK,
		"cannot enter the link's namespace: %s", strerror(errno));
}
