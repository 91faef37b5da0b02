/* Do the remote hosts of earlier runs answer? */
#include "host_check.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hosts.h"
#include "network.h"
#include "resolve.h"
#include "tick.h"

enum { CONNECT_MS = 1000 };
static const uint64_t longest_ns = 4000000000;

static int connect_within(const struct addrinfo *to)
{
	int fd = socket(to->ai_family,
		to->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd made = { .fd = fd, .events = POLLOUT };
	int failed = 0;
	socklen_t length = sizeof failed;

	if (fd < 0)
		return errno;
	if (connect(fd, to->ai_addr, to->ai_addrlen))
		failed = errno;
	if (failed == EINPROGRESS) {
		failed = ETIMEDOUT;
		if (poll(&made, 1, CONNECT_MS) > 0)
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
	}
	close(fd);
	return failed;
}

static void ask(struct host_facts *facts)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list;
	struct network_host host;
	struct error error;

	if (network_host(facts->host, &host, &error)) {
		snprintf(facts->why, sizeof facts->why, "is not a host name");
		return;
	}
	int failed = resolve(host.name, host.port, &hints, &list);
	if (failed) {
		snprintf(facts->why, sizeof facts->why, "%s",
			resolve_why(failed));
		return;
	}
	uint64_t began_ns = tick_raw_ns();
	failed = connect_within(list);
	facts->took_ns = (double)(tick_raw_ns() - began_ns);
	freeaddrinfo(list);
	snprintf(facts->why, sizeof facts->why, "%s",
		failed ? strerror(failed) : "");
	facts->reached = !failed;
}

/* Writes the reasons first, because the process may be killed while it waits
 * for an answer. */
static int check_body(void *answer, void *context)
{
	struct host_facts *facts = answer;
	char **hosts = context;
	size_t count = 0;

	for (; hosts[count] && count < HOSTS_ASKED; count++) {
		snprintf(facts[count].host, sizeof facts->host, "%s",
			hosts[count]);
		snprintf(facts[count].why, sizeof facts->why,
			"no answer within %.0f s", (double)longest_ns / 1e9);
	}
	for (size_t i = 0; i < count; i++)
		ask(&facts[i]);
	return 0;
}

bool host_check_start(struct host_check *check)
{
	char **hosts = hosts_read();
	struct error ignored;

	*check = (struct host_check){ .began_ns = tick_raw_ns() };
	while (hosts[check->count] && check->count < HOSTS_ASKED)
		check->count++;
	if (check->count &&
		job_start(&check->job, HOSTS_ASKED * sizeof(struct host_facts),
			check_body, hosts, CHILD_ANY_CPU, &ignored))
		check->count = 0;
	hosts_free(hosts);
	return check->count > 0;
}

bool host_check_step(struct host_check *check,
	struct host_facts facts[HOSTS_ASKED])
{
	struct error ignored;
	int status;

	if (!child_reap(&check->job.child, &status)) {
		if (tick_raw_ns() - check->began_ns > longest_ns)
			child_kill(&check->job.child);
		return false;
	}
	/* The answers found before the time limit are valid. */
	job_finish(&check->job, status, facts, "host check", &ignored);
	return true;
}
